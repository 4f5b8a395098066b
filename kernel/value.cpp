#include "value.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "run_states.hpp"

namespace tilerummy {
namespace {

constexpr int kNever = -1'000'000;
constexpr int kHopeless = kNever / 2;
constexpr std::uint32_t kNone = 0xFFFFFFFF;

// A sweep over the numbers keeps so many states a number, the most promising ones; the last keeps all that can matter.
constexpr std::uint32_t kWidths[] = {16, 200, kNone};

// A meld needs a numbered tile. Four jokers make at most one meld without any, so that few runs are in doubt: those of
// jokers only that the jokers left could still make a meld of. In a colour they are all of one length.
enum Doubt : std::uint8_t { no_doubt, one_of_one, two_of_one, one_of_two, one_of_many };

constexpr Doubt doubt_of(int length, int runs, int jokers_left) {
    if (runs == 0 || length + jokers_left < 3) return no_doubt;
    if (length == 1) return runs == 1 ? one_of_one : two_of_one;
    return length == 2 ? one_of_two : one_of_many;
}
constexpr int runs_in(Doubt doubt) { return doubt == no_doubt ? 0 : doubt == two_of_one ? 2 : 1; }
constexpr int length_of(Doubt doubt) { return doubt == one_of_many ? 3 : doubt == one_of_two ? 2 : 1; }

// places[tiles][jokers]: the most places in groups that hold just so many jokers, and tiles (two bits a colour) as they
// need. Groups can be built exactly when no colour has more than one tile a group, the places are 3 to 4 a group and the
// tiles at least 1 a group.
struct GroupTable {
    std::uint8_t places[256][kMaxJokers + 1]{};

    constexpr GroupTable() {
        for (int tiles = 0; tiles < 256; ++tiles)
            for (int groups = 1; groups <= kMaxCopies * kColours; ++groups) {
                int used = 0;
                for (int colour = 0; colour < kColours; ++colour) used += std::min(tiles >> (2 * colour) & 3, groups);
                if (used < groups) break;
                for (int jokers = std::max(0, 3 * groups - used); jokers <= std::min(kMaxJokers, 4 * groups - used);
                     ++jokers)
                    places[tiles][jokers] = std::max(places[tiles][jokers], static_cast<std::uint8_t>(used + jokers));
            }
    }
};
constexpr GroupTable kGroups{};

// State::supply of one colour, by run state.
struct SupplyTable {
    std::uint16_t supply[kRunStates]{};

