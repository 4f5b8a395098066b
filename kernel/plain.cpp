#include "plain.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "groups.hpp"
#include "melds.hpp"

namespace tilerummy {
namespace {

// Open runs of one colour, by length 1, 2, 3 or more, each without and with a numbered tile in it.
constexpr int kClasses = 6;
constexpr int kFinished = 5;
using Runs = std::array<std::uint8_t, kClasses>;

constexpr int class_of(int length, bool has_tile) { return (std::min(length, 3) - 1) * 2 + has_tile; }
constexpr int extended_class(int before, bool by_tile) { return class_of(before / 2 + 2, before % 2 == 1 || by_tile); }

struct ColourMove {
    Runs by_tile{};
    Runs by_wild{};
    Runs joined{};
    std::uint8_t started_by_tile = 0;
    std::uint8_t started_by_wild = 0;
    std::uint8_t tiles = 0;
    std::uint8_t wild = 0;
    Runs after{};
};

class MoveMaker {
public:
    MoveMaker(const Cell& cell, int jokers, const Runs& runs, std::vector<ColourMove>& moves)
        : cell_(cell), most_wild_(cell.pins + jokers), runs_(runs), moves_(moves) {
        next_class(0, cell.block_starts);
    }

private:
    void next_class(int i, int blocks) {
        if (i == kClasses) return start();
        const auto c = static_cast<std::size_t>(i);
        for (int by_tile = 0; by_tile <= runs_[c] && move_.tiles + by_tile <= cell_.all; ++by_tile)
            for (int by_wild = 0; by_tile + by_wild <= runs_[c] && move_.wild + by_wild <= most_wild_; ++by_wild) {
                const int stopped = runs_[c] - by_tile - by_wild;
                // A finished run gains nothing by joining a block, any other has to.
                const int joined = i == kFinished ? 0 : stopped;
                if (joined > blocks) continue;
                const ColourMove before = move_;
                move_.by_tile[c] = static_cast<std::uint8_t>(by_tile);
                move_.by_wild[c] = static_cast<std::uint8_t>(by_wild);
                move_.joined[c] = static_cast<std::uint8_t>(joined);
                use(by_tile, by_wild);
                move_.after[static_cast<std::size_t>(extended_class(i, true))] += static_cast<std::uint8_t>(by_tile);
                move_.after[static_cast<std::size_t>(extended_class(i, false))] += static_cast<std::uint8_t>(by_wild);
                next_class(i + 1, blocks - joined);
                move_ = before;
            }
    }

    void start() {
        for (int by_tile = 0; move_.tiles + by_tile <= cell_.all; ++by_tile)
            for (int by_wild = 0; move_.wild + by_wild <= most_wild_; ++by_wild) {
                if (move_.wild + by_wild < cell_.pins) continue;
                const ColourMove before = move_;
                move_.started_by_tile = static_cast<std::uint8_t>(by_tile);
                move_.started_by_wild = static_cast<std::uint8_t>(by_wild);
                use(by_tile, by_wild);
                move_.after[class_of(1, true)] += static_cast<std::uint8_t>(by_tile);
                move_.after[class_of(1, false)] += static_cast<std::uint8_t>(by_wild);
                move_.after[kFinished] += cell_.block_ends;
                moves_.push_back(move_);
                move_ = before;
            }
    }

    void use(int tiles, int wild) {
        move_.tiles = static_cast<std::uint8_t>(move_.tiles + tiles);
        move_.wild = static_cast<std::uint8_t>(move_.wild + wild);
    }

    const Cell& cell_;
    int most_wild_;
    const Runs& runs_;
    std::vector<ColourMove>& moves_;
    ColourMove move_;
};

struct PlainKey {
    std::array<Runs, kColours> runs{};
    int jokers = 0;
    auto operator<=>(const PlainKey&) const = default;
};

struct PlainState {
    PlainKey key;
    Value value = 0;
    std::size_t parent = 0;
    std::array<ColourMove, kColours> moves{};
    GroupChoice groups;
};

class PlainSearch {
public:
    PlainSearch(const Position& position, const Query& query, std::uint64_t node_limit, Solution& solution)
        : position_(position), query_(query), node_limit_(node_limit), solution_(solution) {}

