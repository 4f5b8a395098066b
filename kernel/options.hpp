// What one colour can do at one number, and the least that it loses from there on whatever the others do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "position.hpp"
#include "run_states.hpp"

namespace tilerummy {

// The open runs of one colour in a form that compares: four bits each, the more the better, the runs, 7 less those of
// length 1, 7 less those of length 1 or 2. Jokers left go above the four colours.
struct SupplyTable {
    std::uint64_t supply[kColours][kRunStates]{};

    constexpr SupplyTable() {
        for (int colour = 0; colour < kColours; ++colour)
            for (std::size_t i = 0; i < kRunStates; ++i) {
                const OpenRuns runs = kRunTable.runs[i];
                const int open = runs.unfinished() + runs.many;
                const int places = open | (kMaxOpen - runs.one) << 4 | (kMaxOpen - runs.unfinished()) << 8;
                supply[colour][i] = static_cast<std::uint64_t>(places) << (12 * colour);
            }
    }
};
inline constexpr SupplyTable kSupply{};

inline constexpr int kJokerPlace = 4 * 3 * kColours;

// How one number's tiles of one colour may be used, seen from that colour alone. What counts by colour has bits of its
// own for each, so that the four colours' options are put together by "or" or, where jokers add up, by "+".
struct Option {
    Value cost;  // a lower bound for this colour from here to the last number
    Value loss;  // the part of it that falls at this number
    std::uint64_t supply;
    std::uint64_t moves;
    std::uint32_t needs;
};

// What a state keeps of `moves`: of each colour the run state after the number (8 bits), the tiles, pinned and free
// jokers in runs (4), the numbered tiles in play (2) and those of them that lie in runs (2).
inline constexpr int kInRunsPlace = 32;
inline constexpr int kNumberedPlace = 48;
inline constexpr int kRealPlace = 56;

constexpr int runs_of(std::uint64_t moves, int colour) { return static_cast<int>(moves >> (8 * colour) & 0xFF); }

// What the groups and the rest of the search want to know: of each colour the numbered tiles in play that are not in
// runs (2 bits), how many of those have to lie in groups (2); then the jokers used, and those that the unfinished runs
// will need at the next two numbers.
inline constexpr int kMustPlace = 8;
inline constexpr int kJokersPlace = 16;
inline constexpr int kDeficitPlace = 24;

constexpr int jokers_used(std::uint32_t needs) { return static_cast<int>(needs >> kJokersPlace & 0xFF); }
constexpr int deficit_of(std::uint32_t needs) { return static_cast<int>(needs >> kDeficitPlace); }

struct OptionList {
    Value bound = 0;
    const Option* first = nullptr;
    std::uint32_t count = 0;
};

// Options that stay where they are while more are made.
class OptionPool {
public:
    void clear() { chunk_ = used_ = 0; }

    // Where the next options go; there is room for so many.
    Option* room(std::size_t count) {
        if (used_ + count > kChunk || chunks_.empty()) {
            if (!chunks_.empty()) ++chunk_;
            if (chunk_ == chunks_.size()) chunks_.push_back(std::make_unique_for_overwrite<Option[]>(kChunk));
            used_ = 0;
        }
        return chunks_[chunk_].get() + used_;
    }
    void take(std::size_t count) { used_ += count; }

private:
    static constexpr std::size_t kChunk = 4096;
    std::vector<std::unique_ptr<Option[]>> chunks_;
    std::size_t chunk_ = 0;
    std::size_t used_ = 0;
};

// Makes the lists that are asked for, once each. Informed lists know what the colour loses up to the last number, the
// others only what it loses at theirs; those cost less to make.
class Options {
public:
    explicit Options(const Position& position);
    Options(const Options&) = delete;
    Options& operator=(const Options&) = delete;

    void begin_position();
    void begin_pass(bool informed);

    // `runs` are the colour's open runs before the number, `jokers` all that are left. The list stays where it is until
    // another one is made.
    const OptionList& at(int colour, int number, int runs, int jokers) {
        const int place = kColours + (number * kColours + colour) * slots_a_cell_ + runs * joker_choices_ + jokers;
        // Chosen without a branch, which would often be guessed wrong.
        const int nothing = -static_cast<int>((runs == 0) & (bare_[colour] >> number & 1));
        Slot& slot = slots_[static_cast<std::size_t>((place & ~nothing) | (colour & nothing))];
        if (slot.stamp != stamp_) make(colour, number, runs, jokers, slot);
        return lists_[slot.list];
    }

    // How many long runs of a colour are worth keeping open before a number.
    int long_cap(int colour, int number, int jokers) const {
        return long_cap(tiles_[colour][number], present_[colour] >> (number + 1), jokers);
    }

private:
    // Slots lie as close as the position's run states and jokers allow, so that few cache lines are touched.
    struct Slot {
        std::uint16_t stamp = 0;
        std::uint16_t list = 0;
    };

    // Each tile can extend a long run. A free joker only bridges to a tile that the jokers reach (bit i of `beyond`:
    // there is one after i more numbers); at the end of a long run it is as good as spare.
    static int long_cap(int tiles, std::uint32_t beyond, int jokers) {
        return std::min(tiles + (beyond & ((1u << jokers) - 1) ? jokers : 0), kMaxOpen);
    }

    // What a colour has after a number.
    struct Later {
        int tiles;             // of the next number
        std::uint32_t beyond;  // see long_cap
        int next, after_next;  // how many runs can be lengthened there, or taken in by blocks

        // How many jokers the unfinished runs need there, at the least.
        int deficit(int one, int unfinished) const {
            return std::max(0, unfinished - next) + std::max(0, one - after_next);
        }
        int cap(int jokers) const { return long_cap(tiles, beyond, jokers); }
    };

    Later after(int colour, int number) const;
    void make(int colour, int number, int runs, int jokers, Slot& slot);
    OptionList make_general(int colour, int number, int runs, int jokers);
    template <bool kInformed>
    OptionList make_plain(int colour, int number, int runs, int jokers);
    OptionList keep(const Option* found, int count);

    const Position& position_;
    bool informed_ = false;
    bool started_ = false;
    int joker_choices_ = 1;
    int slots_a_cell_ = 1;
    // Bit n is for number n:
    std::uint32_t present_[kColours]{};  // there are tiles or pinned jokers
    std::uint32_t empty_[kColours]{};    // there is nothing
    std::uint32_t bare_[kColours]{};     // likewise, in a pass that is not informed
    std::uint32_t plain_[kColours]{};    // no pin, block or negative weight is about
    std::uint8_t tiles_[kColours][kMaxNumber + 3]{};   // tiles and pinned jokers
    std::uint8_t starts_[kColours][kMaxNumber + 3]{};  // blocks
    Option nothing_option_[kColours]{};
    OptionPool pool_;
    std::vector<OptionList> lists_;
    std::uint16_t stamp_ = 0;
    // First those of colours that have nothing at a number.
    Slot slots_[kColours + (kMaxNumber + 2) * kColours * kRunStates * (kMaxJokers + 1)];
};

}  // namespace tilerummy
