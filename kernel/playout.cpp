#include "playout.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

namespace tilerummy {
namespace {

constexpr int kNobody = -1;

void require(bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
}

std::size_t index(int seat) { return static_cast<std::size_t>(seat); }

int size_of(const Counts& counts) {
    int sum = 0;
    for (const int count : counts) sum += count;
    return sum;
}

void add(Counts& counts, const Counts& more) {
    for (std::size_t kind = 0; kind < kKinds; ++kind)
        counts[kind] = static_cast<std::uint8_t>(counts[kind] + more[kind]);
}

int worth(const Counts& rack, int joker_value) {
    int sum = rack[kJoker] * joker_value;
    for (int kind = 0; kind < kNumberedKinds; ++kind) sum += rack[static_cast<std::size_t>(kind)] * number_of(kind);
    return sum;
}

}  // namespace

void check_rules(const RoundRules& rules) {
    require(rules.tiles.numbers >= 3 && rules.tiles.numbers <= kMaxNumber, "numbers: 3 to 13");
    require(rules.tiles.copies >= 1 && rules.tiles.copies <= kMaxCopies, "copies: 1 to 3");
    require(rules.tiles.jokers >= 0 && rules.tiles.jokers <= kMaxJokers, "jokers: 0 to 4");
    require(rules.step == 1 || rules.step == -1, "step: 1 or -1");
}

void check_round(const RoundRules& rules, const Round& round) {
    require(round.seats >= 2 && round.seats <= kMaxSeats, "opened: 2 to 6 seats");
    require(round.turn >= 0 && round.turn < round.seats, "turn: no such seat");
    require(round.starter >= 0 && round.starter < round.seats, "starter: no such seat");
    require(round.passes >= 0 && round.passes < round.seats, "passes: as many end the round");
    for (int seat = 0; seat < round.seats; ++seat) {
        require(size_of(round.racks[index(seat)]) > 0, "racks: an empty one ends the round");
        require(round.stars[index(seat)] >= 0, "stars: less than none");
    }
    std::array<int, kKinds> all{};
    for (int at = round.drawn; at < round.pool_size; ++at) {
        require(round.pool[index(at)] < kKinds, "pool: no such kind");
        ++all[round.pool[index(at)]];
    }
    for (int kind = 0; kind < kKinds; ++kind) {
        const auto k = static_cast<std::size_t>(kind);
        all[k] += round.table[k];
        for (int seat = 0; seat < round.seats; ++seat) all[k] += round.racks[index(seat)][k];
        const bool known = kind == kJoker || number_of(kind) <= rules.tiles.numbers;
        const int most = !known ? 0 : kind == kJoker ? rules.tiles.jokers : rules.tiles.copies;
        require(all[k] <= most, "world: more tiles of a kind, with the table, than the ruleset has");
    }
}

void Playout::check_table(const Counts& table) { require(laying_.fits(table), "table: no melds hold these tiles"); }

First Playout::first(const Round& round, const Counts& laid) {
    const Stand here = stand(round);
    for (std::size_t kind = 0; kind < kKinds; ++kind)
        require(laid[kind] <= here.rack[kind], "tiles that are not on the rack");
    require(size_of(laid) > 0, "nothing is laid");
    require(here.opening == 0 || laying_.reaches(laid, here.opening), "too few points for the opening");
    Counts table = laid;
    if (!here.locked) add(table, here.table);
    require(laying_.fits(table), "no table holds these tiles");
    return {true, laid, rules_.stars ? count_new(laid) : 0};
}

Ending Playout::finish(Round& round, const Policy* policies, const First* first, std::vector<Told>* told) {
    idle_ = {};
    for (int seat = 0; seat < round.seats; ++seat) sizes_[index(seat)] = size_of(round.racks[index(seat)]);
    for (int turns = 0;; ++turns) {
        const int seat = round.turn;
        const Policy policy = policies[seat];
        const bool chosen = turns == 0 && first;
        const bool laying = chosen ? first->lays : lays(round, policy);
        // club, *Fin de la manche*: until "un premier joueur ne puisse plus déposer ni piocher".
        if (!laying && !chosen && rules_.one_stuck && round.drawn == round.pool_size &&
            (policy != Policy::hold || !laying_.can_lay(stand(round))))
            return ending(round, kNobody, turns);
        if (told) {
            told->emplace_back();
            told->back().seat = seat;
        }
        if (laying) {
            const Counts laid = chosen ? first->laid : laying_.laid();
            const int new_melds = !rules_.stars ? 0 : chosen ? first->new_melds : count_new(laid);
            if (told) {
                Told& turn = told->back();
                turn.act = Act::lay;
                turn.laid = laid;
                turn.beside = stand(round).locked;
                turn.melds = laying_.melds();
            }
            lay(round, laid, new_melds);
            if (sizes_[index(seat)] == 0) return ending(round, seat, turns + 1);
        } else {
            const int drawn = rest(round);
            if (told && drawn >= 0) {
                told->back().act = Act::draw;
                told->back().drawn = drawn;
            }
            if (round.passes >= round.seats) return ending(round, kNobody, turns + 1);
        }
        round.turn = (seat + rules_.step + round.seats) % round.seats;
    }
}

Stand Playout::stand(const Round& round) const {
    const auto all_opened = [&] {
        return std::all_of(round.opened.begin(), round.opened.begin() + round.seats, [](bool one) { return one; });
    };
    const bool opened = round.opened[index(round.turn)];
    Stand here;
    here.table = round.table;
    here.rack = round.racks[index(round.turn)];
    here.opening = opened ? 0 : rules_.opening;
    // club, *Le début du jeu*: "Par la suite, quand son tour revient".
    if (rules_.usable == Usable::next_turn) here.locked = !opened;
    // rummy, *Début du jeu*: "Quand tous les joueurs ont déposé leurs 30 points".
    if (rules_.usable == Usable::all_opened) here.locked = !all_opened();
    return here;
}

bool Playout::lays(const Round& round, Policy policy) {
    const Stand here = stand(round);
    if (policy == Policy::wait && !can_draw(round)) policy = Policy::tiles;
    const bool laying = !still_idle(round, here, policy) && laying_.find(here, policy);
    // What the best play left on the rack cannot be laid onto what it made, or it would not have been the best.
    idle_[index(round.turn)] = {policy != Policy::wait && (!laying || !here.locked), table_ + laying, -1};
    return laying;
}

// What a rack could not do before, it can only do with what was drawn; on the table, as long as nobody touched that.
bool Playout::still_idle(const Round& round, const Stand& here, Policy policy) const {
    const Idle& idle = idle_[index(round.turn)];
    // A joker that is held can open as soon as the whole rack can be laid, which depends on the table.
    const bool held = policy == Policy::hold && here.rack[kJoker] > 0;
    const bool rack_alone = here.locked || (here.opening > 0 && !held);
    if (!idle.known || (!rack_alone && idle.table != table_)) return false;
    if (idle.drawn < 0) return true;
    if (idle.drawn == kJoker) return false;
    Counts tiles = here.rack;
    if (!rack_alone) add(tiles, here.table);
    return !in_meld(tiles, tiles[kJoker], idle.drawn, rules_.groups);
}

void Playout::lay(Round& round, const Counts& laid, int new_melds) {
    const std::size_t seat = index(round.turn);
    int size = 0;
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        round.racks[seat][kind] = static_cast<std::uint8_t>(round.racks[seat][kind] - laid[kind]);
        round.table[kind] = static_cast<std::uint8_t>(round.table[kind] + laid[kind]);
        size += laid[kind];
    }
    sizes_[seat] -= size;
    ++table_;
    round.opened[seat] = true;
    round.passes = 0;
    // junior, *Etoile*: one for each tile laid, one for each new meld, one for the last tile of the rack.
    if (rules_.stars) round.stars[seat] += size + new_melds + (sizes_[seat] == 0);
}