    constexpr SupplyTable() {
        for (std::size_t i = 0; i < kRunStates; ++i) {
            const OpenRuns runs = kRunTable.runs[i];
            supply[i] = static_cast<std::uint16_t>((runs.unfinished() + runs.many) | (kMaxOpen - runs.one) << 4 |
                                                   (kMaxOpen - runs.unfinished()) << 8);
        }
    }
};
constexpr SupplyTable kSupply{};
constexpr std::uint64_t kGuards = 0x8888888888888;        // above 13 places of four bits
constexpr std::uint64_t kUnfinishedMask = 0xFF0FF0FF0FF0;  // less the open runs and the jokers

// How the tiles of one colour and number, and jokers as such, go into runs.
struct Choice {
    int promise;         // the colour's tiles from here on bring no more points, less the price of the jokers for it
    int rest;            // the part of it that comes after this number
    std::uint8_t runs;   // the open runs afterwards
    Doubt doubt;
    std::uint8_t places;
    std::uint8_t jokers;
    std::uint8_t left;   // tiles for groups
};

struct Choices {
    std::array<Choice, 2 * (kMaxOpen + 1)> all;
    std::size_t count = 0;
};

struct State {
    int points;
    int bound;  // no more than these in the end
    // Four bits each, the more the better: per colour the open runs, 7 less those of length 1, 7 less those of length 1
    // or 2; jokers left.
    std::uint64_t supply;
    std::uint32_t runs;  // a run state per colour, a byte each
    std::uint32_t chain;
    std::uint16_t doubts;  // four bits a colour
    std::uint8_t jokers;
    std::uint8_t open;  // runs that may end
};

struct Promise {
    std::uint32_t stamp = 0;
    int points = 0;
};

// What a thread keeps between calls.
struct Memory {
    Promise promises[kColours][kMaxNumber + 2][kRunStates][kMaxJokers + 1];
    std::uint32_t stamp = 0;
    std::vector<State> now;
    std::vector<State> next;
    std::vector<std::uint32_t> buckets;
    std::vector<std::uint64_t> supplies;
};

class Valuer {
public:
    Valuer(const Counts& tiles, int numbers, bool groups, Memory& memory)
        : numbers_(numbers), groups_(groups), jokers_(tiles[kJoker]), memory_(memory) {
        for (int colour = 0; colour < kColours; ++colour)
            for (int number = numbers; number >= 1; --number) {
                have_[colour][number] = tiles[static_cast<std::size_t>(kind_of(colour, number))];
                gaps_[colour][number] = gaps_[colour][number + 1] + (have_[colour][number] == 0);
                if (have_[colour][number]) highest_ = std::max(highest_, number);
            }
        if (groups)
            for (int number = 1; number <= numbers; ++number) find_group_gains(number);
        if (++memory_.stamp != 0) return;
        for (auto& colour : memory_.promises)
            for (auto& number : colour)
                for (auto& runs : number) std::fill(std::begin(runs), std::end(runs), Promise{});
        memory_.stamp = 1;
    }

    int value() {
        for (const std::uint32_t width : kWidths) {
            width_ = width;
            discarded_ = 0;
            sweep();
            if (discarded_ <= best_) break;
        }
        return best_;
    }

private:
    // What a colour's tiles bring in groups at the most. The first groups need no jokers if all tiles are there; each one
    // more needs at least one, and at most two colours have a tile for it: with three it would need none.
    void find_group_gains(int number) {
        int& free = free_groups_[number];
        for (int groups = 1; groups <= kMaxCopies; ++groups) {
            int members = 0;
            for (int colour = 0; colour < kColours; ++colour) members += std::min(have_[colour][number], groups);
            if (members >= 3 * groups) free = groups;
        }
        for (int copy = 1; copy <= kMaxCopies; ++copy) {
            int colours = 0;
            for (int colour = 0; colour < kColours; ++colour) colours += have_[colour][number] >= copy;
            const int price = copy <= free || colours == 0 ? 0 : joker_price(number) / colours;
            group_gains_[number][copy] = group_gains_[number][copy - 1] + std::max(0, number - price);
        }
    }

    // What so many jokers are worth at the most after this number: beyond the highest tile a run goes on with jokers only,
    // each one place further.
    int joker_points(int number, int jokers) const {
        int points = 0;
        for (int place = 1; place <= jokers; ++place) points += std::min(numbers_, std::max(number, highest_) + place);
        return points;
    }

    // What a joker at this number loses at the least against the place that `joker_points` grants it.
    int joker_price(int number) const { return std::max(0, std::min(numbers_, highest_ + 1) - number); }

    // How many runs are worth keeping open after this number, beyond those that have to go on.
    int long_cap(int colour, int number, int jokers) const {
        return number < numbers_ ? have_[colour][number + 1] + jokers : 0;
    }

    int promise(int colour, int number, int runs, int jokers) {
        if (number > numbers_) return kRunTable.runs[static_cast<std::size_t>(runs)].unfinished() ? kNever : 0;
        Promise& found = memory_.promises[colour][number][runs][jokers];
        if (found.stamp != memory_.stamp) {
            Choices choices;
            find_choices(colour, number, runs, no_doubt, jokers, choices);
            int most = kNever;
            for (std::size_t i = 0; i < choices.count; ++i) most = std::max(most, choices.all[i].promise);
            found = {memory_.stamp, most};
        }
        return found.points;
    }

