// The most points that melds of some tiles are worth: what counts towards an opening.
#pragma once

#include "solver.hpp"

namespace tilerummy {

// Disjoint melds, a joker counting as the tile it stands for; tiles and jokers may be left out. Exact. Throws
// std::invalid_argument for counts that no tile set holds.
int best_value(const Counts& tiles, int numbers, bool groups);

}  // namespace tilerummy
