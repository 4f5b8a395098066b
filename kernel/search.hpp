// The search over numbers: which tiles go into runs and which into groups, with spare jokers left aside.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "position.hpp"
#include "run_states.hpp"

namespace tilerummy {

// How one number's tiles of one colour may be used, seen from that colour alone.
struct Option {
    Value cost;  // a lower bound for this colour from here to the last number
    Value loss;  // the part of it that falls at this number
    // Shifted to the colour's place, so that the four colours' options are put together by "or".
    std::uint64_t supply;
    std::uint32_t runs;
    std::uint16_t in_runs;   // tiles, pinned and free jokers together
    std::uint8_t numbered;   // numbered tiles in play, in runs or not
    std::uint8_t real;       // numbered tiles in runs
    std::uint8_t left;       // numbered tiles in play that are not
    // As they are.
    std::uint8_t must;     // how many of those have to lie in groups
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

// What was decided at one number.
struct Decision {
    std::uint8_t in_runs[kColours]{};
    std::uint8_t numbered[kColours]{};
    std::uint8_t real[kColours]{};
    std::uint16_t group_choice = 0;  // the count of groups in a plain row, else a place in for_each_group_choice
};

struct State {
    Value loss;
    Value bound;  // loss and the least that is still to come
    // Four bits each, the more the better: per colour runs of 3 or more, and of 2; jokers left. Above them, three bits a
    // colour, the unfinished runs: equal in states that are compared.
    std::uint64_t supply;
    std::uint32_t runs;  // a run state per colour, a byte each
    std::uint32_t parent;
    std::uint32_t chain;
    std::uint16_t in_runs;  // four bits a colour
    std::uint16_t group_choice;
    std::uint8_t numbered;  // two bits a colour
    std::uint8_t real;      // likewise
    std::uint8_t jokers;
};

struct SearchMemory {
    struct Bucket {
        std::uint32_t stamp = 0;
        std::uint32_t head = 0;
    };

    Position position;
    OptionList lists[kColours][kMaxNumber + 2][kRunStates][kMaxJokers + 1];
    std::uint32_t lists_stamp = 0;
    OptionPool options;
    struct GoOn {
        std::uint8_t next = 0;        // how many runs the tiles of this number can lengthen, or its blocks take in
        std::uint8_t after_next = 0;  // likewise at the number after it
    };
    GoOn go_on[kColours][kMaxNumber + 3]{};
    std::uint8_t long_cap[kColours][kMaxNumber + 3][kMaxJokers + 1]{};

    std::vector<State> states;
    std::vector<Bucket> buckets;
    std::uint32_t buckets_stamp = 0;

    Decision decisions[kMaxNumber + 1]{};  // of the best result so far
};

struct SearchResult {
    bool found = false;
    bool proven = false;
    Value loss = 0;
    std::uint64_t nodes = 0;
};

// Searches memory.position for a result that loses less than `ceiling`; the least if `first_only` is not set.
SearchResult search(SearchMemory& memory, Value ceiling, bool first_only, std::uint64_t node_limit);

}  // namespace tilerummy
