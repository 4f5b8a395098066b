// The smallest sets of rack tiles whose own melds reach the opening.
#pragma once

#include <vector>

#include "solver.hpp"

namespace tilerummy {

// Each set that reaches `points`, while no smaller set within it does; by tiles, then by counts. `sets` is emptied
// first.
void opening_sets(const Counts& rack, int numbers, bool groups, int points, std::vector<Counts>& sets);

// Whether there is any; fast where there is no joker.
bool has_opening(const Counts& rack, int numbers, bool groups, int points);

}  // namespace tilerummy
