// A query checked and laid out by colour and number, the shape in which the searches read it.
#pragma once

#include <cstdint>
#include <limits>

#include "solver.hpp"

namespace tilerummy {

using Value = std::int64_t;
inline constexpr Value kImpossible = std::numeric_limits<Value>::max() / 16;
inline constexpr int kMaxGroupBlocks = 8;  // of one number: 12 numbered tiles and 4 jokers make no more of three

struct Cell {
    Value weight = 0;               // gained by laying one rack tile of this kind
    std::uint8_t table = 0;         // numbered tiles that must be used
    std::uint8_t all = 0;           // these and the rack's
    std::uint8_t pins = 0;          // jokers that stay here in a run
    std::uint8_t block_starts = 0;  // run blocks whose first tile is this
    std::uint8_t block_ends = 0;    // run blocks whose last tile is this
};

// A group block of three: it may take one more tile of a colour in `missing`.
struct OpenGroup {
    std::uint8_t missing = 0;
};

struct NumberRow {
    std::uint8_t most_groups = 0;  // no more groups of this number can be filled, blocks aside
    std::uint8_t pins = 0;
    std::uint8_t open_count = 0;
    OpenGroup open[kMaxGroupBlocks]{};

    bool plain() const { return pins == 0 && open_count == 0; }
};

struct Position {
    int numbers = 0;
    int table_jokers = 0;
    int rack_jokers = 0;
    Value joker_weight = 0;
    bool groups_allowed = true;
    bool has_negative_weight = false;  // of a kind on the rack
    Cell cells[kColours][kMaxNumber + 2]{};
    NumberRow rows[kMaxNumber + 2]{};

    int jokers() const { return table_jokers + rack_jokers; }
};

// What laying one rack tile of `kind` adds to the objective, all tie-breaks included in one number.
Value value_of(const Query& query, int kind);

// Throws std::invalid_argument.
void read_position(const TileSet& tiles, const Query& query, Position& position);

}  // namespace tilerummy