bool Playout::can_draw(const Round& round) const {
    return round.drawn < round.pool_size && !(rules_.stars && round.stars[index(round.turn)] == 0);
}

// Draws, or passes where there is no tile, or no star to pay it with. Returns what was drawn, or -1.
int Playout::rest(Round& round) {
    const std::size_t seat = index(round.turn);
    if (!can_draw(round)) {
        ++round.passes;
        return -1;
    }
    const int kind = round.pool[index(round.drawn++)];
    ++round.racks[seat][static_cast<std::size_t>(kind)];
    ++sizes_[seat];
    if (rules_.stars) --round.stars[seat];
    round.passes = 0;
    idle_[seat].drawn = kind;
    return kind;
}

// The melds of the last play found that have no numbered tile of the table; of equal tiles, those laid go to the first
// melds that can be new.
int Playout::count_new(const Counts& laid) const {
    Counts left = laid;
    int count = 0;
    for (const Meld& meld : laying_.melds()) {
        Counts rest = left;
        bool is_new = true;
        for (std::size_t at = 0; at < meld.size && is_new; ++at)
            if (!meld.places[at].joker) is_new = rest[meld.places[at].kind]-- > 0;
        if (!is_new) continue;
        ++count;
        left = rest;
    }
    return count;
}

Ending Playout::ending(const Round& round, int finisher, int turns) const {
    Ending end;
    end.turns = turns;
    std::array<int, kMaxSeats> worths{};
    int total = 0;
    for (int seat = 0; seat < round.seats; ++seat) {
        worths[index(seat)] = worth(round.racks[index(seat)], rules_.joker_value);
        total += worths[index(seat)];
    }
    const auto place = [&](int seat) { return (rules_.step * (seat - round.starter) + round.seats) % round.seats; };
    const auto lowest = [&](auto rank) {
        int best = 0;
        for (int seat = 1; seat < round.seats; ++seat)
            if (rank(seat) < rank(best)) best = seat;
        return best;
    };
    if (rules_.stars) {
        // junior, *Le vainqueur*: each pays a star for each tile left; a tie goes to whoever laid the last tile first.
        for (std::size_t seat = 0; seat < index(round.seats); ++seat)
            end.scores[seat] = std::max(0, round.stars[seat] - sizes_[seat]);
        end.winner = lowest([&](int seat) {
            return std::tuple(-end.scores[index(seat)], seat != finisher, sizes_[index(seat)], place(seat));
        });
        return end;
    }
    end.winner = finisher != kNobody ? finisher : lowest([&](int seat) {
        return std::tuple(worths[index(seat)], sizes_[index(seat)], place(seat));
    });
    // classic, *Note*: a round that nobody finished is scored by the differences to the winner's rack.
    const int own = worths[index(end.winner)];
    const int less = finisher == kNobody && !rules_.others_less_own ? own : 0;
    for (int seat = 0; seat < round.seats; ++seat) end.scores[index(seat)] = less - worths[index(seat)];
    // club, *Marque*: the lowest takes the others' total "en décomptant ses propres points".
    end.scores[index(end.winner)] = less ? total - round.seats * own : total - 2 * own;
    return end;
}

