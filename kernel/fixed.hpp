// Melds decided one at a time: each that the tiles at hand allow, and what the rest is worth without its tiles.
#pragma once

#include <cstdint>
#include <vector>

#include "solver.hpp"

namespace tilerummy {

// What lies at a place of a decided meld.
enum class Source : std::uint8_t { tile, pin, wild, block, block_joker };

struct FixedPlace {
    std::uint8_t kind = 0;
    Source source = Source::tile;
};

struct FixedMeld {
    bool run = false;
    std::uint8_t size = 0;
    std::array<FixedPlace, kMaxNumber> places{};
    std::uint32_t blocks = 0;  // which of the query's run blocks lie in it, a bit each
    Solution rest;
};

// Which melds are wanted. A set of numbered kinds has a bit each; an empty one asks for nothing.
struct Wanted {
    int kind = -1;             // with a tile of this kind, if it is not negative
    std::uint64_t some = 0;    // with a tile of one of these kinds
    std::uint64_t all = 0;     // with tiles of all of these, in blocks or not
    bool wild = false;         // with a joker that is neither pinned nor in a block
    int longest = kMaxNumber;  // with no more tiles
};

struct Fixed {
    std::int64_t loss = 0;  // of each of the melds, or less than it is
    std::vector<FixedMeld> melds;
    std::uint64_t nodes = 0;
};

// The wanted melds that leave the least loss among those that leave more than `above` and less than `ceiling`.
void fix(const TileSet& tiles, const Query& query, const Wanted& wanted, std::int64_t above, std::int64_t ceiling,
         Workspace& workspace, Fixed& fixed);

}  // namespace tilerummy
