#include "position.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace tilerummy {
namespace {

void require(bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
}

void check_tile_set(const TileSet& tiles) {
    require(tiles.numbers >= 3 && tiles.numbers <= kMaxNumber, "tile set: numbers must be 3 to 13");
    require(tiles.copies >= 1 && tiles.copies <= kMaxCopies, "tile set: copies must be 1 to 3");
    require(tiles.jokers >= 0 && tiles.jokers <= kMaxJokers, "tile set: jokers must be 0 to 4");
}

void read_tiles(const TileSet& tiles, const Query& query, Position& position) {
    for (int kind = 0; kind < kNumberedKinds; ++kind) {
        const auto k = static_cast<std::size_t>(kind);
        const int number = number_of(kind);
        if (number > tiles.numbers) {
            require(query.table[k] == 0, "table: a tile that the tile set does not have");
            require(query.rack[k] == 0, "rack: a tile that the tile set does not have");
            require(query.run_pins[k] == 0, "run_pins: a tile that the tile set does not have");
            continue;
        }
        require(query.must_lay[k] <= query.rack[k], "must_lay: more than the rack holds");
        require(query.table[k] + query.rack[k] <= tiles.copies, "rack: more copies than the tile set has");
        Cell& cell = position.cells[colour_of(kind)][number];
        cell.table = static_cast<std::uint8_t>(query.table[k] + query.must_lay[k]);
        cell.all = static_cast<std::uint8_t>(query.table[k] + query.rack[k]);
        cell.pins = query.run_pins[k];
        cell.weight = value_of(query, kind);
        if (cell.weight < 0 && cell.all > cell.table) position.has_negative_weight = true;
    }
    require(query.must_lay[kJoker] <= query.rack[kJoker], "must_lay: more jokers than the rack holds");
    position.table_jokers = query.table[kJoker] + query.must_lay[kJoker];
    position.rack_jokers = query.rack[kJoker] - query.must_lay[kJoker];
    position.joker_weight = value_of(query, kJoker);
}

// Counts the numbered tiles in blocks into `held` and returns the jokers in them.
int read_blocks(const TileSet& tiles, const Query& query, Position& position,
                int (&held)[kColours][kMaxNumber + 1]) {
    int jokers = 0;
    for (const RunBlock& block : query.run_blocks) {
        require(block.colour < kColours && block.first >= 1 && block.last <= tiles.numbers &&
                    block.first + 2 <= block.last,
                "run_blocks: no run of three or more within the tile set");
        const int length = block.last - block.first + 1;
        const int wild = std::popcount(block.jokers);
        require(block.jokers >> length == 0 && wild < length, "run_blocks: jokers outside the run, or nothing else");
        jokers += wild;
        for (int i = 0; i < length; ++i)
            if (!(block.jokers >> i & 1)) ++held[block.colour][block.first + i];
        ++position.cells[block.colour][block.first].block_starts;
        ++position.cells[block.colour][block.last].block_ends;
    }
    for (const GroupBlock& block : query.group_blocks) {
        const int numbered = std::popcount(block.colours);
        require(block.number >= 1 && block.number <= tiles.numbers && block.colours < (1 << kColours) &&
                    numbered >= 1 && numbered + block.jokers >= 3 && numbered + block.jokers <= kColours,
                "group_blocks: no group of three or four within the tile set");
        jokers += block.jokers;
        for (int colour = 0; colour < kColours; ++colour) held[colour][block.number] += block.colours >> colour & 1;
        if (numbered + block.jokers == 3) {
            NumberRow& row = position.rows[block.number];
            require(row.open_count < kMaxGroupBlocks, "group_blocks: too many of one number");
            row.open[row.open_count++].missing = static_cast<std::uint8_t>(~block.colours & 0xF);
        }
    }
    return jokers;
}

}  // namespace

Value value_of(const Query& query, int kind) {
    // Widths that no sum over a rack can overflow: 160 tiles, 1,092 points and 100 a joker, 4 jokers.
    const bool joker = kind == kJoker;
    const Value points = joker ? query.joker_points : number_of(kind);
    const Value fewest_jokers = joker ? -1 : 0;
    switch (query.objective) {
        case Objective::tiles: return Value{1 << 16} + points * 8 + fewest_jokers;
        case Objective::points: return points * (1 << 11) + 8 + fewest_jokers;
        case Objective::weights: break;
    }
    return Value{query.weights[static_cast<std::size_t>(kind)]} * (1 << 24) + (1 << 16) + points * 8 + fewest_jokers;
}

void read_position(const TileSet& tiles, const Query& query, Position& position) {
    check_tile_set(tiles);
    require(query.joker_points >= 0 && query.joker_points <= kMaxJokerPoints, "joker_points: must be 0 to 100");
    if (query.objective == Objective::weights)
        for (const std::int32_t weight : query.weights)
            require(weight >= -kMaxWeight && weight <= kMaxWeight, "weights: out of bounds");

    position = Position{};
    position.numbers = tiles.numbers;
    position.groups_allowed = query.groups_allowed;
    read_tiles(tiles, query, position);

    int held[kColours][kMaxNumber + 1]{};
    int jokers = position.jokers() + read_blocks(tiles, query, position, held);
    for (int number = 1; number <= tiles.numbers; ++number) {
        for (int colour = 0; colour < kColours; ++colour) {
            const Cell& cell = position.cells[colour][number];
            require(cell.all + held[colour][number] <= tiles.copies,
                    "table: more copies, blocks included, than the tile set has");
            jokers += cell.pins;
        }
        position.rows[number].pins = query.group_pins[static_cast<std::size_t>(number)];
        jokers += position.rows[number].pins;
    }
    for (int number = tiles.numbers + 1; number <= kMaxNumber; ++number)
        require(query.group_pins[static_cast<std::size_t>(number)] == 0, "group_pins: no such number");
    require(query.group_pins[0] == 0, "group_pins: no such number");
    require(jokers <= tiles.jokers, "table: more jokers, pins and blocks included, than the tile set has");
    require(query.groups_allowed || query.group_blocks.empty(), "group_blocks: groups are not allowed");

    for (int number = 1; number <= tiles.numbers; ++number) {
        NumberRow& row = position.rows[number];
        if (!query.groups_allowed) continue;
        for (int groups = 1; groups <= kMaxCopies + kMaxJokers; ++groups) {
            int members = 0;
            int numbered = 0;
            for (int colour = 0; colour < kColours; ++colour) {
                numbered += position.cells[colour][number].all;
                members += std::min<int>(position.cells[colour][number].all, groups);
            }
            // Each further group adds no more members than the one before, so the first that fails is the last tried.
            if (numbered < groups || members + row.pins + position.jokers() < 3 * groups) break;
            row.most_groups = static_cast<std::uint8_t>(groups);
        }
    }
}

}  // namespace tilerummy
