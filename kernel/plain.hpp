// The same search with nothing left out: every joker has its place and every run knows whether it has a tile. Slow; for
// the few positions whose spare jokers find no room, and as a second opinion in the tests.
#pragma once

#include <cstdint>

#include "position.hpp"

namespace tilerummy {

// Fills in the whole solution, `feasible` included; adds to `nodes`. Stops unproven at `node_limit`, if there is one.
void plain_solve(const Position& position, const Query& query, std::uint64_t node_limit, Solution& solution);

}  // namespace tilerummy
