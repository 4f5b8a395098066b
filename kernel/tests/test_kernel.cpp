// test_kernel [positions] [seed] [plain]: compares the kernel with brute force on small random positions; with `plain`
// the plain search too. test_kernel [positions] [seed] large: compares the two searches on positions of a real game's
// size. test_kernel [rounds] [seed] rounds: replays rounds that the kernel played out.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>

#include "../plain.hpp"
#include "../position.hpp"
#include "brute.hpp"
#include "positions.hpp"
#include "rounds.hpp"

using namespace tilerummy;
using positions::Random;
using positions::Supply;

namespace {

struct Case {
    TileSet tiles;
    Query query;
};

// Few numbers and colours close together, so that tiles collide; pins and blocks out of the table's own melds.
Case random_case(std::uint64_t seed) {
    Random random(seed);
    Case made;
    made.tiles = {3 + random.below(5), 1 + random.below(3), random.below(5)};
    Query& query = made.query;
    query.groups_allowed = !random.chance(20);
    Supply supply(made.tiles);
    const int used_colours = random.chance(50) ? kColours : 2 + random.below(2);
    const int high = random.chance(50) ? kMaxNumber : 2 + random.below(4);  // the rack keeps to low numbers, or not
    for (int kind = 0; kind < kNumberedKinds; ++kind)
        if (colour_of(kind) >= used_colours) supply.left[static_cast<std::size_t>(kind)] = 0;
    const bool special = random.chance(60);
    const int joker_chance = random.chance(50) ? 25 : 5;
    int total = 0;
    const int most_on_table = random.below(11);
    for (int tries = 0; tries < 30 && total < most_on_table; ++tries) {
        Meld meld;
        if (!positions::random_meld(random, made.tiles, query.groups_allowed, joker_chance, 5, supply, meld)) continue;
        total += meld.size;
        if (special && random.chance(35)) {
            int jokers = 0;
            if (meld.run) {
                const int first = number_of(meld.places[0].kind);
                for (int i = 0; i < meld.size; ++i) jokers |= int{meld.places[static_cast<std::size_t>(i)].joker} << i;
                query.run_blocks.push_back({static_cast<std::uint8_t>(colour_of(meld.places[0].kind)),
                                            static_cast<std::uint8_t>(first),
                                            static_cast<std::uint8_t>(first + meld.size - 1),
                                            static_cast<std::uint16_t>(jokers)});
            } else {
                GroupBlock block;
                block.number = static_cast<std::uint8_t>(number_of(meld.places[0].kind));
                for (std::size_t i = 0; i < meld.size; ++i)
                    if (meld.places[i].joker)
                        ++block.jokers;
                    else
                        block.colours = static_cast<std::uint8_t>(block.colours | 1 << colour_of(meld.places[i].kind));
                query.group_blocks.push_back(block);
            }
            continue;
        }
        for (std::size_t i = 0; i < meld.size; ++i) {
            const std::size_t kind = meld.places[i].kind;
            if (!meld.places[i].joker)
                ++query.table[kind];
            else if (!special || random.chance(40))
                ++query.table[kJoker];
            else if (meld.run)
                ++query.run_pins[kind];
            else
                ++query.group_pins[static_cast<std::size_t>(number_of(static_cast<int>(kind)))];
        }
    }
    const int most_on_rack = random.chance(50) ? std::max(3, 13 - total) : random.below(1 + std::max(3, 13 - total));
    for (int kind = 0; kind < kNumberedKinds; ++kind)
        if (number_of(kind) > high) supply.left[static_cast<std::size_t>(kind)] = 0;
    for (int i = 0; i < most_on_rack; ++i) {
        const int kind = positions::random_tile(random, supply);
        if (kind < 0) break;
        const auto k = static_cast<std::size_t>(kind);
        ++query.rack[k];
        if (random.chance(4)) ++query.must_lay[k];
        if (random.chance(3)) {  // perhaps a table that cannot stand
            --query.rack[k];
            query.must_lay[k] = std::min(query.must_lay[k], query.rack[k]);
            ++query.table[k];
        }
    }
    query.objective = static_cast<Objective>(random.below(3));
    query.joker_points = random.chance(50) ? 0 : random.below(31);
    const int lowest = random.chance(50) ? 0 : -5;
    for (auto& weight : query.weights) weight = lowest + random.below(10);
    return made;
}

Value total_value(const Query& query, const Counts& laid) {
    Value value = 0;
    for (int kind = 0; kind < kKinds; ++kind) value += laid[static_cast<std::size_t>(kind)] * value_of(query, kind);
    return value;
}

// Whether the melds hold every pinned joker and every block, each in a place of its own.
bool holds(const Query& query, const std::vector<Meld>& melds, std::set<std::pair<std::size_t, int>>& taken,
           std::size_t run_block, std::size_t group_block, std::vector<int> run_pins, std::vector<int> group_pins) {
    if (run_block < query.run_blocks.size()) {
        const RunBlock& block = query.run_blocks[run_block];
        for (std::size_t m = 0; m < melds.size(); ++m) {
            if (!melds[m].run) continue;
            const int offset = kind_of(block.colour, block.first) - melds[m].places[0].kind;
            const int length = block.last - block.first + 1;
            if (colour_of(melds[m].places[0].kind) != block.colour) continue;
            if (offset < 0 || offset + length > melds[m].size) continue;
            bool fits = true;
            for (int i = 0; i < length; ++i)
                fits &= melds[m].places[static_cast<std::size_t>(offset + i)].joker == (block.jokers >> i & 1) &&
                        !taken.contains({m, offset + i});
            if (!fits) continue;
            for (int i = 0; i < length; ++i) taken.insert({m, offset + i});
            if (holds(query, melds, taken, run_block + 1, group_block, run_pins, group_pins)) return true;
            for (int i = 0; i < length; ++i) taken.erase({m, offset + i});
        }
        return false;
    }
    if (group_block < query.group_blocks.size()) {
        const GroupBlock& block = query.group_blocks[group_block];
        for (std::size_t m = 0; m < melds.size(); ++m) {
            if (melds[m].run || number_of(melds[m].places[0].kind) != block.number) continue;
            std::vector<int> mine;
            int tiles = 0;
            int jokers = 0;
            bool free = true;
            for (int i = 0; i < melds[m].size; ++i) {
                const Place place = melds[m].places[static_cast<std::size_t>(i)];
                free &= !taken.contains({m, i});
                if (place.joker && jokers < block.jokers) {
                    ++jokers;
                    mine.push_back(i);
                } else if (!place.joker && (block.colours >> colour_of(place.kind) & 1)) {
                    ++tiles;
                    mine.push_back(i);
                }
            }
            if (!free || tiles != __builtin_popcount(block.colours) || jokers != block.jokers) continue;
            for (const int i : mine) taken.insert({m, i});
            if (holds(query, melds, taken, run_block, group_block + 1, run_pins, group_pins)) return true;
            for (const int i : mine) taken.erase({m, i});
        }
        return false;
    }
    for (std::size_t m = 0; m < melds.size(); ++m)
        for (int i = 0; i < melds[m].size; ++i) {
            const Place place = melds[m].places[static_cast<std::size_t>(i)];
            if (!place.joker || taken.contains({m, i})) continue;
            if (melds[m].run)
                --run_pins[place.kind];
            else
                --group_pins[static_cast<std::size_t>(number_of(place.kind))];
        }
    for (const auto* pins : {&run_pins, &group_pins})
        for (const int count : *pins)
            if (count > 0) return false;
    return true;
}

const char* flaw(const Case& tried, const Solution& solution) {
    const Query& query = tried.query;
    Counts held = query.table;
    for (const RunBlock& block : query.run_blocks)
        for (int i = 0; i <= block.last - block.first; ++i)
            ++held[block.jokers >> i & 1 ? kJoker : static_cast<std::size_t>(kind_of(block.colour, block.first + i))];
    for (const GroupBlock& block : query.group_blocks) {
        held[kJoker] = static_cast<std::uint8_t>(held[kJoker] + block.jokers);
        for (int colour = 0; colour < kColours; ++colour)
            if (block.colours >> colour & 1) ++held[static_cast<std::size_t>(kind_of(colour, block.number))];
    }
    for (const int pins : query.run_pins) held[kJoker] = static_cast<std::uint8_t>(held[kJoker] + pins);
    for (const int pins : query.group_pins) held[kJoker] = static_cast<std::uint8_t>(held[kJoker] + pins);
    Counts shown{};
    for (const Meld& meld : solution.melds) {
        if (meld.size < 3) return "a short meld";
        bool has_tile = false;
        std::set<int> kinds;
        for (std::size_t i = 0; i < meld.size; ++i) {
            const Place place = meld.places[i];
            has_tile |= !place.joker;
            kinds.insert(place.kind);
            ++shown[place.joker ? kJoker : place.kind];
            if (number_of(place.kind) > tried.tiles.numbers) return "no such number";
            if (meld.run && place.kind != meld.places[0].kind + int(i)) return "a run with a gap";
            if (meld.run && colour_of(place.kind) != colour_of(meld.places[0].kind)) return "a run of two colours";
            if (!meld.run && number_of(place.kind) != number_of(meld.places[0].kind)) return "a group of two numbers";
        }
        if (!has_tile) return "jokers only";
        if (kinds.size() != meld.size) return "a colour twice";
        if (!meld.run && !query.groups_allowed) return "a group";
    }
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        if (shown[kind] != held[kind] + solution.laid[kind]) return "melds are not table and laid tiles";
        if (solution.laid[kind] > query.rack[kind]) return "laid more than the rack holds";
        if (solution.laid[kind] < query.must_lay[kind]) return "did not lay what must be";
    }
    std::set<std::pair<std::size_t, int>> taken;
    if (!holds(query, solution.melds, taken, 0, 0, {query.run_pins.begin(), query.run_pins.end()},
               {query.group_pins.begin(), query.group_pins.end()}))
        return "a block or pinned joker is gone";
    return nullptr;
}

