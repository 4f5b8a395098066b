#include "options.hpp"

#include <algorithm>

namespace tilerummy {
namespace {

// Puts an option in its place by cost, after equal ones.
void insert(Option* found, int& count, int colour, Value loss, Value rest, int next, int in_runs, int numbered,
                   int real, int left, int must, int jokers, int deficit) {
    const Value cost = loss + rest;
    Option* place = found + count++;
    for (; place > found && place[-1].cost > cost; --place) *place = place[-1];
    place->cost = cost;
    place->loss = loss;
    place->supply = kSupply.supply[colour][next];
    place->runs = static_cast<std::uint32_t>(next) << (8 * colour);
    place->in_runs = static_cast<std::uint16_t>(in_runs << (4 * colour));
    place->numbered = static_cast<std::uint8_t>(numbered << (2 * colour));
    place->real = static_cast<std::uint8_t>(real << (2 * colour));
    place->left = static_cast<std::uint8_t>(left << (2 * colour));
    place->must = static_cast<std::uint8_t>(must);
    place->jokers = static_cast<std::uint8_t>(jokers);
    place->deficit = static_cast<std::uint8_t>(deficit);
}

}  // namespace

Options::Options(const Position& position) : position_(position) {
    for (int colour = 0; colour < kColours; ++colour) {
        nothing_option_[colour].supply = kSupply.supply[colour][0];
        nothing_[colour].first = &nothing_option_[colour];
        nothing_[colour].count = 1;
    }
}

void Options::begin_position() {
    started_ = false;
    find_long_caps();
    find_go_on();
}

void Options::begin_pass(bool informed) {
    if (started_ && informed == informed_) return;
    started_ = true;
    informed_ = informed;
    pool_.clear();
    if (++stamp_ != 0) return;
    for (auto& colour : lists_)
        for (auto& number : colour)
            for (auto& state : number)
                for (auto& list : state) list.stamp = 0;
    stamp_ = 1;
}

// A long run is worth keeping open for each tile that can extend one. A free joker only bridges to a tile that the
// jokers reach; at the end of a long run it is as good as spare.
void Options::find_long_caps() {
    for (int colour = 0; colour < kColours; ++colour) {
        const auto& cells = position_.cells[colour];
        for (int number = 1; number <= position_.numbers + 1; ++number)
            for (int jokers = 0; jokers <= position_.jokers(); ++jokers) {
                int cap = 0;
                if (number <= position_.numbers) {
                    cap = cells[number].all + cells[number].pins;
                    for (int next = number + 1; next <= std::min(number + jokers, position_.numbers); ++next)
                        if (cells[next].all + cells[next].pins > 0) {
                            cap += jokers;
                            break;
                        }
                }
                long_cap_[colour][number][jokers] = static_cast<std::uint8_t>(std::min(cap, kMaxOpen));
            }
    }
}

// How many jokers the unfinished runs of a colour need before a number, at the least.
int Options::deficit(int colour, int number, OpenRuns runs) const {
    const GoOn go_on = go_on_[colour][number];
    return std::max(0, runs.unfinished() - go_on.next) + std::max(0, runs.one - go_on.after_next);
}

void Options::find_go_on() {
    for (int colour = 0; colour < kColours; ++colour) {
        const auto& cells = position_.cells[colour];
        bare_[colour] = 0;
        for (int number = 1; number <= position_.numbers; ++number)
            if (cells[number].all + cells[number].pins + cells[number].block_ends == 0 &&
                (position_.jokers() == 0 || number != position_.numbers - 2))
                bare_[colour] = static_cast<std::uint16_t>(bare_[colour] | 1 << number);
        for (int number = 1; number <= position_.numbers + 1; ++number) {
            const int next = cells[number].all + cells[number].pins + cells[number].block_starts;
            const int after_next = number > position_.numbers ? 0
                                                              : cells[number + 1].all + cells[number + 1].pins +
                                                                    cells[number].block_starts +
                                                                    cells[number + 1].block_starts;
            go_on_[colour][number] = {static_cast<std::uint8_t>(next), static_cast<std::uint8_t>(after_next)};
        }
    }
}

void Options::make(int colour, int number, int runs, int jokers, OptionList& list) {
    list.stamp = stamp_;
    list.count = 0;
    const OpenRuns open = kRunTable.runs[static_cast<std::size_t>(runs)];
    if (number > position_.numbers) {
        list.bound = open.unfinished() == 0 ? 0 : kImpossible;
        return;
    }
    const Cell& cell = position_.cells[colour][number];
    const NumberRow& row = position_.rows[number];
    if (cell.weight >= 0 && row.pins + cell.pins + cell.block_starts + cell.block_ends == 0)
        return make_plain(colour, number, runs, jokers, list);
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
                const int left = numbered - real;
                const int must = std::max(0, (costly ? numbered : cell.table) - real);
                if (must > room) continue;
                const int many = std::min(step.after.many + cell.block_ends,
                                          int{long_cap_[colour][number + 1][jokers - used_jokers]});
                const std::uint8_t next = kRunTable.index[step.after.one][step.after.two][many];
                const int short_of = deficit(colour, number + 1, kRunTable.runs[next]);
                if (short_of > jokers - used_jokers) continue;
                const Value rest = informed_ ? at(colour, number + 1, next, jokers - used_jokers).bound : 0;
                if (rest >= kImpossible) continue;
                const Value loss =
                    costly ? -cell.weight * (numbered - cell.table) : cell.weight * std::max(0, left - room);
                insert(found, count, colour, loss, rest, next, in_runs, numbered, real, left, must, used_jokers,
                       short_of);
            }
        }
    }
    keep(found, count, list);
}

