// The groups of one number, once it is known which tiles of that number lie in runs.
#pragma once

#include <algorithm>
#include <cstdint>

#include "position.hpp"

namespace tilerummy {

struct GroupTiles {
    std::uint8_t left[kColours]{};  // numbered tiles that are not in runs
    std::uint8_t must[kColours]{};  // as many of them have to lie in groups
};

struct GroupChoice {
    int groups = 0;  // besides the blocks
    int jokers = 0;  // free jokers that these need
    int pins = 0;    // pinned jokers in them; the others lie in blocks
    Value loss = 0;  // weight of the tiles left behind
    std::uint8_t used[kColours]{};
    // What each open block takes: a colour, or one of these.
    static constexpr std::uint8_t kNothing = 4;
    static constexpr std::uint8_t kPin = 5;
    static constexpr std::uint8_t kFreeJoker = 6;
    std::uint8_t taken[kMaxGroupBlocks]{};
};

namespace detail {

// Whether `groups` groups hold all that must lie in groups; fills in the best way to do it. They can be built exactly
// when no colour has more than one tile a group, the members are 3 to 4 a group, and the tiles at least 1 a group.
inline bool fill_groups(const Position& position, int number, const GroupTiles& tiles, int groups,
                        GroupChoice& choice) {
    int numbered = 0;
    int spare = 0;  // members that may be left out
    for (int colour = 0; colour < kColours; ++colour) {
        if (tiles.must[colour] > groups) return false;
        choice.used[colour] = static_cast<std::uint8_t>(std::min<int>(tiles.left[colour], groups));
        numbered += choice.used[colour];
        spare += choice.used[colour] - tiles.must[colour];
    }
    int excess = numbered + choice.pins - 4 * groups;
    if (excess > spare) return false;
    for (; excess > 0; --excess, --numbered) {
        int cheapest = -1;
        for (int colour = 0; colour < kColours; ++colour)
            if (choice.used[colour] > tiles.must[colour] &&
                (cheapest < 0 || position.cells[colour][number].weight < position.cells[cheapest][number].weight))
                cheapest = colour;
        --choice.used[cheapest];
    }
    if (numbered < groups) return false;
    choice.groups = groups;
    choice.jokers = std::max(0, 3 * groups - numbered - choice.pins);
    choice.loss = 0;
    for (int colour = 0; colour < kColours; ++colour)
        choice.loss += (tiles.left[colour] - choice.used[colour]) * position.cells[colour][number].weight;
    return true;
}

template <class Visit>
void fill_blocks(const Position& position, int number, int block, GroupTiles tiles, GroupChoice& choice, Visit& visit) {
    const NumberRow& row = position.rows[number];
    if (block == row.open_count) {
        for (int groups = 0; groups <= row.most_groups; ++groups)
            if (fill_groups(position, number, tiles, groups, choice)) visit(choice);
        return;
    }
    choice.taken[block] = GroupChoice::kNothing;
    fill_blocks(position, number, block + 1, tiles, choice, visit);
    if (choice.pins > 0) {
        --choice.pins;
        choice.taken[block] = GroupChoice::kPin;
        fill_blocks(position, number, block + 1, tiles, choice, visit);
        ++choice.pins;
    }
    for (std::uint8_t colour = 0; colour < kColours; ++colour) {
        if (!(row.open[block].missing >> colour & 1) || tiles.left[colour] == 0) continue;
        GroupTiles rest = tiles;
        --rest.left[colour];
        if (rest.must[colour] > 0) --rest.must[colour];
        choice.taken[block] = colour;
        fill_blocks(position, number, block + 1, rest, choice, visit);
    }
}

}  // namespace detail

// Visits every choice that can matter, always in the same order.
template <class Visit>
void for_each_group_choice(const Position& position, int number, const GroupTiles& tiles, Visit&& visit) {
    GroupChoice choice;
    choice.pins = position.rows[number].pins;
    detail::fill_blocks(position, number, 0, tiles, choice, visit);
}

}  // namespace tilerummy
