#include "options.hpp"

#include <algorithm>

namespace tilerummy {
namespace {

struct Use {
    int in_runs;   // tiles, pinned and free jokers
    int numbered;  // tiles in play
    int real;      // those of them in runs
    int must;      // those of the others that have to lie in groups
    int jokers;
    int deficit;
};

inline void describe(Option& option, int colour, Value loss, int next, const Use& use) {
    const auto wide = [](int field) { return static_cast<std::uint64_t>(field); };
    option.cost = option.loss = loss;
    option.supply = kSupply.supply[colour][next];
    option.moves = wide(next) << (8 * colour) | wide(use.in_runs) << (kInRunsPlace + 4 * colour) |
                   (wide(use.numbered) << kNumberedPlace | wide(use.real) << kRealPlace) << (2 * colour);
    const std::uint64_t outside_runs = wide(use.numbered - use.real) | wide(use.must) << kMustPlace;
    option.needs = static_cast<std::uint32_t>(outside_runs << (2 * colour) | wide(use.jokers) << kJokersPlace |
                                              wide(use.deficit) << kDeficitPlace);
}

// Puts the last option in its place by cost, after equal ones.
void sort_in(Option* found, int last) {
    const Option option = found[last];
    int place = last;
    for (; place > 0 && found[place - 1].cost > option.cost; --place) found[place] = found[place - 1];
    found[place] = option;
}

}  // namespace

Options::Options(const Position& position) : position_(position) {
    for (int colour = 0; colour < kColours; ++colour) nothing_option_[colour].supply = kSupply.supply[colour][0];
}

void Options::begin_position() {
    started_ = false;
    const int jokers = position_.jokers();
    int most_open = 0;
    for (int colour = 0; colour < kColours; ++colour) {
        std::uint32_t present = 0, block_ends = 0, plain = 0;
        for (int number = 1; number <= kMaxNumber; ++number) {
            const Cell& cell = position_.cells[colour][number];
            const int tiles = cell.all + cell.pins;
            const int special = position_.rows[number].pins | cell.pins | cell.block_starts | cell.block_ends;
            tiles_[colour][number] = static_cast<std::uint8_t>(tiles);
            starts_[colour][number] = cell.block_starts;
            present |= static_cast<std::uint32_t>(tiles > 0) << number;
            block_ends |= static_cast<std::uint32_t>(cell.block_ends > 0) << number;
            plain |= static_cast<std::uint32_t>((special == 0) & (cell.weight >= 0)) << number;
            most_open = std::max(most_open, tiles + cell.block_ends);
        }
        present_[colour] = present;
        plain_[colour] = plain;
        // Two numbers before the last a run may start with a joker.
        empty_[colour] = ~(present | block_ends | (jokers > 0 ? 1u << (position_.numbers - 2) : 0u));
    }
    joker_choices_ = jokers + 1;
    slots_a_cell_ = run_states(std::min(most_open + jokers, kMaxOpen)) * joker_choices_;
}

void Options::begin_pass(bool informed) {
    if (started_ && informed == informed_) return;
    started_ = true;
    informed_ = informed;
    pool_.clear();
    if (++stamp_ == 0) {
        std::fill(std::begin(slots_), std::end(slots_), Slot{});
        stamp_ = 1;
    }
    lists_.clear();
    for (int colour = 0; colour < kColours; ++colour) {
        bare_[colour] = informed ? 0 : empty_[colour];
        slots_[colour] = {stamp_, static_cast<std::uint16_t>(colour)};
        lists_.push_back({0, &nothing_option_[colour], 1});
    }
}

Options::Later Options::after(int colour, int number) const {
    const std::uint8_t* const tiles = tiles_[colour] + number;
    const std::uint8_t* const starts = starts_[colour] + number;
    return {tiles[1], present_[colour] >> (number + 2), tiles[1] + starts[1], starts[1] + tiles[2] + starts[2]};
}

void Options::make(int colour, int number, int runs, int jokers, Slot& slot) {
    OptionList list;
    if (number > position_.numbers)
        list.bound = kRunTable.runs[static_cast<std::size_t>(runs)].unfinished() > 0 ? kImpossible : 0;
    else if (!(plain_[colour] >> number & 1))
        list = make_general(colour, number, runs, jokers);
    else
        list = informed_ ? make_plain<true>(colour, number, runs, jokers)
                         : make_plain<false>(colour, number, runs, jokers);
    slot = {stamp_, static_cast<std::uint16_t>(lists_.size())};
    lists_.push_back(list);
}

OptionList Options::make_general(int colour, int number, int runs, int jokers) {
    const OpenRuns open = kRunTable.runs[static_cast<std::size_t>(runs)];
    const Cell& cell = position_.cells[colour][number];
    const NumberRow& row = position_.rows[number];
    const Later later = after(colour, number);
    const int room = row.most_groups + row.open_count;
    const int lowest = std::max<int>(cell.pins, open.unfinished() - cell.block_starts);
    // A tile with a negative weight is either laid for sure or not in play; others may be left behind.
    const bool costly = cell.weight < 0;
    Option found[(kMaxOpen + 1) * (kMaxCopies + 1) * (kMaxCopies + 1)];
    int count = 0;
    for (int numbered = costly ? cell.table : cell.all; numbered <= cell.all; ++numbered) {
        for (int in_runs = lowest; in_runs <= cell.pins + numbered + jokers; ++in_runs) {
            const RunStep step = step_runs(open, in_runs, cell.block_starts);
            const int most_real = std::min(in_runs - cell.pins, numbered);
            if (step.started > 0 && number > position_.numbers - 2) break;
            // A joker in front can move to the end of its run unless that is the last number.
            if (step.started > most_real + cell.pins && number < position_.numbers - 2) break;
            // A joker changes places with a tile in a group, which may leave jokers only: then they are spare, unless
            // one of them is pinned there.
            const int least_real = row.pins > 0 ? std::max(0, in_runs - cell.pins - jokers) : most_real;
            for (int real = most_real; real >= least_real; --real) {
                const int used_jokers = in_runs - cell.pins - real;
                const int must = std::max(0, (costly ? numbered : cell.table) - real);
                if (must > room) continue;
                const int many = std::min(step.after.many + cell.block_ends, later.cap(jokers - used_jokers));
                const std::uint8_t next = kRunTable.index[step.after.one][step.after.two][many];
                const int deficit = later.deficit(step.after.one, step.after.unfinished());
                if (deficit > jokers - used_jokers) continue;
                const Value rest = informed_ ? at(colour, number + 1, next, jokers - used_jokers).bound : 0;
                if (rest >= kImpossible) continue;
                const Value loss = costly ? -cell.weight * (numbered - cell.table)
                                          : cell.weight * std::max(0, numbered - real - room);
                describe(found[count], colour, loss, next, {in_runs, numbered, real, must, used_jokers, deficit});
                found[count].cost += rest;
                sort_in(found, count++);
            }
        }
    }
    return keep(found, count);
}

// The same where no pin, block or negative weight is about.
template <bool kInformed>
OptionList Options::make_plain(int colour, int number, int runs, int jokers) {
    const Cell& cell = position_.cells[colour][number];
    const OpenRuns open = kRunTable.runs[static_cast<std::size_t>(runs)];
    const Later later = after(colour, number);
    const int all = cell.all;
    const int table = cell.table;
    const Value weight = cell.weight;
    const int room = position_.rows[number].most_groups + position_.rows[number].open_count;
    const int old_runs = open.unfinished() + open.many;
    const int last_start = position_.numbers - 2;
    const int may_start = (number <= last_start ? all : 0) + (number == last_start ? jokers : 0);
    const int highest = std::min(all + jokers, old_runs + may_start);
    const int lowest = std::max(open.unfinished(), table - room);

    // Informed, the lists of later numbers come in between.
    Option aside[kInformed ? kMaxOpen + 1 : 1];
    Option* const found = kInformed ? aside : pool_.room(kMaxOpen + 1);
    int count = 0;
    for (int in_runs = highest; in_runs >= lowest; --in_runs) {
        const int real = std::min(in_runs, all);
        const int used_jokers = in_runs - real;
        const int spare = jokers - used_jokers;
        const int started = std::max(0, in_runs - old_runs);
        const int deficit = later.deficit(started, started + open.one);
        const std::uint8_t next = kRunTable.capped[kRunSteps.next[runs][in_runs]][later.cap(spare)];
        describe(found[count], colour, weight * std::max(0, all - real - room), next,
                 {in_runs, all, real, std::max(0, table - real), used_jokers, deficit});
        if constexpr (!kInformed) {
            count += deficit <= spare;  // they come by cost
        } else if (deficit <= spare) {
            const Value rest = at(colour, number + 1, next, spare).bound;
            if (rest >= kImpossible) continue;
            found[count].cost += rest;
            sort_in(found, count++);
        }
    }
    if constexpr (kInformed) return keep(found, count);
    pool_.take(static_cast<std::size_t>(count));
    return {count ? found[0].cost : kImpossible, found, static_cast<std::uint32_t>(count)};
}

OptionList Options::keep(const Option* found, int count) {
    Option* kept = pool_.room(static_cast<std::size_t>(count));
    pool_.take(static_cast<std::size_t>(count));
    std::copy(found, found + count, kept);
    return {count ? kept[0].cost : kImpossible, kept, static_cast<std::uint32_t>(count)};
}

}  // namespace tilerummy
