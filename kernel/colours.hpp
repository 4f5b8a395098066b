// Where there are only runs, colours have nothing in common but the jokers: each is solved for every number of jokers in
// it, and then the jokers are dealt out.
#pragma once

#include "solver.hpp"

namespace tilerummy {

// Whether that is so of this query, and there is more than one colour.
bool is_divisible(const Query& query);

// Fills in the whole solution of a divisible query, `feasible` included; adds to `nodes`.
void solve_by_colour(const TileSet& tiles, const Query& query, Workspace& workspace, Solution& solution);

}  // namespace tilerummy