    void run() {
        states_.emplace_back();
        states_[0].key.jokers = position_.jokers();
        std::size_t begin = 0;
        for (number_ = 1; number_ <= position_.numbers; ++number_) {
            layer_.clear();
            const std::size_t end = states_.size();
            for (std::size_t i = begin; i < end; ++i) {
                if (node_limit_ && solution_.nodes >= node_limit_) {
                    solution_.proven = solution_.feasible = false;
                    return;
                }
                ++solution_.nodes;
                state_ = states_[i];
                state_.parent = i;
                next_colour(0);
            }
            begin = end;
        }
        solution_.proven = true;
        finish(begin);
    }

private:
    void next_colour(int colour) {
        if (colour == kColours) return make_groups();
        const auto c = static_cast<std::size_t>(colour);
        const Cell& cell = position_.cells[colour][number_];
        const Runs runs = state_.key.runs[c];
        const int jokers = state_.key.jokers;
        std::vector<ColourMove> moves;
        MoveMaker(cell, jokers, runs, moves);
        for (const ColourMove& move : moves) {
            state_.moves[c] = move;
            state_.key.runs[c] = move.after;
            state_.key.jokers = jokers - (move.wild - cell.pins);
            next_colour(colour + 1);
        }
        state_.key.runs[c] = runs;
        state_.key.jokers = jokers;
    }

    void make_groups() {
        state_.groups = GroupChoice{};
        state_.groups.pins = position_.rows[number_].pins;
        std::array<int, kColours> left{};
        for (std::size_t c = 0; c < kColours; ++c)
            left[c] = position_.cells[c][number_].all - state_.moves[c].tiles;
        fill_block(0, left);
    }

    void fill_block(int block, std::array<int, kColours> left) {
        const NumberRow& row = position_.rows[number_];
        if (block >= kMaxGroupBlocks || block == row.open_count) return choose_members(0, left);
        GroupChoice& choice = state_.groups;
        choice.taken[block] = GroupChoice::kNothing;
        fill_block(block + 1, left);
        if (choice.pins > 0) {
            --choice.pins;
            choice.taken[block] = GroupChoice::kPin;
            fill_block(block + 1, left);
            ++choice.pins;
        }
        if (state_.key.jokers > 0) {
            --state_.key.jokers;
            choice.taken[block] = GroupChoice::kFreeJoker;
            fill_block(block + 1, left);
            ++state_.key.jokers;
        }
        for (std::uint8_t colour = 0; colour < kColours; ++colour) {
            if (!(row.open[block].missing >> colour & 1) || left[colour] == 0) continue;
            --left[colour];
            choice.taken[block] = colour;
            fill_block(block + 1, left);
            ++left[colour];
        }
    }

    void choose_members(std::size_t colour, const std::array<int, kColours>& left) {
        if (colour == kColours) return choose_groups(left);
        const Cell& cell = position_.cells[colour][number_];
        for (int used = 0; used <= left[colour]; ++used) {
            if (cell.all - left[colour] + used < cell.table) continue;
            state_.groups.used[colour] = static_cast<std::uint8_t>(used);
            choose_members(colour + 1, left);
        }
    }

    void choose_groups(const std::array<int, kColours>& left) {
        GroupChoice& choice = state_.groups;
        const int jokers = state_.key.jokers;
        int numbered = 0;
        int highest = 0;
        for (const int used : choice.used) {
            numbered += used;
            highest = std::max(highest, used);
        }
        const int most = position_.groups_allowed ? numbered : 0;
        for (int groups = highest; groups <= most; ++groups)
            for (int wild = 0; wild <= jokers; ++wild) {
                const int members = numbered + choice.pins + wild;
                if (members < 3 * groups || members > 4 * groups) continue;
                choice.groups = groups;
                choice.jokers = wild;
                state_.key.jokers = jokers - wild;
                add(left);
            }
        state_.key.jokers = jokers;
    }

