// Whole rounds: what a play-out tells is replayed by hand, tile by tile, and must end where the play-out ended.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "../playout.hpp"
#include "../value.hpp"
#include "positions.hpp"

namespace rounds {

using namespace tilerummy;
using positions::Random;
using positions::Supply;

struct Case {
    RoundRules rules;
    Round round;
    std::vector<Policy> policies;
};

inline constexpr int kUnknown = -1;  // what a play brings in stars is not counted here

inline std::size_t index(int seat) { return static_cast<std::size_t>(seat); }

inline Case random_case(std::uint64_t seed) {
    Random random(seed);
    Case made;
    RoundRules& rules = made.rules;
    rules.tiles = random.chance(80) ? TileSet{13, 2, 2} : TileSet{7 + random.below(7), 2 + random.below(2), 4};
    rules.groups = !random.chance(10);
    rules.opening = random.chance(60) ? 30 : 0;
    rules.usable = static_cast<Usable>(random.below(3));
    rules.step = random.chance(30) ? -1 : 1;
    rules.one_stuck = random.chance(30);
    rules.others_less_own = random.chance(30);
    rules.stars = random.chance(20);
    Round& round = made.round;
    round.seats = 2 + random.below(3);
    round.turn = round.starter = random.below(round.seats);
    Supply supply(rules.tiles);
    for (int seat = 0; seat < round.seats; ++seat) {
        for (int i = 0; i < 10; ++i) ++round.racks[index(seat)][index(positions::random_tile(random, supply))];
        round.stars[index(seat)] = 3;
        made.policies.push_back(static_cast<Policy>(random.below(3)));
    }
    for (int kind = positions::random_tile(random, supply); kind >= 0; kind = positions::random_tile(random, supply))
        round.pool[index(round.pool_size++)] = static_cast<std::uint8_t>(kind);
    return made;
}

inline bool is_meld(const Meld& meld, const RoundRules& rules) {
    const int first = meld.places[0].kind;
    if (meld.size < 3 || (!meld.run && (meld.size > kColours || !rules.groups))) return false;
    int numbered = 0, colours = 0;
    for (int i = 0; i < meld.size; ++i) {
        const Place& place = meld.places[index(i)];
        if (meld.run && (place.kind != first + i || colour_of(place.kind) != colour_of(first))) return false;
        const bool twice = colours >> colour_of(place.kind) & 1;
        if (!meld.run && (number_of(place.kind) != number_of(first) || twice)) return false;
        if (number_of(place.kind) > rules.tiles.numbers) return false;
        colours |= 1 << colour_of(place.kind);
        numbered += !place.joker;
    }
    return numbered > 0;
}

inline Counts tiles_in(const std::vector<Meld>& melds) {
    Counts counts{};
    for (const Meld& meld : melds)
        for (std::size_t i = 0; i < meld.size; ++i) ++counts[meld.places[i].joker ? kJoker : meld.places[i].kind];
    return counts;
}

inline int worth(const Counts& rack, int joker_value) {
    int total = rack[kJoker] * joker_value;
    for (int kind = 0; kind < kNumberedKinds; ++kind) total += rack[index(kind)] * number_of(kind);
    return total;
}

// Follows a turn; null: nothing is wrong with it.
inline const char* follow(const Case& tried, const Told& turn, Round& round) {
    const RoundRules& rules = tried.rules;
    Counts& rack = round.racks[index(turn.seat)];
    if (turn.seat != round.turn) return "another seat's turn";
    int& stars = round.stars[index(turn.seat)];
    const bool is_tile = round.drawn < round.pool_size;
    const bool may_draw = is_tile && (!rules.stars || stars > 0 || stars == kUnknown);
    const bool may_pass = !is_tile || (rules.stars && stars <= 0);
    if (turn.act == Act::lay) {
        Counts table = turn.laid;
        const bool opens = !round.opened[index(turn.seat)];
        if (turn.laid == Counts{}) return "nothing is laid";
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            if (turn.laid[kind] > rack[kind]) return "tiles that the rack does not hold";
            rack[kind] = static_cast<std::uint8_t>(rack[kind] - turn.laid[kind]);
            if (!turn.beside) table[kind] = static_cast<std::uint8_t>(table[kind] + round.table[kind]);
        }
        for (const Meld& meld : turn.melds)
            if (!is_meld(meld, rules)) return "no meld";
        if (tiles_in(turn.melds) != table) return "the melds are not what lies there";
        if (opens && best_value(turn.laid, rules.tiles.numbers, rules.groups) < rules.opening) return "no opening";
        if (turn.beside && rules.usable == Usable::opening_turn) return "beside a table that may be used";
        if (!turn.beside && opens && rules.usable != Usable::opening_turn) return "onto a table that may not be used";
        for (std::size_t kind = 0; kind < kKinds; ++kind)
            round.table[kind] = static_cast<std::uint8_t>(round.table[kind] + turn.laid[kind]);
        round.opened[index(turn.seat)] = true;
        stars = kUnknown;
        round.passes = 0;
    } else if (turn.act == Act::draw) {
        if (!may_draw || turn.drawn != round.pool[index(round.drawn++)]) return "not the next tile";
        ++rack[index(turn.drawn)];
        if (stars != kUnknown) stars -= rules.stars;
        round.passes = 0;
    } else {
        if (!may_pass) return "a pass in place of a draw";
        ++round.passes;
    }
    round.turn = (turn.seat + rules.step + round.seats) % round.seats;
    return nullptr;
}