    // A run that may end goes on before another one starts there, because the two are one run as well: the count of places
    // decides all. Tiles are taken before jokers, first for the runs in doubt, then for those that start. Only where three
    // jokers would make a group of their own does one of them change places with a tile.
    void find_choices(int colour, int number, int runs, Doubt doubt, int jokers, Choices& choices) {
        const OpenRuns open = kRunTable.runs[static_cast<std::size_t>(runs)];
        const int have = have_[colour][number];
        choices.count = 0;
        for (int places = open.unfinished() + (doubt == one_of_many); places <= have + jokers; ++places) {
            const RunStep step = step_runs(open, places, 0);
            if (step.started > 0 && number > numbers_ - 2) break;
            const int most_tiles = std::min(places, have);
            const int fewest_tiles = std::max({0, places - jokers, most_tiles - (groups_ && jokers >= 3)});
            for (int tiles = most_tiles; tiles >= fewest_tiles; --tiles) {
                const int used = places - tiles;
                const int jokers_left = jokers - used;
                const int settled = std::min(tiles, runs_in(doubt));
                const int started_by_joker = std::max(0, step.started - (tiles - settled));
                // A joker in front is worth more at the end of its run, unless that is the last number.
                if (started_by_joker > 0 && jokers_left < gaps_[colour][number + 1]) continue;
                const int many = std::min<int>(step.after.many, long_cap(colour, number, jokers_left));
                Choice choice;
                choice.runs = kRunTable.index[step.after.one][step.after.two][many];
                choice.rest = promise(colour, number + 1, choice.runs, jokers_left);
                if (choice.rest <= kHopeless) continue;
                const int in_groups = std::min(have - tiles, free_groups_[number] + jokers_left);
                choice.promise = choice.rest + number * tiles - joker_price(number) * used +
                                 group_gains_[number][in_groups];
                choice.doubt = settled < runs_in(doubt)
                                   ? doubt_of(length_of(doubt) + 1, runs_in(doubt) - settled, jokers_left)
                                   : doubt_of(1, started_by_joker, jokers_left);
                choice.places = static_cast<std::uint8_t>(places);
                choice.jokers = static_cast<std::uint8_t>(used);
                choice.left = static_cast<std::uint8_t>(have - tiles);
                choices.all[choices.count++] = choice;
            }
        }
    }

    void sweep() {
        State root{};
        root.bound = std::numeric_limits<int>::max();
        root.jokers = static_cast<std::uint8_t>(jokers_);
        memory_.now.assign(1, root);
        for (int number = 1; number <= numbers_ && !memory_.now.empty(); ++number) {
            memory_.next.clear();
            cut_ = best_;
            sort_into_buckets(4 * memory_.now.size());
            for (const State& state : memory_.now)
                if (state.bound > best_) expand(number, state);
            thin_out();
            narrow();
            std::swap(memory_.now, memory_.next);
        }
    }

    void expand(int number, const State& state) {
        Choices choices[kColours];
        int promised = state.points + joker_points(number - 1, state.jokers);
        for (int colour = 0; colour < kColours; ++colour) {
            Choices& mine = choices[colour];
            find_choices(colour, number, state.runs >> (8 * colour) & 0xFF,
                         static_cast<Doubt>(state.doubts >> (4 * colour) & 0xF), state.jokers, mine);
            if (mine.count == 0) return;
            std::sort(mine.all.begin(), mine.all.begin() + mine.count, [](const Choice& a, const Choice& b) {
                return a.promise != b.promise ? a.promise > b.promise
                                              : kRunTable.runs[a.runs].many > kRunTable.runs[b.runs].many;
            });
            promised += mine.all[0].promise;
        }
        const Choice* chosen[kColours];
        choose(number, state, choices, 0, promised, state.jokers, chosen);
    }