void show(const Case& tried) {
    const Query& query = tried.query;
    std::printf("  numbers %d copies %d jokers %d groups %d objective %d\n", tried.tiles.numbers, tried.tiles.copies,
                tried.tiles.jokers, query.groups_allowed, static_cast<int>(query.objective));
    const auto list = [](const char* name, const auto& counts) {
        std::printf("  %s:", name);
        for (std::size_t kind = 0; kind < counts.size(); ++kind)
            for (int i = 0; i < counts[kind]; ++i)
                if (kind == kJoker)
                    std::printf(" j");
                else
                    std::printf(" %c%d", "rbky"[kind / kMaxNumber], number_of(static_cast<int>(kind)));
        std::printf("\n");
    };
    list("table", query.table);
    list("rack", query.rack);
    list("must_lay", query.must_lay);
    list("run_pins", query.run_pins);
    for (std::size_t number = 0; number < query.group_pins.size(); ++number)
        if (query.group_pins[number]) std::printf("  group pins %d x %zu\n", query.group_pins[number], number);
    for (const RunBlock& block : query.run_blocks)
        std::printf("  run block %c%d..%d jokers %x\n", "rbky"[block.colour], block.first, block.last, block.jokers);
    for (const GroupBlock& block : query.group_blocks)
        std::printf("  group block %d colours %x jokers %d\n", block.number, block.colours, block.jokers);
}

