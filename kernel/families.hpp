// All sets of rack tiles that can be laid, found in one sweep over the numbers.
#pragma once

#include <cstddef>
#include <vector>

#include "solver.hpp"

namespace tilerummy {

struct Family {
    std::vector<Play> plays;  // all of them, or if there are more than the limit: the largest, and all maximal ones
    bool whole = true;
};

// False: there is more to it than a sweep is worth, or can tell.
bool find_family(const TileSet& tiles, const Query& query, std::size_t limit, Workspace& workspace, Family& family);

}  // namespace tilerummy