    // `promised` is the bound if the other colours make their best choices.
    void choose(int number, const State& state, const Choices (&choices)[kColours], std::size_t colour, int promised,
                int jokers, const Choice* (&chosen)[kColours]) {
        if (colour == kColours) return make_groups(number, state, chosen, jokers);
        const Choices& mine = choices[colour];
        for (std::size_t i = 0; i < mine.count; ++i) {
            const Choice& choice = mine.all[i];
            const int still_promised = promised - mine.all[0].promise + choice.promise;
            if (still_promised <= cut_) break;
            if (choice.jokers > jokers) continue;
            chosen[colour] = &choice;
            choose(number, state, choices, colour + 1, still_promised, jokers - choice.jokers, chosen);
        }
    }

    void make_groups(int number, const State& state, const Choice* const (&chosen)[kColours], int jokers) {
        unsigned tiles = 0;
        int in_runs = 0;
        int rest = 0;
        for (int colour = 0; colour < kColours; ++colour) {
            tiles |= static_cast<unsigned>(chosen[colour]->left) << (2 * colour);
            in_runs += chosen[colour]->places;
            rest += chosen[colour]->rest;
        }
        for (int used = 0; used <= (groups_ ? jokers : 0); ++used) {
            const int in_groups = groups_ ? kGroups.places[tiles][used] : 0;
            if (used > 0 && in_groups == 0) continue;
            const int points = state.points + number * (in_runs + in_groups);
            if (points + rest + joker_points(number, jokers - used) > cut_)
                add(number, points, jokers - used, chosen);
        }
    }

    void add(int number, int points, int jokers, const Choice* const (&chosen)[kColours]) {
        State state{};
        state.points = points;
        state.bound = points + joker_points(number, jokers);
        state.jokers = static_cast<std::uint8_t>(jokers);
        state.supply = static_cast<std::uint64_t>(jokers) << (12 * kColours);
        bool finished = true;  // every run is a meld as it is
        for (int colour = 0; colour < kColours; ++colour) {
            const Choice& choice = *chosen[colour];
            const std::uint8_t runs = kRunTable.capped[choice.runs][std::min(long_cap(colour, number, jokers), kMaxOpen)];
            const Doubt doubt = doubt_of(length_of(choice.doubt), runs_in(choice.doubt), jokers);
            state.bound += promise(colour, number + 1, runs, jokers);
            state.supply |= std::uint64_t{kSupply.supply[runs]} << (12 * colour);
            state.runs |= std::uint32_t{runs} << (8 * colour);
            state.doubts = static_cast<std::uint16_t>(state.doubts | doubt << (4 * colour));
            state.open = static_cast<std::uint8_t>(state.open + kRunTable.runs[runs].many);
            finished = finished && kRunTable.runs[runs].unfinished() == 0 && doubt != one_of_many;
        }
        if (state.bound <= cut_) return;
        if (finished) best_ = std::max(best_, points);
        cut_ = std::max(cut_, best_);

        auto& states = memory_.next;
        std::uint32_t& head = bucket(state);
        std::uint32_t place = kNone;
        for (std::uint32_t i = head; i != kNone; i = states[i].chain) {
            if (at_least(states[i], state)) return;
            if (!at_least(state, states[i])) continue;
            if (place == kNone)
                place = i;
            else
                states[i].bound = kNever;
        }
        if (place == kNone) {
            place = static_cast<std::uint32_t>(states.size());
            states.push_back(state);
            states[place].chain = head;
            head = place;
        } else {
            state.chain = states[place].chain;
            states[place] = state;
        }
        if (states.size() / 2 >= width_) {
            narrow();
            sort_into_buckets(memory_.buckets.size());
        } else if (states.size() > memory_.buckets.size()) {
            sort_into_buckets(4 * states.size());
        }
    }

    static bool covers(std::uint64_t supply, std::uint64_t other) {
        return (((supply | kGuards) - other) & kGuards) == kGuards;
    }

    // Whatever follows after the other state can follow after this one.
    static bool at_least(const State& state, const State& other) {
        return state.points >= other.points && covers(state.supply, other.supply) &&
               (state.doubts == 0 || state.doubts == other.doubts) && state.bound != kNever;
    }

