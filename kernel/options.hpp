// What one colour can do at one number, and the least that it loses from there on whatever the others do.
#pragma once

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

// How one number's tiles of one colour may be used, seen from that colour alone.
struct Option {
    Value cost;  // a lower bound for this colour from here to the last number
    Value loss;  // the part of it that falls at this number
    // Shifted to the colour's place, so that the four colours' options are put together by "or".
    std::uint64_t supply;
    std::uint32_t runs;
    std::uint16_t in_runs;  // tiles, pinned and free jokers together
    std::uint8_t numbered;  // numbered tiles in play, in runs or not
    std::uint8_t real;      // numbered tiles in runs
    std::uint8_t left;      // numbered tiles in play that are not
    // As they are.
    std::uint8_t must;  // how many of those have to lie in groups
    std::uint8_t jokers;
    std::uint8_t deficit;  // jokers that its unfinished runs will need at the next two numbers
};

struct OptionList {
    Value bound = 0;
    const Option* first = nullptr;
    std::uint32_t stamp = 0;
    std::uint32_t count = 0;
};

// Options that stay where they are while more are made.
class OptionPool {
public:
    void clear() { chunk_ = used_ = 0; }

    Option* take(std::size_t count) {
        if (used_ + count > kChunk || chunks_.empty()) {
            if (!chunks_.empty()) ++chunk_;
            if (chunk_ == chunks_.size()) chunks_.push_back(std::make_unique_for_overwrite<Option[]>(kChunk));
            used_ = 0;
        }
        Option* taken = chunks_[chunk_].get() + used_;
        used_ += count;
        return taken;
    }

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

    // `runs` are the colour's open runs before the number, `jokers` all that are left.
    const OptionList& at(int colour, int number, int runs, int jokers) {
        if (runs == 0 && !informed_ && bare_[colour] >> number & 1) return nothing_[colour];
        OptionList& list = lists_[colour][number][runs][jokers];
        if (list.stamp != stamp_) make(colour, number, runs, jokers, list);
        return list;
    }

    // How many long runs of a colour are worth keeping open before a number.
    int long_cap(int colour, int number, int jokers) const { return long_cap_[colour][number][jokers]; }

private:
    // How many runs the tiles of a number can lengthen, or its blocks take in; and those of the number after it.
    struct GoOn {
        std::uint8_t next = 0;
        std::uint8_t after_next = 0;
    };

    void find_long_caps();
    void find_go_on();
    int deficit(int colour, int number, OpenRuns runs) const;
    void make(int colour, int number, int runs, int jokers, OptionList& list);
    void make_plain(int colour, int number, int runs, int jokers, OptionList& list);
    void keep(const Option* found, int count, OptionList& list);

    const Position& position_;
    bool informed_ = false;
    bool started_ = false;
    std::uint16_t bare_[kColours]{};  // bit n: this colour has nothing at number n
    Option nothing_option_[kColours]{};
    OptionList nothing_[kColours]{};
    GoOn go_on_[kColours][kMaxNumber + 3]{};
    std::uint8_t long_cap_[kColours][kMaxNumber + 3][kMaxJokers + 1]{};
    OptionPool pool_;
    std::uint32_t stamp_ = 0;
    OptionList lists_[kColours][kMaxNumber + 2][kRunStates][kMaxJokers + 1];
};

}  // namespace tilerummy
