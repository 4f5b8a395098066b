// Measures the kernel on self-play and on random crowded positions: bench [scale] [family] [repeats]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "positions.hpp"

using namespace tilerummy;
using positions::Random;
using positions::Supply;

namespace {

int total(const Counts& counts) {
    int sum = 0;
    for (const int count : counts) sum += count;
    return sum;
}

int points_shown(const Solution& solution) {
    int points = 0;
    for (const Meld& meld : solution.melds)
        for (std::size_t i = 0; i < meld.size; ++i) points += number_of(meld.places[i].kind);
    return points;
}

// Rounds in which everybody opens with 30 points of their own and then lays the most tiles. Collects every turn of a
// player who has opened.
void self_play(const TileSet& tiles, int players, int rounds, std::uint64_t seed, std::vector<Query>& turns) {
    Workspace workspace;
    Solution solution;
    for (int round = 0; round < rounds; ++round) {
        Random random(seed + static_cast<std::uint64_t>(round));
        Supply pool(tiles);
        Counts table{};
        std::vector<Counts> racks(static_cast<std::size_t>(players));
        std::vector<bool> opened(static_cast<std::size_t>(players), false);
        for (Counts& rack : racks)
            for (int i = 0; i < 14; ++i) ++rack[static_cast<std::size_t>(positions::random_tile(random, pool))];
        int passes = 0;
        for (std::size_t seat = 0; passes < players; seat = (seat + 1) % racks.size()) {
            Counts& rack = racks[seat];
            Query query;
            query.rack = rack;
            if (opened[seat]) {
                query.table = table;
                turns.push_back(query);
            } else {
                query.objective = Objective::points;
            }
            solve(tiles, query, workspace, solution);
            if (!opened[seat] && points_shown(solution) < 30) solution.tiles = 0;
            if (solution.tiles == 0) {
                const int drawn = positions::random_tile(random, pool);
                if (drawn >= 0) ++rack[static_cast<std::size_t>(drawn)];
                passes = drawn >= 0 ? 0 : passes + 1;
                continue;
            }
            passes = 0;
            opened[seat] = true;
            for (std::size_t kind = 0; kind < kKinds; ++kind) {
                rack[kind] = static_cast<std::uint8_t>(rack[kind] - solution.laid[kind]);
                table[kind] = static_cast<std::uint8_t>(table[kind] + solution.laid[kind]);
            }
            if (total(rack) == 0) break;
        }
    }
}

void crowded(const TileSet& tiles, int table_tiles, int rack_tiles, int count, std::uint64_t seed,
             std::vector<Query>& made) {
    for (int i = 0; i < count; ++i) {
        Random random(seed + static_cast<std::uint64_t>(i));
        Query query;
        Supply supply(tiles);
        int on_table = 0;
        // In a dense set the random melds may run dry before the table is full.
        for (int tries = 0; tries < 5000 && on_table < table_tiles; ++tries) {
            Meld meld;
            if (!positions::random_meld(random, tiles, true, 3, 6, supply, meld)) continue;
            on_table += meld.size;
            for (std::size_t place = 0; place < meld.size; ++place)
                ++query.table[meld.places[place].joker ? kJoker : meld.places[place].kind];
        }
        for (int tile = 0; tile < rack_tiles; ++tile) {
            // A joker on the rack of every second position, so that both sides have some.
            int kind = -1;
            if (tile == 0 && i % 2 == 0 && supply.take(kJoker)) kind = kJoker;
            if (kind < 0) kind = positions::random_tile(random, supply);
            if (kind < 0) break;
            ++query.rack[static_cast<std::size_t>(kind)];
        }
        made.push_back(query);
    }
}

struct Sums {
    std::uint64_t nodes = 0;
    std::uint64_t signature = 0xCBF29CE484222325u;
};

void measure(const char* name, const TileSet& tiles, const std::vector<Query>& queries, int repeats, Sums& sums) {
    if (queries.empty()) return;
    Workspace workspace;
    Solution solution;
    std::vector<double> micros;
    std::uint64_t nodes = 0;
    for (const Query& query : queries) {
        double best = 1e18;
        for (int i = 0; i < repeats; ++i) {
            const auto start = std::chrono::steady_clock::now();
            solve(tiles, query, workspace, solution);
            const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - start;
            best = std::min(best, taken.count());
        }
        micros.push_back(best);
        nodes += solution.nodes;
        for (const std::uint64_t part : {std::uint64_t(solution.tiles), std::uint64_t(solution.points), solution.nodes})
            sums.signature = (sums.signature ^ part) * 0x100000001B3u;
    }
    std::sort(micros.begin(), micros.end());
    const auto at = [&](double part) { return micros[static_cast<std::size_t>(part * double(micros.size() - 1))]; };
    double mean = 0;
    for (const double value : micros) mean += value / double(micros.size());
    std::printf("%-24s %6zu  median %9.1f  p95 %9.1f  p99 %9.1f  mean %9.1f  max %10.1f us  nodes %llu\n", name,
                queries.size(), at(0.5), at(0.95), at(0.99), mean, at(1), static_cast<unsigned long long>(nodes));
    std::fflush(stdout);
    sums.nodes += nodes;
}

}  // namespace

int main(int argc, char** argv) {
    const int scale = argc > 1 ? std::atoi(argv[1]) : 10;
    const std::string family = argc > 2 ? argv[2] : "all";
    const int repeats = argc > 3 ? std::atoi(argv[3]) : 3;
    const auto wanted = [&](const char* name) { return family == "all" || family == name; };
    Sums sums;
    const TileSet standard{13, 2, 2}, xp{13, 3, 4};
    const auto play = [&](const char* name, const TileSet& tiles, int players, int rounds) {
        std::vector<Query> turns, bucket;
        self_play(tiles, players, rounds, 7, turns);
        for (int size = 20; size <= 140; size += 20) {
            bucket.clear();
            for (const Query& query : turns)
                if (total(query.table) >= size - 10 && total(query.table) < size + 10) bucket.push_back(query);
            measure((std::string(name) + " " + std::to_string(size)).c_str(), tiles, bucket, repeats, sums);
        }
        measure((std::string(name) + " all").c_str(), tiles, turns, repeats, sums);
    };
    if (wanted("self")) play("self-play 106", standard, 4, 3 * scale);
    if (wanted("xp")) play("self-play 160", xp, 6, scale);
    for (const int size : {20, 40, 60, 80}) {
        if (!wanted("crowded") && family != "crowded" + std::to_string(size)) continue;
        std::vector<Query> queries;
        crowded(standard, size, size == 80 ? 20 : 14, 20 * scale, 1000 + static_cast<std::uint64_t>(size), queries);
        measure(("crowded " + std::to_string(size)).c_str(), standard, queries, repeats, sums);
    }
    if (wanted("crowded160")) {
        std::vector<Query> queries;
        crowded(xp, 120, 20, 5 * scale, 5000, queries);
        measure("crowded 160 set, 120", xp, queries, 1, sums);
    }
    std::printf("nodes %llu signature %016llx\n", static_cast<unsigned long long>(sums.nodes),
                static_cast<unsigned long long>(sums.signature));
}