Endings play_all(const RoundRules& rules, const std::vector<Round>& rounds, const FirstActions* firsts,
                 const Policy* policies, Workspace& workspace) {
    Endings endings;
    if (rounds.empty()) return endings;
    Playout playout(rules, workspace);
    playout.check_table(rounds.front().table);
    for (std::size_t at = 0; at < (firsts ? firsts->size() : 1); ++at) {
        std::optional<First> first;
        Counts rack{};  // with which the action was judged
        for (const Round& start : rounds) {
            const Counts& held = start.racks[index(start.turn)];
            if (firsts && (!first || held != rack)) {
                try {
                    const auto& laid = (*firsts)[at];
                    first = laid ? playout.first(start, *laid) : First{};
                } catch (const std::invalid_argument& wrong) {
                    throw std::invalid_argument("firsts[" + std::to_string(at) + "]: " + wrong.what());
                }
                rack = held;
            }
            Round round = start;
            const Ending ending = playout.finish(round, policies, first ? &*first : nullptr);
            endings.winners.push_back(static_cast<std::uint8_t>(ending.winner));
            endings.scores.insert(endings.scores.end(), ending.scores.begin(), ending.scores.begin() + round.seats);
            endings.turns.push_back(ending.turns);
        }
    }
    return endings;
}

}  // namespace tilerummy
