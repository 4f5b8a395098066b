#include "colours.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "position.hpp"

namespace tilerummy {
namespace {

// The part of a query that is about one colour, without jokers but those that stay where they are.
Query only(const Query& query, int colour) {
    Query part;
    const auto first = static_cast<std::ptrdiff_t>(kind_of(colour, 1));
    const auto copy = [first](const auto& from, auto& to) {
        std::copy_n(from.begin() + first, kMaxNumber, to.begin() + first);
    };
    copy(query.table, part.table);
    copy(query.rack, part.rack);
    copy(query.must_lay, part.must_lay);
    copy(query.run_pins, part.run_pins);
    std::copy_if(query.run_blocks.begin(), query.run_blocks.end(), std::back_inserter(part.run_blocks),
                 [colour](const RunBlock& block) { return block.colour == colour; });
    part.groups_allowed = false;
    part.objective = query.objective;
    part.weights = query.weights;
    part.joker_points = query.joker_points;
    part.node_limit = query.node_limit;
    return part;
}

bool has_tiles(const Query& query, int colour) {
    const auto any = [colour](const auto& counts) {
        const auto first = counts.begin() + kind_of(colour, 1);
        return std::any_of(first, first + kMaxNumber, [](int count) { return count > 0; });
    };
    return any(query.table) || any(query.rack) || any(query.run_pins) ||
           std::any_of(query.run_blocks.begin(), query.run_blocks.end(),
                       [colour](const RunBlock& block) { return block.colour == colour; });
}

// Of some colours with a number of jokers in them, the best; `value` is what the rack tiles are worth.
struct Part {
    Solution solution;
    Value value = 0;
};

Value value_of_laid(const Query& query, const Counts& laid) {
    Value sum = 0;
    for (int kind = 0; kind < kNumberedKinds; ++kind) {
        const int count = laid[static_cast<std::size_t>(kind)];
        if (count > 0) sum += count * value_of(query, kind);
    }
    return sum;
}

Part joined(const Part& one, const Part& other) {
    Part both = one;
    both.value += other.value;
    Solution& sum = both.solution;
    for (std::size_t kind = 0; kind < kKinds; ++kind)
        sum.laid[kind] = static_cast<std::uint8_t>(sum.laid[kind] + other.solution.laid[kind]);
    sum.melds.insert(sum.melds.end(), other.solution.melds.begin(), other.solution.melds.end());
    sum.tiles += other.solution.tiles;
    sum.points += other.solution.points;
    sum.weight += other.solution.weight;
    return both;
}

}  // namespace

bool is_divisible(const Query& query) {
    if (query.groups_allowed || !query.group_blocks.empty()) return false;
    if (std::any_of(query.group_pins.begin(), query.group_pins.end(), [](int pins) { return pins > 0; })) return false;
    int colours = 0;
    for (int colour = 0; colour < kColours; ++colour) colours += has_tiles(query, colour);
    return colours > 1;
}

void solve_by_colour(const TileSet& tiles, const Query& query, Workspace& workspace, Solution& solution) {
    const auto on_table = static_cast<std::size_t>(query.table[kJoker]);
    const std::size_t most = on_table + query.rack[kJoker];
    std::vector<Part> best(most + 1), mine(most + 1), next;
    best[0].solution.feasible = true;
    bool proven = true;
    std::uint64_t nodes = solution.nodes;
    for (int colour = 0; colour < kColours; ++colour) {
        if (!has_tiles(query, colour)) continue;
        Query part = only(query, colour);
        for (std::size_t jokers = 0; jokers <= most; ++jokers) {
            part.table[kJoker] = static_cast<std::uint8_t>(jokers);
            solve(tiles, part, workspace, mine[jokers].solution);
            mine[jokers].value = value_of_laid(query, mine[jokers].solution.laid);
            proven &= mine[jokers].solution.proven;
            nodes += mine[jokers].solution.nodes;
        }
        next.assign(most + 1, {});
        for (std::size_t before = 0; before <= most; ++before)
            for (std::size_t jokers = 0; before + jokers <= most; ++jokers) {
                if (!best[before].solution.feasible || !mine[jokers].solution.feasible) continue;
                Part& known = next[before + jokers];
                if (!known.solution.feasible || best[before].value + mine[jokers].value > known.value)
                    known = joined(best[before], mine[jokers]);
            }
        std::swap(best, next);
    }
    const Value of_joker = value_of(query, kJoker);
    const Part* chosen = nullptr;
    for (std::size_t jokers = on_table + query.must_lay[kJoker]; jokers <= most; ++jokers) {
        Part& found = best[jokers];
        if (!found.solution.feasible) continue;
        const int laid = static_cast<int>(jokers - on_table);
        found.value += laid * of_joker;
        found.solution.laid[kJoker] = static_cast<std::uint8_t>(laid);
        found.solution.jokers = laid;
        found.solution.tiles += laid;
        found.solution.points += laid * query.joker_points;
        found.solution.weight += std::int64_t{laid} * query.weights[kJoker];
        if (chosen == nullptr || found.value > chosen->value) chosen = &found;
    }
    solution = chosen != nullptr ? chosen->solution : Solution{};
    solution.proven = proven;
    solution.nodes = nodes;
}

}  // namespace tilerummy
