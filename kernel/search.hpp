// The search over numbers: which tiles go into runs and which into groups, with spare jokers left aside.
#pragma once

#include <cstdint>
#include <vector>

#include "melds.hpp"
#include "options.hpp"
#include "position.hpp"

namespace tilerummy {

// What was decided at one number.
struct Decision {
    std::uint8_t in_runs[kColours]{};
    std::uint8_t numbered[kColours]{};
    std::uint8_t real[kColours]{};
    std::uint16_t group_choice = 0;  // the count of groups in a plain row, else a place in for_each_group_choice
};

struct State {
    Value loss;
    Value bound;           // loss and the least that is still to come
    std::uint64_t supply;  // open runs and jokers left, see SupplyTable
    std::uint64_t moves;   // what the colours did, see Option
    std::uint32_t parent;
    std::uint32_t chain;
    std::uint16_t group_choice;
    std::uint8_t jokers;

    // A run state per colour, a byte each.
    std::uint32_t runs() const { return static_cast<std::uint32_t>(moves); }
};

struct SearchMemory {
    struct Bucket {
        std::uint32_t stamp = 0;
        std::uint32_t head = 0;
    };

    Position position;
    Options options{position};
    std::vector<State> states;
    std::vector<Bucket> buckets;
    std::uint32_t buckets_stamp = 0;

    std::vector<OpenMeld> melds;
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
