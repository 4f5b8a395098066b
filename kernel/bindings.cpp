// The door between Python and the kernel: conversions only, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "fixed.hpp"
#include "follow.hpp"
#include "openings.hpp"
#include "playout.hpp"
#include "position.hpp"
#include "solver.hpp"
#include "value.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace tr = tilerummy;

namespace {

template <std::size_t Size>
void fill(std::array<std::uint8_t, Size>& target, const nb::bytes& from, const char* field) {
    if (from.size() != Size)
        throw std::invalid_argument(std::string(field) + ": " + std::to_string(Size) + " counts are needed");
    std::memcpy(target.data(), from.c_str(), Size);
}

nb::bytes as_bytes(const tr::Counts& counts) { return nb::bytes(counts.data(), counts.size()); }

// The answer to a query, and the time that the kernel took for it.
struct Answer {
    tr::Solution solution;
    double micros = 0;
};

tr::Workspace& workspace() {
    static thread_local tr::Workspace mine;
    return mine;
}

void answer(const tr::TileSet& tiles, const tr::Query& query, Answer& result) {
    tr::Workspace& mine = workspace();  // a thread's first call makes it, which is no part of the answer
    const auto start = std::chrono::steady_clock::now();
    tr::solve(tiles, query, mine, result.solution);
    result.micros = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

// A search for few melds to touch, and the time that the kernel took for it.
struct Touching {
    tr::Touching search;
    double micros = 0;

    std::optional<tr::MeldSet> least(int most) {
        tr::Workspace& mine = workspace();
        const auto start = std::chrono::steady_clock::now();
        const auto found = search.least(most, mine);
        micros += std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
        return found;
    }
};

// Threads take the next query each until none is left; the answers keep the order of the queries.
std::vector<Answer> answer_all(const tr::TileSet& tiles, const std::vector<const tr::Query*>& queries, int threads) {
    std::vector<Answer> answers(queries.size());
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failing;
    auto work = [&] {
        try {
            for (std::size_t at = next++; at < queries.size(); at = next++) answer(tiles, *queries[at], answers[at]);
        } catch (...) {
            const std::lock_guard lock(failing);
            if (!failure) failure = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    const std::size_t wanted = std::min(static_cast<std::size_t>(std::max(threads, 1)), queries.size());
    for (std::size_t started = 1; started < wanted; ++started) others.emplace_back(work);
    work();
    for (auto& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
    return answers;
}

nb::list melds_of(const std::vector<tr::Meld>& some) {
    nb::list melds;
    for (const auto& meld : some) {
        nb::list places;
        for (int at = 0; at < meld.size; ++at)
            places.append(nb::make_tuple(static_cast<int>(meld.places[static_cast<std::size_t>(at)].kind),
                                         meld.places[static_cast<std::size_t>(at)].joker));
        melds.append(nb::make_tuple(meld.run, nb::tuple(places)));
    }
    return melds;
}

nb::list fixed_melds(const tr::Fixed& fixed) {
    nb::list melds;
    for (const auto& meld : fixed.melds) {
        nb::list places;
        for (std::size_t at = 0; at < meld.size; ++at)
            places.append(nb::make_tuple(static_cast<int>(meld.places[at].kind),
                                         static_cast<int>(meld.places[at].source)));
        melds.append(nb::make_tuple(meld.run, nb::tuple(places), meld.blocks, Answer{meld.rest}));
    }
    return melds;
}

// A round of which the racks and the pool are still to come.
struct Situation {
    tr::RoundRules rules;
    tr::Round round;
};

using World = std::pair<std::vector<nb::bytes>, nb::bytes>;

tr::Round round_in(const Situation& situation, const World& world) {
    const auto& [racks, pool] = world;
    tr::Round round = situation.round;
    if (racks.size() != static_cast<std::size_t>(round.seats))
        throw std::invalid_argument("racks: one for each seat is needed");
    for (std::size_t seat = 0; seat < racks.size(); ++seat) fill(round.racks[seat], racks[seat], "racks");
    if (pool.size() > round.pool.size()) throw std::invalid_argument("pool: more tiles than there are");
    std::memcpy(round.pool.data(), pool.c_str(), pool.size());
    round.pool_size = static_cast<int>(pool.size());
    tr::check_round(situation.rules, round);
    return round;
}

std::vector<tr::Policy> policies_of(const Situation& situation, const std::vector<int>& numbers) {
    if (numbers.size() != static_cast<std::size_t>(situation.round.seats))
        throw std::invalid_argument("policies: one for each seat is needed");
    std::vector<tr::Policy> policies;
    for (const int number : numbers) {
        if (number < 0 || number > static_cast<int>(tr::Policy::wait))
            throw std::invalid_argument("policies: no such policy");
        policies.push_back(static_cast<tr::Policy>(number));
    }
    return policies;
}

template <class Value>
nb::bytes raw_bytes(const std::vector<Value>& values) {
    return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
}

}  // namespace

NB_MODULE(_kernel, m) {
    nb::set_leak_warnings(false); // what Python's threads and caches still hold when a process ends is no leak
    m.doc() = "The compiled kernel of tilerummy.";
    m.def("version", [] { return TILERUMMY_VERSION; }, "The version of tilerummy that this kernel was built from.");
    m.def("build_profile", [] { return TILERUMMY_PROFILE; },
          "How this kernel was built: release, debug or sanitize; only release is worth timing.");

    nb::class_<tr::TileSet>(m, "TileSet", "Which tiles exist.")
        .def(nb::new_([](int numbers, int copies, int jokers) { return tr::TileSet{numbers, copies, jokers}; }),
             "numbers"_a, "copies"_a, "jokers"_a);

    nb::class_<tr::Query>(m, "Query", "A question: counts by kind, and what has to stay as it is.")
        .def(nb::new_([](const nb::bytes& table, const nb::bytes& rack, const nb::bytes& must_lay,
                         const nb::bytes& run_pins, const nb::bytes& group_pins,
                         const std::vector<std::tuple<int, int, int, int>>& run_blocks,
                         const std::vector<std::tuple<int, int, int>>& group_blocks, bool groups, int objective,
                         const std::vector<std::int32_t>& weights, int joker_points, std::uint64_t node_limit) {
                 auto query = std::make_unique<tr::Query>();
                 fill(query->table, table, "table");
                 fill(query->rack, rack, "rack");
                 if (must_lay.size()) fill(query->must_lay, must_lay, "must_lay");
                 if (run_pins.size()) fill(query->run_pins, run_pins, "run_pins");
                 if (group_pins.size()) fill(query->group_pins, group_pins, "group_pins");
                 for (auto [colour, first, last, jokers] : run_blocks)
                     query->run_blocks.push_back({static_cast<std::uint8_t>(colour), static_cast<std::uint8_t>(first),
                                                  static_cast<std::uint8_t>(last), static_cast<std::uint16_t>(jokers)});
                 for (auto [number, colours, jokers] : group_blocks)
                     query->group_blocks.push_back({static_cast<std::uint8_t>(number),
                                                    static_cast<std::uint8_t>(colours),
                                                    static_cast<std::uint8_t>(jokers)});
                 query->groups_allowed = groups;
                 query->objective = static_cast<tr::Objective>(objective);
                 if (!weights.empty()) {
                     if (weights.size() != query->weights.size())
                         throw std::invalid_argument("weights: one for each kind is needed");
                     std::copy(weights.begin(), weights.end(), query->weights.begin());
                 }
                 query->joker_points = joker_points;
                 query->node_limit = node_limit;
                 return query.release();
             }),
             "table"_a, "rack"_a, nb::kw_only(), "must_lay"_a = nb::bytes("", 0), "run_pins"_a = nb::bytes("", 0),
             "group_pins"_a = nb::bytes("", 0), "run_blocks"_a = nb::list(), "group_blocks"_a = nb::list(),
             "groups"_a = true, "objective"_a = 0, "weights"_a = nb::list(), "joker_points"_a = 0,
             "node_limit"_a = 0);

    nb::class_<Answer>(m, "Answer", "The best play of a query.")
        .def_prop_ro("feasible", [](const Answer& self) { return self.solution.feasible; })
        .def_prop_ro("proven", [](const Answer& self) { return self.solution.proven; })
        .def_prop_ro("laid", [](const Answer& self) { return as_bytes(self.solution.laid); })
        .def_prop_ro("melds", [](const Answer& self) { return melds_of(self.solution.melds); },
                     nb::sig("def melds(self) -> list[tuple[bool, tuple[tuple[int, bool], ...]]]"))
        .def_prop_ro("tiles", [](const Answer& self) { return self.solution.tiles; })
        .def_prop_ro("points", [](const Answer& self) { return self.solution.points; })
        .def_prop_ro("jokers", [](const Answer& self) { return self.solution.jokers; })
        .def_prop_ro("weight", [](const Answer& self) { return self.solution.weight; })
        .def_prop_ro("nodes", [](const Answer& self) { return self.solution.nodes; })
        .def_ro("micros", &Answer::micros);

    m.def(
        "solve",
        [](const tr::TileSet& tiles, const tr::Query& query) {
            Answer result;
            answer(tiles, query, result);
            return result;
        },
        "tiles"_a, "query"_a, nb::call_guard<nb::gil_scoped_release>(), "The best play.");
    m.def("solve_many", &answer_all, "tiles"_a, "queries"_a, "threads"_a, nb::call_guard<nb::gil_scoped_release>(),
          "The best play of each query, in order.");
    m.def(
        "exists",
        [](const tr::TileSet& tiles, const tr::Query& query) { return tr::exists(tiles, query, workspace()); },
        "tiles"_a, "query"_a, nb::call_guard<nb::gil_scoped_release>(), "Whether anything can be laid.");
    m.def(
        "enumerate",
        [](const tr::TileSet& tiles, const tr::Query& query, std::size_t limit) {
            std::vector<tr::Play> plays;
            bool whole = false;
            {
                const nb::gil_scoped_release released;
                whole = tr::enumerate(tiles, query, limit, workspace(), plays);
            }
            nb::list found;
            int maximal = 0;
            for (const auto& play : plays) {
                found.append(as_bytes(play.laid));
                maximal += play.maximal;
            }
            return nb::make_tuple(found, maximal, whole);
        },
        "tiles"_a, "query"_a, "limit"_a,
        nb::sig("def enumerate(tiles: TileSet, query: Query, limit: int) "
                "-> tuple[list[bytes], int, bool]"),
        "The sets of rack tiles that can be laid, how many, the first ones, are maximal, and whether these are all.");
    m.def(
        "worth",
        [](const tr::Query& query) {
            std::vector<std::int64_t> each;
            for (int kind = 0; kind < tr::kKinds; ++kind) each.push_back(tr::value_of(query, kind));
            return each;
        },
        "query"_a, "What laying a tile of each kind adds to the objective, all tie-breaks in one number.");
    m.def(
        "fix",
        [](const tr::TileSet& tiles, const tr::Query& query, int kind, std::uint64_t some, std::uint64_t all, bool wild,
           int longest, std::int64_t above, std::int64_t ceiling) {
            tr::Fixed fixed;
            tr::Workspace& mine = workspace();
            const auto start = std::chrono::steady_clock::now();
            {
                const nb::gil_scoped_release released;
                tr::fix(tiles, query, {kind, some, all, wild, longest}, above, ceiling, mine, fixed);
            }
            const auto taken = std::chrono::steady_clock::now() - start;
            return nb::make_tuple(fixed.loss, fixed_melds(fixed), fixed.nodes,
                                  std::chrono::duration<double, std::micro>(taken).count());
        },
        "tiles"_a, "query"_a, nb::kw_only(), "kind"_a, "some"_a, "all"_a, "wild"_a, "longest"_a, "above"_a, "ceiling"_a,
        nb::sig("def fix(tiles: TileSet, query: Query, *, kind: int, some: int, all: int, wild: bool, longest: int, "
                "above: int, ceiling: int) "
                "-> tuple[int, list[tuple[bool, tuple[tuple[int, int], ...], int, Answer]], int, float]"),
        "The wanted melds that leave the least loss within these bounds: that loss, the melds, nodes, micros.");
    nb::class_<Touching>(m, "Touching", "Which melds a play has to touch to be worth as much as a known one.")
        .def(nb::new_([](const tr::TileSet& tiles, const tr::Query& query, const std::vector<const tr::Query*>& melds,
                         std::int64_t loss, tr::MeldSet known, std::uint64_t node_limit) {
                 std::vector<tr::Query> each;
                 each.reserve(melds.size());
                 for (const auto* meld : melds) each.push_back(*meld);
                 return new Touching{tr::Touching(tiles, query, std::move(each), loss, known, node_limit)};
             }),
             "tiles"_a, "query"_a, "melds"_a, "loss"_a, "known"_a, "node_limit"_a)
        .def("least", &Touching::least, "most"_a, nb::call_guard<nb::gil_scoped_release>(),
             "A smallest set of no more melds than this, a bit each, that does and is not ruled out.")
        .def("rule_out", [](Touching& self, tr::MeldSet set) { self.search.rule_out(set); }, "set"_a,
             "Say that this set does not do after all, hence none within it.")
        .def_prop_ro("spent", [](const Touching& self) { return self.search.spent(); },
                     "Whether all nodes are spent, so that smaller sets may have been missed.")
        .def_prop_ro("nodes", [](const Touching& self) { return self.search.nodes(); })
        .def_ro("micros", &Touching::micros);
    m.def(
        "best_value",
        [](const nb::bytes& counts, int numbers, bool groups) {
            tr::Counts tiles;
            fill(tiles, counts, "counts");
            const nb::gil_scoped_release released;
            return tr::best_value(tiles, numbers, groups);
        },
        "counts"_a, "numbers"_a, "groups"_a, "The most points that disjoint melds of these tiles are worth.");
    m.def(
        "opening_sets",
        [](const nb::bytes& rack, int numbers, bool groups, int points) {
            tr::Counts tiles;
            fill(tiles, rack, "rack");
            std::vector<tr::Counts> sets;
            tr::opening_sets(tiles, numbers, groups, points, sets);
            nb::list found;
            for (const auto& set : sets) found.append(as_bytes(set));
            return found;
        },
        "rack"_a, "numbers"_a, "groups"_a, "points"_a,
        nb::sig("def opening_sets(rack: bytes, numbers: int, groups: bool, points: int) -> list[bytes]"),
        "The smallest sets of these tiles whose own melds reach so many points.");
    nb::class_<tr::RoundRules>(m, "RoundRules", "What of a ruleset decides about a play-out.")
        .def(nb::new_([](const tr::TileSet& tiles, bool groups, int opening, int usable, int step, bool one_stuck,
                         bool others_less_own, int joker_value, bool stars) {
                 tr::RoundRules rules{tiles,     groups,          opening,     static_cast<tr::Usable>(usable), step,
                                      one_stuck, others_less_own, joker_value, stars};
                 tr::check_rules(rules);
                 return rules;
             }),
             "tiles"_a, nb::kw_only(), "groups"_a, "opening"_a, "usable"_a, "step"_a, "one_stuck"_a,
             "others_less_own"_a, "joker_value"_a, "stars"_a);
    nb::class_<Situation>(m, "Situation", "A round without its racks and pool: whose turn it is, what is on the table.")
        .def(nb::new_([](const tr::RoundRules& rules, const nb::bytes& table, const std::vector<bool>& opened, int turn,
                         int passes, const std::vector<int>& stars, int starter) {
                 Situation situation{rules, {}};
                 tr::Round& round = situation.round;
                 fill(round.table, table, "table");
                 if (opened.size() < 2 || opened.size() > tr::kMaxSeats)
                     throw std::invalid_argument("opened: 2 to 6 seats");
                 std::copy(opened.begin(), opened.end(), round.opened.begin());
                 if (stars.size() != (rules.stars ? opened.size() : stars.size()) || stars.size() > tr::kMaxSeats)
                     throw std::invalid_argument("stars: one count for each seat is needed");
                 std::copy(stars.begin(), stars.end(), round.stars.begin());
                 round.seats = static_cast<int>(opened.size());
                 round.turn = turn;
                 round.passes = passes;
                 round.starter = starter;
                 return situation;
             }),
             "rules"_a, "table"_a, "opened"_a, "turn"_a, "passes"_a, "stars"_a, "starter"_a);
    m.def(
        "play_out",
        [](const Situation& situation, const std::vector<World>& worlds,
           const std::optional<std::vector<std::optional<nb::bytes>>>& firsts, const std::vector<int>& policies) {
            std::vector<tr::Round> rounds;
            for (const World& world : worlds) rounds.push_back(round_in(situation, world));
            tr::FirstActions actions;
            if (firsts)
                for (const auto& first : *firsts) {
                    actions.emplace_back();
                    if (first) fill(actions.back().emplace(), *first, "firsts");
                }
            const auto each = policies_of(situation, policies);
            tr::Endings endings;
            {
                const nb::gil_scoped_release released;
                endings = tr::play_all(situation.rules, rounds, firsts ? &actions : nullptr, each.data(), workspace());
            }
            return nb::make_tuple(raw_bytes(endings.winners), raw_bytes(endings.scores), raw_bytes(endings.turns));
        },
        "situation"_a, "worlds"_a, "firsts"_a.none(), "policies"_a,
        nb::sig("def play_out(situation: Situation, worlds: Sequence[tuple[Sequence[bytes], bytes]], "
                "firsts: Sequence[bytes | None] | None, policies: Sequence[int]) -> tuple[bytes, bytes, bytes]"),
        "Play each world to its end, after each first action: winners (a byte each), scores, turns (four bytes each).");
    m.def(
        "tell",
        [](const Situation& situation, const World& world, const std::vector<int>& policies) {
            tr::Round round = round_in(situation, world);
            const auto each = policies_of(situation, policies);
            std::vector<tr::Told> told;
            {
                const nb::gil_scoped_release released;
                tr::Playout playout(situation.rules, workspace());
                playout.check_table(round.table);
                playout.finish(round, each.data(), nullptr, &told);
            }
            nb::list turns;
            for (const auto& turn : told)
                turns.append(nb::make_tuple(turn.seat, static_cast<int>(turn.act), turn.drawn, as_bytes(turn.laid),
                                            turn.beside, melds_of(turn.melds)));
            return turns;
        },
        "situation"_a, "world"_a, "policies"_a,
        nb::sig("def tell(situation: Situation, world: tuple[Sequence[bytes], bytes], policies: Sequence[int]) "
                "-> list[tuple[int, int, int, bytes, bool, list[tuple[bool, tuple[tuple[int, bool], ...]]]]]"),
        "Play a world to its end and tell each turn: seat, what (lay, draw, pass), kind drawn, laid, beside, melds.");
}