// What a play-out told, and how it ended; null: nothing is wrong with it.
inline const char* judge(const Case& tried, const std::vector<Told>& told, const Round& after, const Ending& ending) {
    Round round = tried.round;
    for (std::size_t i = 0; i < told.size(); ++i) {
        if (i > 0 && round.racks[index(told[i - 1].seat)] == Counts{}) return "a turn after the last";
        if (round.passes >= round.seats) return "a turn after the last pass";
        if (const char* found = follow(tried, told[i], round)) return found;
    }
    const bool finished = !told.empty() && round.racks[index(told.back().seat)] == Counts{};
    if (round.table != after.table || round.racks != after.racks || round.drawn != after.drawn) return "another end";
    if (ending.turns != static_cast<int>(told.size())) return "turns are not counted";
    if (!finished && round.passes < round.seats && !tried.rules.one_stuck) return "an end without a reason";
    if (tried.rules.stars) return nullptr;
    if (finished && ending.winner != told.back().seat) return "another winner";
    int sum = 0;
    const int own = worth(round.racks[index(ending.winner)], tried.rules.joker_value);
    for (int seat = 0; seat < round.seats; ++seat) {
        sum += ending.scores[index(seat)];
        if (worth(round.racks[index(seat)], tried.rules.joker_value) < own) return "a lower rack did not win";
    }
    // club, *Marque*: the winner's own points are taken off, and nobody is given them.
    return sum == (tried.rules.others_less_own ? -own : 0) ? nullptr : "the scores do not add up";
}

inline int compare(long count, std::uint64_t seed) {
    Workspace workspace, other_workspace;  // one that plays other rounds in between
    long failures = 0, turns = 0;
    for (long i = 0; i < count; ++i) {
        const std::uint64_t this_seed = seed + static_cast<std::uint64_t>(i);
        const Case tried = random_case(this_seed);
        check_rules(tried.rules);
        check_round(tried.rules, tried.round);
        Round round = tried.round, again = tried.round;
        std::vector<Told> told;
        const Ending ending = Playout(tried.rules, workspace).finish(round, tried.policies.data(), nullptr, &told);
        const char* found = judge(tried, told, round, ending);
        turns += ending.turns;
        Playout second(tried.rules, i % 2 ? workspace : other_workspace);
        const Ending same = second.finish(again, tried.policies.data());
        if (!found && (same.scores != ending.scores || same.turns != ending.turns || again.racks != round.racks))
            found = "another round the second time";
        if (!found) continue;
        std::printf("seed %llu: round: %s\n", static_cast<unsigned long long>(this_seed), found);
        ++failures;
    }
    std::printf("%ld rounds of %ld turns, %ld failures\n", count, turns, failures);
    return failures != 0;
}

}  // namespace rounds
