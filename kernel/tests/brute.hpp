// Every way to lay melds, one after another, by trying all: what the kernel is compared with. Shares no code with it.
#pragma once

#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "../solver.hpp"

namespace brute {

using namespace tilerummy;

struct Shape {
    bool run;
    std::vector<int> kinds;
};

class Brute {
public:
    Brute(const TileSet& tiles, const Query& query) : query_(query) {
        for (int colour = 0; colour < kColours; ++colour)
            for (int first = 1; first <= tiles.numbers; ++first)
                for (int last = first + 2; last <= tiles.numbers; ++last) {
                    Shape shape{true, {}};
                    for (int number = first; number <= last; ++number) shape.kinds.push_back(kind_of(colour, number));
                    shapes_.push_back(shape);
                }
        for (int number = 1; query.groups_allowed && number <= tiles.numbers; ++number)
            for (const int colours : {7, 11, 13, 14, 15}) {
                Shape shape{false, {}};
                for (int colour = 0; colour < kColours; ++colour)
                    if (colours >> colour & 1) shape.kinds.push_back(kind_of(colour, number));
                shapes_.push_back(shape);
            }
        numbered_.assign(kNumberedKinds, 0);
        for (std::size_t kind = 0; kind < kNumberedKinds; ++kind)
            numbered_[kind] = query.table[kind] + query.rack[kind];
        jokers_ = query.table[kJoker] + query.rack[kJoker];
        run_pins_.assign(query.run_pins.begin(), query.run_pins.end());
        group_pins_.assign(query.group_pins.begin(), query.group_pins.end());
        run_blocks_.assign(query.run_blocks.size(), true);
        group_blocks_.assign(query.group_blocks.size(), true);
        next_meld(0);
    }

    std::set<Counts> sets;  // what can be laid, the empty set included

private:
    void next_meld(std::size_t shape) {
        std::string key(1, static_cast<char>(shape));
        for (const auto* counts : {&numbered_, &run_pins_, &group_pins_})
            for (const int count : *counts) key.push_back(static_cast<char>(count));
        for (const bool left : run_blocks_) key.push_back(left);
        for (const bool left : group_blocks_) key.push_back(left);
        key.push_back(static_cast<char>(jokers_));
        if (!seen_.insert(key).second) return;

        note();
        for (std::size_t next = shape; next < shapes_.size(); ++next) {
            if (shapes_[next].run)
                fill(next, 0, false);
            else
                fill_group(next);
        }
    }

    void note() {
        for (const auto* counts : {&run_pins_, &group_pins_})
            for (const int count : *counts)
                if (count > 0) return;
        for (const bool left : run_blocks_)
            if (left) return;
        for (const bool left : group_blocks_)
            if (left) return;
        Counts laid{};
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            const int left = kind == kJoker ? jokers_ : numbered_[kind];
            const int count = query_.rack[kind] - left;
            if (count < query_.must_lay[kind] || count < 0) return;
            laid[kind] = static_cast<std::uint8_t>(count);
        }
        sets.insert(laid);
    }

    void fill(std::size_t shape, std::size_t place, bool has_tile) {
        const Shape& meld = shapes_[shape];
        if (place == meld.kinds.size()) {
            if (has_tile) next_meld(shape);
            return;
        }
        const auto kind = static_cast<std::size_t>(meld.kinds[place]);
        if (numbered_[kind] > 0) {
            --numbered_[kind];
            fill(shape, place + 1, true);
            ++numbered_[kind];
        }
        if (jokers_ > 0) {
            --jokers_;
            fill(shape, place + 1, has_tile);
            ++jokers_;
        }
        auto& pins = meld.run ? run_pins_[kind] : group_pins_[static_cast<std::size_t>(number_of(int(kind)))];
        if (pins > 0) {
            --pins;
            fill(shape, place + 1, has_tile);
            ++pins;
        }
        if (!meld.run) return;
        for (std::size_t i = 0; i < run_blocks_.size(); ++i) {
            const RunBlock& block = query_.run_blocks[i];
            const auto length = static_cast<std::size_t>(block.last - block.first + 1);
            if (!run_blocks_[i] || kind_of(block.colour, block.first) != int(kind)) continue;
            if (place + length > meld.kinds.size()) continue;
            run_blocks_[i] = false;
            fill(shape, place + length, true);
            run_blocks_[i] = true;
        }
    }

    // A group with a block in it: the block's tiles lie in their places, its jokers in any others.
    void fill_group(std::size_t shape) {
        fill(shape, 0, false);
        const Shape whole = shapes_[shape];
        for (std::size_t i = 0; i < group_blocks_.size(); ++i) {
            const GroupBlock& block = query_.group_blocks[i];
            if (!group_blocks_[i] || number_of(whole.kinds[0]) != block.number) continue;
            std::vector<int> rest;
            int found = 0;
            for (const int kind : whole.kinds)
                if (block.colours >> colour_of(kind) & 1)
                    ++found;
                else
                    rest.push_back(kind);
            if (found != __builtin_popcount(block.colours) || rest.size() < block.jokers) continue;
            // One place at most is left once the block is in; which one the block's jokers take makes no difference to
            // jokers, but it does to tiles.
            group_blocks_[i] = false;
            const std::size_t free_places = rest.size() - block.jokers;
            if (free_places == 0) next_meld(shape);
            if (free_places == 1)
                for (const int kind : rest) {
                    shapes_[shape].kinds = {kind};
                    fill_one(shape, whole);
                }
            shapes_[shape] = whole;
            group_blocks_[i] = true;
        }
    }

    void fill_one(std::size_t shape, const Shape& whole) {
        const auto kind = static_cast<std::size_t>(shapes_[shape].kinds[0]);
        shapes_[shape] = whole;
        auto& pins = group_pins_[static_cast<std::size_t>(number_of(int(kind)))];
        for (int* supply : {&numbered_[kind], &jokers_, &pins})
            if (*supply > 0) {
                --*supply;
                next_meld(shape);
                ++*supply;
            }
    }

    const Query& query_;
    std::vector<Shape> shapes_;
    std::vector<int> numbered_, run_pins_, group_pins_;
    std::vector<bool> run_blocks_, group_blocks_;
    int jokers_ = 0;
    std::unordered_set<std::string> seen_;
};

}  // namespace brute
