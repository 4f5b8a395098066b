#include "solver.hpp"

#include <algorithm>

#include "colours.hpp"
#include "groups.hpp"
#include "melds.hpp"
#include "plain.hpp"
#include "search.hpp"

namespace tilerummy {
namespace {

// The groups that the search chose at a number, worked out again.
GroupChoice chosen_groups(const Position& position, int number, const Decision& decision) {
    GroupTiles tiles;
    for (int colour = 0; colour < kColours; ++colour) {
        const Cell& cell = position.cells[colour][number];
        const int real = decision.real[colour];
        const int needed = cell.weight < 0 ? decision.numbered[colour] : cell.table;
        tiles.left[colour] = static_cast<std::uint8_t>(decision.numbered[colour] - real);
        tiles.must[colour] = static_cast<std::uint8_t>(std::max(0, needed - real));
    }
    GroupChoice chosen;
    if (position.rows[number].plain()) {
        detail::fill_groups(position, number, tiles, decision.group_choice, chosen);
        return chosen;
    }
    std::uint16_t place = 0;
    for_each_group_choice(position, number, tiles, [&](const GroupChoice& choice) {
        if (place++ == decision.group_choice) chosen = choice;
    });
    return chosen;
}

void build(const SearchMemory& memory, bool group_blocks, Builder& builder) {
    for (int colour = 0; colour < kColours; ++colour) {
        builder.begin_colour();
        for (int number = 1; number <= memory.position.numbers; ++number) {
            const Decision& decision = memory.decisions[number];
            if (decision.in_runs[colour] > 0 || memory.position.cells[colour][number].block_starts > 0)
                builder.add_runs(number, colour, decision.in_runs[colour], decision.real[colour]);
        }
    }
    for (int number = 1; number <= memory.position.numbers; ++number) {
        const Decision& decision = memory.decisions[number];
        if (decision.group_choice == 0 && memory.position.rows[number].plain() && !group_blocks) continue;
        builder.add_groups(number, chosen_groups(memory.position, number, decision));
    }
}

// Lays the spare jokers of the search's result. False: there is no room for them, so another result may be better.
bool settle(const Position& position, Builder& builder) {
    if (!builder.free_pins()) return false;
    const bool empty = std::all_of(builder.melds().begin(), builder.melds().end(),
                                   [](const OpenMeld& meld) { return meld.size == 0; });
    // Nothing can be laid and jokers alone make no meld.
    if (empty && position.table_jokers == 0 && !position.has_negative_weight) return true;
    const int laid = builder.jokers_laid();
    const int wanted = position.joker_weight >= 0 ? position.jokers() : std::max(laid, position.table_jokers);
    return builder.park(wanted - laid);
}

}  // namespace

Workspace::Workspace() : memory_(std::make_unique<SearchMemory>()) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

void solve(const TileSet& tiles, const Query& query, Workspace& workspace, Solution& solution) {
    SearchMemory& memory = workspace.memory();
    read_position(tiles, query, memory.position);
    solution.laid = {};
    solution.melds.clear();
    solution.tiles = solution.points = solution.jokers = 0;
    solution.weight = 0;
    const SearchResult result = search(memory, kImpossible, false, query.node_limit);
    solution.nodes = result.nodes;
    solution.proven = result.proven;
    solution.feasible = result.found;
    if (!result.found) return;
    Builder builder(memory.position, query, memory.melds);
    build(memory, !query.group_blocks.empty(), builder);
    if (settle(memory.position, builder))
        builder.write(solution);
    else if (is_divisible(query))
        solve_by_colour(tiles, query, workspace, solution);
    else
        plain_solve(memory.position, query, query.node_limit, solution);
}

bool exists(const TileSet& tiles, const Query& query, Workspace& workspace) {
    SearchMemory& memory = workspace.memory();
    Position& position = memory.position;
    read_position(tiles, query, position);
    bool must_lay = false;
    for (const int count : query.must_lay) must_lay |= count > 0;
    Value on_rack = 0;
    for (auto& colour : position.cells)
        for (Cell& cell : colour) {
            cell.weight = 1;
            on_rack += cell.all - cell.table;
        }
    position.joker_weight = 1;
    position.has_negative_weight = false;

    // A numbered tile first; only if none can be laid, a joker alone.
    int jokers = position.table_jokers;
    SearchResult result = search(memory, must_lay ? kImpossible : on_rack, true, 0);
    if (!result.found) {
        if (must_lay || position.rack_jokers == 0) return false;
        result = search(memory, kImpossible, true, 0);
        if (!result.found) return false;
        ++jokers;
    }
    Builder builder(position, query, memory.melds);
    build(memory, !query.group_blocks.empty(), builder);
    if (builder.free_pins() && builder.park(jokers - builder.jokers_laid())) return true;
    Solution solution;
    if (is_divisible(query)) {
        Query most = query;
        most.objective = Objective::tiles;
        solve_by_colour(tiles, most, workspace, solution);
    } else {
        plain_solve(position, query, 0, solution);
    }
    return solution.feasible && solution.tiles > 0;
}

}  // namespace tilerummy