    // States with the same unfinished runs meet in one bucket; `thin_out` looks at the others.
    std::uint32_t& bucket(const State& state) {
        return memory_.buckets[(state.supply & kUnfinishedMask) * 0x9E3779B97F4A7C15u >> shift_];
    }

    void sort_into_buckets(std::size_t wanted) {
        const std::size_t size = std::bit_ceil(wanted | 63);
        memory_.buckets.assign(size, kNone);
        shift_ = 64 - std::countr_zero(size);
        auto& states = memory_.next;
        for (std::uint32_t i = 0; i < states.size(); ++i) {
            std::uint32_t& head = bucket(states[i]);
            states[i].chain = head;
            head = i;
        }
    }

    // Drops each state that another one is at least as good as: that one comes before it.
    void thin_out() {
        auto& states = memory_.next;
        std::sort(states.begin(), states.end(), [](const State& a, const State& b) {
            if (a.points != b.points) return a.points > b.points;
            return a.supply != b.supply ? a.supply > b.supply : a.doubts < b.doubts;
        });
        auto& supplies = memory_.supplies;  // of those kept, close together, because here the time goes
        supplies.clear();
        std::size_t kept = 0;
        for (const State& state : states) {
            if (state.bound <= best_) continue;
            const auto better = [&](std::size_t i) {
                return covers(supplies[i], state.supply) &&
                       (states[i].doubts == 0 || states[i].doubts == state.doubts);
            };
            std::size_t i = 0;
            while (i < kept && !better(i)) ++i;
            if (i < kept) continue;
            states[kept++] = state;
            supplies.push_back(state.supply);
        }
        states.resize(kept);
    }

    // Keeps the most promising states; of equal ones those with more runs that may go on or end.
    void narrow() {
        auto& states = memory_.next;
        if (states.size() <= width_) return;
        const auto last = states.begin() + width_ - 1;
        std::nth_element(states.begin(), last, states.end(), [](const State& a, const State& b) {
            return a.bound != b.bound ? a.bound > b.bound : a.open > b.open;
        });
        cut_ = std::max(cut_, last->bound);
        discarded_ = std::max(discarded_, cut_);
        states.erase(last + 1, states.end());
    }

    int numbers_;
    bool groups_;
    int jokers_;
    Memory& memory_;
    int have_[kColours][kMaxNumber + 1]{};
    int gaps_[kColours][kMaxNumber + 2]{};  // numbers from this one on of which there is no tile
    int highest_ = 0;
    int free_groups_[kMaxNumber + 1]{};
    int group_gains_[kMaxNumber + 1][kMaxCopies + 1]{};  // of so many tiles
    int best_ = 0;
    int cut_ = 0;        // states that promise no more are not kept
    int discarded_ = 0;  // the most that a state promised which the width left no room for
    std::size_t width_ = 0;
    int shift_ = 0;
};

void check_counts(const Counts& tiles, int numbers) {
    if (numbers < 1 || numbers > kMaxNumber) throw std::invalid_argument("numbers: 1 to " + std::to_string(kMaxNumber));
    if (tiles[kJoker] > kMaxJokers)
        throw std::invalid_argument("tiles: more than " + std::to_string(kMaxJokers) + " jokers");
    for (int kind = 0; kind < kNumberedKinds; ++kind) {
        const int count = tiles[static_cast<std::size_t>(kind)];
        if (count > kMaxCopies)
            throw std::invalid_argument("tiles: more than " + std::to_string(kMaxCopies) + " of a kind");
        if (count > 0 && number_of(kind) > numbers) throw std::invalid_argument("tiles: a number beyond the last");
    }
}

}  // namespace

int best_value(const Counts& tiles, int numbers, bool groups) {
    check_counts(tiles, numbers);
    static thread_local Memory memory;
    return Valuer(tiles, numbers, groups, memory).value();
}

}  // namespace tilerummy