const char* judge_solution(const Case& tried, const std::set<Counts>& sets, const Solution& solution) {
    if (!solution.proven) return "not proven";
    if (solution.feasible == sets.empty()) return "feasible is wrong";
    if (sets.empty()) return nullptr;
    if (const char* found = flaw(tried, solution)) return found;
    Value best = -kImpossible;
    for (const Counts& laid : sets) best = std::max(best, total_value(tried.query, laid));
    if (!sets.contains(solution.laid)) return "laid a set that brute force does not know";
    if (total_value(tried.query, solution.laid) != best) return "not the best";
    return nullptr;
}

const char* judge_plays(const std::set<Counts>& sets, const std::vector<Play>& plays) {
    std::set<Counts> seen;
    bool others = false;
    for (std::size_t i = 0; i < plays.size(); ++i) {
        const Play& play = plays[i];
        if (!sets.contains(play.laid) || !seen.insert(play.laid).second) return "a play is wrong or comes twice";
        bool maximal = true;
        for (const Counts& other : sets) {
            bool within = other != play.laid;
            for (std::size_t kind = 0; kind < kKinds; ++kind) within &= play.laid[kind] <= other[kind];
            maximal &= !within;
        }
        if (maximal != play.maximal) return "maximal is wrong";
        if (maximal && others) return "a maximal play comes late";
        if (i > 0 && plays[i - 1].maximal == maximal && plays[i - 1].tiles < play.tiles) return "plays out of order";
        others |= !maximal;
    }
    if (seen.size() + sets.contains(Counts{}) != sets.size()) return "plays are missing";
    return nullptr;
}

// The first of all plays, up to a limit.
const char* judge_some(const std::vector<Play>& plays, const std::vector<Play>& some, std::size_t limit, bool all) {
    if (all != (plays.size() <= limit)) return "whether these are all is wrong";
    if (some.size() != std::min(limit, plays.size())) return "too few or too many";
    for (std::size_t i = 0; i < some.size(); ++i)
        if (some[i].maximal != plays[i].maximal || some[i].tiles != plays[i].tiles || some[i].points != plays[i].points)
            return "not the first";  // of equal ones, whichever
    return nullptr;
}