// The same where no pin, block or negative weight is about.
void Options::make_plain(int colour, int number, int runs, int jokers, OptionList& list) {
    const Cell& cell = position_.cells[colour][number];
    const NumberRow& row = position_.rows[number];
    const OpenRuns open = kRunTable.runs[static_cast<std::size_t>(runs)];
    const GoOn go_on = go_on_[colour][number + 1];
    const int all = cell.all;
    const int room = row.most_groups + row.open_count;
    const int old_runs = open.unfinished() + open.many;
    int highest = all + jokers;
    if (number < position_.numbers - 2) highest = std::min(highest, old_runs + all);
    if (number > position_.numbers - 2) highest = std::min(highest, old_runs);

    Option found[kMaxOpen + 1];
    int count = 0;
    const int lowest = std::max(open.unfinished(), cell.table - room);
    for (int in_runs = highest; in_runs >= lowest; --in_runs) {
        const int real = std::min(in_runs, all);
        const int used_jokers = in_runs - real;
        const int started = std::max(0, in_runs - old_runs);
        const int short_of = std::max(0, started + open.one - go_on.next) + std::max(0, started - go_on.after_next);
        if (short_of > jokers - used_jokers) continue;
        const std::uint8_t next = kRunTable.capped[kRunSteps.next[runs][in_runs]]
                                                  [long_cap_[colour][number + 1][jokers - used_jokers]];
        const Value rest = informed_ ? at(colour, number + 1, next, jokers - used_jokers).bound : 0;
        if (rest >= kImpossible) continue;
        const int left = all - real;
        const Value loss = left > room ? cell.weight * (left - room) : 0;
        insert(found, count, colour, loss, rest, next, in_runs, all, real, left, std::max(0, cell.table - real),
               used_jokers, short_of);
    }
    keep(found, count, list);
}

void Options::keep(const Option* found, int count, OptionList& list) {
    Option* kept = pool_.take(static_cast<std::size_t>(count));
    std::copy(found, found + count, kept);
    list.first = kept;
    list.count = static_cast<std::uint32_t>(count);
    list.bound = count ? kept[0].cost : kImpossible;
}

}  // namespace tilerummy