    void add(const std::array<int, kColours>& left) {
        const Value before = state_.value;
        for (std::size_t c = 0; c < kColours; ++c) {
            const Cell& cell = position_.cells[c][number_];
            const int laid = cell.all - left[c] + state_.groups.used[c] - cell.table;
            state_.value += laid * cell.weight;
        }
        const auto [place, is_new] = layer_.try_emplace(state_.key, states_.size());
        if (is_new)
            states_.push_back(state_);
        else if (states_[place->second].value < state_.value)
            states_[place->second] = state_;
        state_.value = before;
    }

    void finish(std::size_t begin) {
        std::size_t best = states_.size();
        Value most = 0;
        for (std::size_t i = begin; i < states_.size(); ++i) {
            const PlainState& state = states_[i];
            const bool closed = std::all_of(state.key.runs.begin(), state.key.runs.end(), [](const Runs& runs) {
                return std::all_of(runs.begin(), runs.begin() + kFinished, [](int count) { return count == 0; });
            });
            if (!closed || state.key.jokers > position_.rack_jokers) continue;
            const Value value = state.value + (position_.rack_jokers - state.key.jokers) * position_.joker_weight;
            if (best < states_.size() && value <= most) continue;
            best = i;
            most = value;
        }
        solution_.feasible = best < states_.size();
        if (solution_.feasible) build(best);
    }

    void build(std::size_t last) {
        std::vector<const PlainState*> path;
        for (std::size_t i = last; i != 0; i = states_[i].parent) path.push_back(&states_[i]);
        std::reverse(path.begin(), path.end());
        std::vector<OpenMeld> melds;
        Builder builder(position_, query_, melds);
        int number = 0;
        for (const PlainState* state : path) {
            ++number;
            for (int colour = 0; colour < kColours; ++colour)
                build_runs(builder, number, colour, state->moves[static_cast<std::size_t>(colour)]);
            builder.add_groups(number, state->groups);
        }
        builder.write(solution_);
    }

    void build_runs(Builder& builder, int number, int colour, const ColourMove& move) {
        std::array<std::vector<std::size_t>, kClasses> open;
        for (std::size_t i = 0; i < builder.melds().size(); ++i) {
            const OpenMeld& meld = builder.melds()[i];
            if (meld.run && meld.size > 0 && meld.colour == colour && meld.last() == number - 1)
                open[static_cast<std::size_t>(class_of(meld.size, meld.has_tile()))].push_back(i);
        }
        std::vector<std::size_t> blocks = builder.blocks_starting(colour, number);
        int pins = position_.cells[colour][number].pins;
        const auto wild = [&] { return pins-- > 0 ? Filler::pin : Filler::joker; };
        for (std::size_t c = 0; c < kClasses; ++c) {
            std::size_t next = 0;
            for (int i = 0; i < move.by_tile[c]; ++i) builder.extend(open[c][next++], Filler::numbered);
            for (int i = 0; i < move.by_wild[c]; ++i) builder.extend(open[c][next++], wild());
            for (int i = 0; i < move.joined[c]; ++i) {
                builder.join(open[c][next++], blocks.back());
                blocks.pop_back();
            }
        }
        for (int i = 0; i < move.started_by_tile; ++i) builder.start(colour, number, Filler::numbered);
        for (int i = 0; i < move.started_by_wild; ++i) builder.start(colour, number, wild());
    }

    const Position& position_;
    const Query& query_;
    std::uint64_t node_limit_;
    Solution& solution_;
    std::vector<PlainState> states_;
    std::map<PlainKey, std::size_t> layer_;
    PlainState state_;
    int number_ = 0;
};

}  // namespace

void plain_solve(const Position& position, const Query& query, std::uint64_t node_limit, Solution& solution) {
    PlainSearch(position, query, node_limit, solution).run();
}

}  // namespace tilerummy
