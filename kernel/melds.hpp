// Melds under construction, and what is done with them once all tiles have their place.
#pragma once

#include <cstdint>
#include <vector>

#include "groups.hpp"
#include "position.hpp"

namespace tilerummy {

// Who lies in a place. Tiles of a block never change places with others.
enum class Filler : std::uint8_t { numbered, joker, pin, block_tile, block_joker };

struct OpenMeld {
    bool run = false;
    std::uint8_t colour = 0;  // of a run
    std::uint8_t first = 0;   // of a run; a group's number
    std::uint8_t size = 0;
    Filler fillers[kMaxNumber]{};
    std::uint8_t colours[kColours]{};  // of a group's members

    int last() const { return first + size - 1; }
    bool has_tile() const;
};

class Builder {
public:
    // `melds` is where they are built; it is emptied first.
    Builder(const Position& position, const Query& query, std::vector<OpenMeld>& melds)
        : position_(position), query_(query), melds_(melds) {
        melds_.clear();
    }

    // Rebuilds what the search decided: colour by colour the numbers 1, 2, …, then the groups.
    void begin_colour() { colour_begin_ = melds_.size(); }
    void add_runs(int number, int colour, int in_runs, int real);
    void add_groups(int number, const GroupChoice& choice);

    // The same step, told run by run; each function returns a place in melds().
    std::size_t start(int colour, int number, Filler filler);
    void extend(std::size_t meld, Filler filler);
    std::vector<std::size_t> blocks_starting(int colour, int number);  // puts them on the table
    void join(std::size_t meld, std::size_t block);

    // Takes melds of free jokers off the table. False: a pinned joker lies among jokers only.
    bool free_pins();
    int jokers_laid() const;
    // Lays so many more free jokers. False: there is no room.
    bool park(int spare);

    std::vector<OpenMeld>& melds() { return melds_; }
    void write(Solution& solution) const;

private:
    const Position& position_;
    const Query& query_;
    std::vector<OpenMeld>& melds_;
    std::size_t colour_begin_ = 0;
};

}  // namespace tilerummy