// Tables of up to 40 tiles, tile sets from 7 to 13 numbers; the pool is thinned so that the plain search can follow.
Case large_case(std::uint64_t seed) {
    Random random(seed);
    Case made;
    made.tiles = {7 + random.below(7), 1 + random.below(3), random.below(4)};
    Query& query = made.query;
    query.groups_allowed = !random.chance(15);
    query.objective = static_cast<Objective>(random.below(3));
    for (auto& weight : query.weights) weight = random.below(12) - (random.chance(30) ? 4 : 0);
    Supply supply(made.tiles);
    const int most = made.tiles.jokers > 1 ? 24 : 40;
    const int wanted = random.below(most);
    int total = 0;
    for (int tries = 0; tries < 60 && total < wanted; ++tries) {
        Meld meld;
        if (!positions::random_meld(random, made.tiles, query.groups_allowed, 4, 6, supply, meld)) continue;
        total += meld.size;
        for (std::size_t i = 0; i < meld.size; ++i)
            ++query.table[meld.places[i].joker ? kJoker : meld.places[i].kind];
    }
    for (int i = random.below(15); i > 0; --i) {
        const int kind = positions::random_tile(random, supply);
        if (kind >= 0) ++query.rack[static_cast<std::size_t>(kind)];
    }
    return made;
}

int compare_large(long count, std::uint64_t seed) {
    Workspace workspace;
    Solution fast;
    long failures = 0;
    for (long i = 0; i < count; ++i) {
        const std::uint64_t this_seed = seed + static_cast<std::uint64_t>(i);
        const Case tried = large_case(this_seed);
        solve(tried.tiles, tried.query, workspace, fast);
        Position position;
        read_position(tried.tiles, tried.query, position);
        Solution plain;
        plain_solve(position, tried.query, 0, plain);
        const char* found = nullptr;
        if (fast.feasible != plain.feasible)
            found = "feasible is wrong";
        else if (fast.feasible)
            found = flaw(tried, fast);
        if (!found && fast.feasible && total_value(tried.query, fast.laid) != total_value(tried.query, plain.laid))
            found = "the two searches differ";
        if (!found) continue;
        std::printf("seed %llu: %s\n", static_cast<unsigned long long>(this_seed), found);
        show(tried);
        ++failures;
    }
    std::printf("%ld large positions, %ld failures\n", count, failures);
    return failures != 0;
}

}  // namespace

int main(int argc, char** argv) {
    const long count = argc > 1 ? std::atol(argv[1]) : 2000;
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    const bool plain_too = argc > 3 && std::strcmp(argv[3], "plain") == 0;
    if (argc > 3 && std::strcmp(argv[3], "large") == 0) return compare_large(count, seed);
    if (argc > 3 && std::strcmp(argv[3], "rounds") == 0) return rounds::compare(count, seed);
    Workspace workspace, other_workspace;  // one that meets other queries in between
    Solution solution, again;
    std::vector<Play> plays, some;
    std::uint64_t nodes = 0;
    long failures = 0, infeasible = 0, with_play = 0;
    for (long i = 0; i < count; ++i) {
        const std::uint64_t this_seed = seed + static_cast<std::uint64_t>(i);
        const Case tried = random_case(this_seed);
        const brute::Brute brute(tried.tiles, tried.query);
        const auto report = [&](const char* what, const char* found) {
            if (!found) return;
            std::printf("seed %llu: %s: %s\n", static_cast<unsigned long long>(this_seed), what, found);
            show(tried);
            ++failures;
        };
        solve(tried.tiles, tried.query, workspace, solution);
        nodes += solution.nodes;
        report("solve", judge_solution(tried, brute.sets, solution));
        solve(tried.tiles, tried.query, other_workspace, again);
        const bool same = again.laid == solution.laid && again.nodes == solution.nodes;
        report("solve again", same ? nullptr : "another answer or node count");
        if (plain_too) {
            Position position;
            read_position(tried.tiles, tried.query, position);
            Solution plain;
            plain_solve(position, tried.query, 0, plain);
            report("plain", judge_solution(tried, brute.sets, plain));
        }
        const bool any = brute.sets.size() > brute.sets.contains(Counts{});
        report("exists", exists(tried.tiles, tried.query, workspace) == any ? nullptr : "wrong");
        const bool all = enumerate(tried.tiles, tried.query, 100000, workspace, plays);
        report("enumerate", all ? judge_plays(brute.sets, plays) : "stopped");
        const std::size_t limit = 1 + static_cast<std::size_t>(i % 8);
        const bool all_again = enumerate(tried.tiles, tried.query, limit, workspace, some);
        report("enumerate some", judge_some(plays, some, limit, all_again));
        infeasible += brute.sets.empty();
        with_play += any;
    }
    std::printf("%ld positions (%ld infeasible, %ld with a play), %llu nodes, %ld failures\n", count, infeasible,
                with_play, static_cast<unsigned long long>(nodes), failures);
    return failures != 0;
}
