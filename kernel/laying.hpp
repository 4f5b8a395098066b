// Which tiles a simple policy lays in a turn, jokers being free.
#pragma once

#include <cstdint>
#include <vector>

#include "solver.hpp"

namespace tilerummy {

enum class Policy : std::uint8_t {
    tiles,   // most tiles, then most points, then fewest jokers
    points,  // most points, then most tiles, then fewest jokers
    hold,    // as `tiles`, but jokers stay on the rack unless laying them empties it
    wait,    // nothing, until all can be laid at once
};

// A player's turn.
struct Stand {
    Counts table{};
    Counts rack{};
    int opening = 0;      // points that the tiles laid have to reach by themselves; 0: none
    bool locked = false;  // melds are laid beside the table, not onto it
};

// Of equally good plays it finds the one that the solver finds: on the same table, with the same rack.
class Laying {
public:
    Laying(const TileSet& tiles, bool groups, Workspace& workspace)
        : tiles_(tiles), groups_(groups), workspace_(workspace) {
        query_.groups_allowed = groups;
    }

    // False: the policy lays nothing.
    bool find(const Stand& stand, Policy policy);
    // Whether there is any legal play.
    bool can_lay(const Stand& stand);
    // Whether some tiles can all lie on the table.
    bool fits(const Counts& table);
    // Whether these tiles hold melds of so many points.
    bool reaches(const Counts& tiles, int points) const;

    // Of the last play found. The melds are the new table, or what lies beside it where that is locked.
    const Counts& laid() const { return laid_; }
    const std::vector<Meld>& melds() const { return solution_.melds; }

private:
    bool best(const Stand& stand);
    bool best_opening(const Stand& stand);
    bool all(const Stand& stand);
    std::int64_t value_of_laid() const;

    const TileSet& tiles_;
    bool groups_;
    Workspace& workspace_;
    Query query_;
    Solution solution_;
    Counts laid_{};
    std::vector<Counts> openings_;
};

// Whether a meld of these tiles and so many jokers can hold a tile of this kind, which is one of them.
bool in_meld(const Counts& tiles, int jokers, int kind, bool groups);

}  // namespace tilerummy
