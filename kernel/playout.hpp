// Play-outs: a round played to its end, each seat by a policy, jokers being free.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "laying.hpp"
#include "solver.hpp"

namespace tilerummy {

inline constexpr int kMaxSeats = 6;
inline constexpr int kMaxTiles = kNumberedKinds * kMaxCopies + kMaxJokers;

// When a player may use the melds on the table.
enum class Usable : std::uint8_t { opening_turn, next_turn, all_opened };

// What of a ruleset decides about a round.
struct RoundRules {
    TileSet tiles;
    bool groups = true;
    int opening = 30;
    Usable usable = Usable::opening_turn;
    int step = 1;                  // to the next seat
    bool one_stuck = false;        // with an empty pool the round ends as soon as one player cannot lay
    bool others_less_own = false;  // how a round without a finisher is scored; otherwise by differences
    int joker_value = 30;          // on a rack, at the end
    bool stars = false;            // played for stars
};

// A round at the moment a seat is to move.
struct Round {
    int seats = 2;
    int turn = 0;
    int passes = 0;
    int starter = 0;
    Counts table{};
    std::array<Counts, kMaxSeats> racks{};
    std::array<bool, kMaxSeats> opened{};
    std::array<int, kMaxSeats> stars{};
    std::array<std::uint8_t, kMaxTiles> pool{};  // in the order of drawing
    int pool_size = 0;
    int drawn = 0;  // from the pool so far
};

// Each throws std::invalid_argument, naming the field: for rules, for a round that these rules cannot have.
void check_rules(const RoundRules& rules);
void check_round(const RoundRules& rules, const Round& round);

struct Ending {
    int winner = 0;
    int turns = 0;
    std::array<int, kMaxSeats> scores{};
};

enum class Act : std::uint8_t { lay, draw, pass };

// What a seat did in its turn.
struct Told {
    int seat = 0;
    Act act = Act::pass;
    int drawn = 0;  // a kind
    Counts laid{};
    bool beside = false;  // the melds lie beside the table; otherwise they are the table
    std::vector<Meld> melds;
};

// What the seat to move does first, by somebody else's choice.
struct First {
    bool lays = false;  // otherwise it draws or passes
    Counts laid{};
    int new_melds = 0;  // for which there are stars
};

// Plays rounds of one ruleset.
class Playout {
public:
    Playout(const RoundRules& rules, Workspace& workspace)
        : rules_(rules), laying_(rules_.tiles, rules_.groups, workspace) {}
    Playout(const Playout&) = delete;
    Playout& operator=(const Playout&) = delete;

    // Throws std::invalid_argument if these tiles do not form melds.
    void check_table(const Counts& table);

    // The first turn in which these tiles are laid. Throws std::invalid_argument if that is no legal play.
    First first(const Round& round, const Counts& laid);

    // Plays the round to its end: one policy a seat, after `first` if there is one; what happens is added to `told`.
    Ending finish(Round& round, const Policy* policies, const First* first = nullptr,
                  std::vector<Told>* told = nullptr);

private:
    // What a seat knows from its last turn: that nothing more could be laid.
    struct Idle {
        bool known = false;
        std::uint32_t table = 0;  // which table that was
        int drawn = -1;           // what came to the rack since then
    };

    bool lays(const Round& round, Policy policy);
    bool still_idle(const Round& round, const Stand& stand, Policy policy) const;
    void lay(Round& round, const Counts& laid, int new_melds);
    int rest(Round& round);
    bool can_draw(const Round& round) const;
    Stand stand(const Round& round) const;
    int count_new(const Counts& laid) const;
    Ending ending(const Round& round, int finisher, int turns) const;

    RoundRules rules_;
    Laying laying_;
    std::array<Idle, kMaxSeats> idle_{};
    std::array<int, kMaxSeats> sizes_{};  // of the racks
    std::uint32_t table_ = 0;             // counts the plays
};

// Of many rounds: first action by first action, and round by round.
struct Endings {
    std::vector<std::uint8_t> winners;
    std::vector<std::int32_t> scores;  // seat by seat
    std::vector<std::int32_t> turns;
};

using FirstActions = std::vector<std::optional<Counts>>;  // the tiles laid; none: draw or pass

// Plays each round to its end after each first action; without any actions, each round as it is. The rounds have been
// checked and are of the same seat's turn at the same table. Throws std::invalid_argument, naming the action.
Endings play_all(const RoundRules& rules, const std::vector<Round>& rounds, const FirstActions* firsts,
                 const Policy* policies, Workspace& workspace);

}  // namespace tilerummy
