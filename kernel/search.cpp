#include "search.hpp"

#include <algorithm>
#include <bit>

#include "groups.hpp"

namespace tilerummy {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;
constexpr std::uint64_t kGuards = 0x8888888888888;  // above 13 places of four bits

constexpr std::size_t kThinOut = 64;  // layers up to this size are compared pair by pair

struct Pass {
    bool informed;
    std::uint32_t width;
};
constexpr Pass kPasses[] = {{false, 1}, {false, 40}, {true, 200}, {true, kNone}};

constexpr std::uint64_t kUnfinishedMask = 0xF00F00F00F00;

// What groups the tiles of a number (two bits a colour) can form.
struct GroupTable {
    std::uint8_t largest[256]{};                 // tiles of a colour
    std::uint8_t jokers[256][kMaxCopies + 1]{};  // that so many groups need
    std::uint8_t most[256][kMaxJokers + 1]{};    // groups, with that many jokers

    constexpr GroupTable() {
        for (int tiles = 0; tiles < 256; ++tiles)
            for (int groups = 0; groups <= kMaxCopies; ++groups) {
                int members = 0;
                for (int colour = 0; colour < kColours; ++colour) {
                    const int count = tiles >> (2 * colour) & 3;
                    largest[tiles] = std::max(largest[tiles], static_cast<std::uint8_t>(count));
                    members += std::min(count, groups);
                }
                const int needed = std::max(0, 3 * groups - members);
                jokers[tiles][groups] = static_cast<std::uint8_t>(needed);
                if (groups <= largest[tiles])
                    for (int left = needed; left <= kMaxJokers; ++left)
                        most[tiles][left] = static_cast<std::uint8_t>(groups);
            }
    }
};
constexpr GroupTable kGroups{};

bool at_least(std::uint64_t supply, std::uint64_t other) {
    return (((supply | kGuards) - other) & kGuards) == kGuards;
}

class Search {
public:
    Search(SearchMemory& memory, Value ceiling, std::uint64_t node_limit)
        : memory_(memory), position_(memory.position), ceiling_(ceiling), node_limit_(node_limit) {
        memory_.options.begin_position();
    }

    SearchResult run(bool first_only) {
        for (const Pass& next : kPasses) {
            discarded_ = kImpossible;
            informed_ = next.informed;
            memory_.options.begin_pass(informed_);
            diving_ = next.width == 1;
            const bool finished = pass(next.width);
            if (!finished) break;
            if (ceiling_ <= discarded_ || (first_only && result_.found)) {
                result_.proven = true;
                break;
            }
        }
        result_.loss = ceiling_;
        return result_;
    }

private:
    // One sweep over the numbers that keeps at most `width` states a number. False: the node limit was hit.
    bool pass(std::uint32_t width) {
        memory_.states.clear();
        State root{};
        root.jokers = static_cast<std::uint8_t>(position_.jokers());
        root.parent = kNone;
        for (int colour = 0; colour < kColours; ++colour)
            if (informed_) root.bound += memory_.options.at(colour, 1, 0, root.jokers).bound;
        if (root.bound >= ceiling_) return true;
        memory_.states.push_back(root);
        std::uint32_t begin = 0;
        for (int number = 1; number <= position_.numbers; ++number) {
            const auto end = static_cast<std::uint32_t>(memory_.states.size());
            if (begin == end) return true;
            new_layer(begin, end);
            for (std::uint32_t i = begin; i < end; ++i) {
                if (node_limit_ && result_.nodes >= node_limit_) return false;
                ++result_.nodes;
                expand(number, i);
            }
            narrow(width);
            begin = end;
        }
        keep_best(begin);
        return true;
    }

    void new_layer(std::uint32_t begin, std::uint32_t end) {
        layer_begin_ = end;
        cut_ = ceiling_;
        dominated_ = false;
        const std::uint32_t wanted = static_cast<std::uint32_t>(std::bit_ceil(4 * (end - begin) | 255u));
        bucket_shift_ = std::min(bucket_shift_, 64 - std::countr_zero(wanted));
        if (memory_.buckets.size() < std::size_t{1} << (64 - bucket_shift_))
            memory_.buckets.resize(std::size_t{1} << (64 - bucket_shift_));
        if (++memory_.buckets_stamp == 0) {
            std::fill(memory_.buckets.begin(), memory_.buckets.end(), SearchMemory::Bucket{});
            memory_.buckets_stamp = 1;
        }
    }

    void narrow(std::uint32_t width) {
        auto& states = memory_.states;
        if (diving_) {
            // Each state that came took the place of a worse one; what was not better is not known.
            discarded_ = std::min(discarded_, cut_);
            return;
        }
        if (states.size() - layer_begin_ <= kThinOut) thin_out();
        if (dominated_) {
            const auto first = states.begin() + layer_begin_;
            states.erase(std::remove_if(first, states.end(), [](const State& s) { return s.loss >= kImpossible; }),
                         states.end());
        }
        const auto count = static_cast<std::uint32_t>(states.size()) - layer_begin_;
        if (count <= width) return;
        const auto better = [](const State& a, const State& b) {
            if (a.bound != b.bound) return a.bound < b.bound;
            if (a.loss != b.loss) return a.loss < b.loss;
            if (a.runs() != b.runs()) return a.runs() < b.runs();
            return a.jokers > b.jokers;
        };
        const auto cut = states.begin() + layer_begin_ + width;
        std::nth_element(states.begin() + layer_begin_, cut, states.end(), better);
        for (auto state = cut; state != states.end(); ++state) discarded_ = std::min(discarded_, state->bound);
        states.erase(cut, states.end());
    }

    // Compares each pair of a number's states.
    void thin_out() {
        auto& states = memory_.states;
        const auto dominates = [](const State& a, const State& b) {
            return (a.loss <= b.loss) & at_least(a.supply, b.supply);
        };
        for (auto i = states.begin() + layer_begin_; i < states.end(); ++i)
            for (auto j = i + 1; j < states.end(); ++j) {
                const bool first = dominates(*i, *j);
                if (!(first | dominates(*j, *i))) continue;
                (first ? *j : *i).loss = kImpossible;
                dominated_ = true;
            }
    }

    // One option of each colour, and what they need together.
    struct Choice {
        const Option* of[kColours];
        std::uint32_t needs;
    };

    void expand(int number, std::uint32_t parent) {
        const State state = memory_.states[parent];
        const Option* first[kColours];
        const Option* end[kColours];
        Value rest[kColours + 1]{};
        for (int colour = kColours - 1; colour >= 0; --colour) {
            const OptionList& list = memory_.options.at(colour, number, runs_of(state.moves, colour), state.jokers);
            first[colour] = list.first;
            end[colour] = list.first + list.count;
            rest[colour] = rest[colour + 1] + list.bound;
        }

        const int jokers = state.jokers;
        const auto too_many = [jokers](std::uint32_t needs) { return jokers_used(needs) + deficit_of(needs) > jokers; };
        for (const Option* o0 = first[0]; o0 != end[0]; ++o0) {
            const Value cost0 = state.loss + o0->cost;
            if (cost0 + rest[1] >= cut_) break;
            for (const Option* o1 = first[1]; o1 != end[1]; ++o1) {
                const Value cost1 = cost0 + o1->cost;
                if (cost1 + rest[2] >= cut_) break;
                const std::uint32_t needs1 = o0->needs + o1->needs;
                if (too_many(needs1)) continue;
                for (const Option* o2 = first[2]; o2 != end[2]; ++o2) {
                    const Value cost2 = cost1 + o2->cost;
                    if (cost2 + rest[3] >= cut_) break;
                    const std::uint32_t needs2 = needs1 + o2->needs;
                    if (too_many(needs2)) continue;
                    for (const Option* o3 = first[3]; o3 != end[3]; ++o3) {
                        if (cost2 + o3->cost >= cut_) break;
                        const std::uint32_t needs3 = needs2 + o3->needs;
                        if (too_many(needs3)) continue;
                        groups(number, parent, state, {{o0, o1, o2, o3}, needs3}, cost2 + o3->cost);
                    }
                }
            }
        }
    }

    void groups(int number, std::uint32_t parent, const State& state, const Choice& choice, Value cost) {
        if (position_.rows[number].plain())
            plain_groups(number, parent, state, choice, cost);
        else
            all_groups(number, parent, state, choice);
    }

    void plain_groups(int number, std::uint32_t parent, const State& state, const Choice& choice, Value cost) {
        const std::size_t tiles = choice.needs & 0xFF;
        const int must = kGroups.largest[choice.needs >> kMustPlace & 0xFF];
        const int jokers = state.jokers - jokers_used(choice.needs);
        const int room = position_.rows[number].most_groups;
        // As many groups as possible; fewer only if that needs fewer jokers.
        int needed = 0;
        for (int spare = jokers - deficit_of(choice.needs); spare >= 0; spare = needed - 1) {
            const int count = std::min(int{kGroups.most[tiles][spare]}, room);
            if (count < must) return;
            needed = kGroups.jokers[tiles][count];
            Value more = 0;
            if (count < std::min(int{kGroups.largest[tiles]}, room))
                for (int colour = 0; colour < kColours; ++colour) {
                    const int behind = std::min(static_cast<int>(tiles >> (2 * colour) & 3), room) - count;
                    more += std::max(0, behind) * position_.cells[colour][number].weight;
                }
            if (cost + more >= cut_) return;
            Value loss = state.loss + more;
            for (const Option* option : choice.of) loss += option->loss;
            add(number, parent, state, choice, loss, jokers - needed, static_cast<std::uint16_t>(count));
        }
    }

    void all_groups(int number, std::uint32_t parent, const State& state, const Choice& choice) {
        GroupTiles tiles;
        Value loss = state.loss;
        for (int colour = 0; colour < kColours; ++colour) {
            tiles.left[colour] = static_cast<std::uint8_t>(choice.needs >> (2 * colour) & 3);
            tiles.must[colour] = static_cast<std::uint8_t>(choice.needs >> (kMustPlace + 2 * colour) & 3);
            // The option's own loss counts the tiles that no group can hold; the choice below counts them again.
            if (position_.cells[colour][number].weight < 0) loss += choice.of[colour]->loss;
        }
        const int jokers = state.jokers - jokers_used(choice.needs);
        std::uint16_t place = 0;
        for_each_group_choice(position_, number, tiles, [&](const GroupChoice& groups) {
            if (groups.jokers + deficit_of(choice.needs) <= jokers)
                add(number, parent, state, choice, loss + groups.loss, jokers - groups.jokers, place);
            ++place;
        });
    }

    void add(int number, std::uint32_t parent, const State& before, const Choice& choice, Value loss, int jokers,
             std::uint16_t group_choice) {
        if (position_.joker_weight < 0) {
            const int used_before = position_.jokers() - before.jokers - position_.table_jokers;
            const int used = position_.jokers() - jokers - position_.table_jokers;
            loss -= position_.joker_weight * (std::max(0, used) - std::max(0, used_before));
        }
        std::uint64_t moves = 0;
        std::uint64_t supply = static_cast<std::uint64_t>(jokers) << kJokerPlace;
        for (const Option* option : choice.of) moves |= option->moves;
        if (jokers == before.jokers) {
            for (const Option* option : choice.of) supply |= option->supply;
        } else {
            std::uint32_t runs = 0;
            for (int colour = 0; colour < kColours; ++colour) {
                const int cap = memory_.options.long_cap(colour, number + 1, jokers);
                const std::uint8_t capped = kRunTable.capped[runs_of(moves, colour)][cap];
                runs |= std::uint32_t{capped} << (8 * colour);
                supply |= kSupply.supply[colour][capped];
            }
            moves = (moves & ~std::uint64_t{0xFFFFFFFF}) | runs;
        }
        Value bound = loss;
        if (informed_)
            for (int colour = 0; colour < kColours; ++colour)
                bound += memory_.options.at(colour, number + 1, runs_of(moves, colour), jokers).bound;
        if (bound >= cut_) return;

        const std::uint32_t place = diving_ ? only_place(bound) : place_for(loss, supply);
        if (place == kNone) return;
        State& state = memory_.states[place];
        state.loss = loss;
        state.bound = bound;
        state.supply = supply;
        state.moves = moves;
        state.parent = parent;
        state.group_choice = group_choice;
        state.jokers = static_cast<std::uint8_t>(jokers);
    }

    // In a dive each state is better than those before it and takes their place.
    std::uint32_t only_place(Value bound) {
        cut_ = bound;
        if (memory_.states.size() == layer_begin_) memory_.states.emplace_back();
        return layer_begin_;
    }

    // Where to put a state, in place of one that it dominates if there is one; kNone if it is dominated itself. States
    // with the same unfinished runs meet in one bucket; `thin_out` looks at the others.
    std::uint32_t place_for(Value loss, std::uint64_t supply) {
        auto& states = memory_.states;
        auto& bucket = memory_.buckets[(supply & kUnfinishedMask) * 0x9E3779B97F4A7C15u >> bucket_shift_];
        const std::uint32_t head = bucket.stamp == memory_.buckets_stamp ? bucket.head : kNone;
        std::uint32_t place = kNone;
        for (std::uint32_t i = head; i != kNone; i = states[i].chain) {
            State& other = states[i];
            if (other.loss <= loss && at_least(other.supply, supply)) return kNone;
            if (loss <= other.loss && at_least(supply, other.supply)) {
                if (place == kNone) {
                    place = i;
                } else {
                    other.loss = kImpossible;
                    dominated_ = true;
                }
            }
        }
        if (place != kNone) return place;
        place = static_cast<std::uint32_t>(states.size());
        states.emplace_back();
        states[place].chain = head;
        bucket = {memory_.buckets_stamp, place};
        return place;
    }

    void keep_best(std::uint32_t begin) {
        const auto& states = memory_.states;
        std::uint32_t best = kNone;
        for (std::uint32_t i = begin; i < states.size(); ++i)
            if (states[i].loss < ceiling_) {
                ceiling_ = states[i].loss;
                best = i;
            }
        if (best == kNone) return;
        result_.found = true;
        for (int number = position_.numbers; number >= 1; --number, best = states[best].parent) {
            Decision& decision = memory_.decisions[number];
            decision.group_choice = states[best].group_choice;
            for (int colour = 0; colour < kColours; ++colour) {
                const std::uint64_t moves = states[best].moves;
                decision.in_runs[colour] = static_cast<std::uint8_t>(moves >> (kInRunsPlace + 4 * colour) & 15);
                decision.numbered[colour] = static_cast<std::uint8_t>(moves >> (kNumberedPlace + 2 * colour) & 3);
                decision.real[colour] = static_cast<std::uint8_t>(moves >> (kRealPlace + 2 * colour) & 3);
            }
        }
    }

    SearchMemory& memory_;
    const Position& position_;
    Value ceiling_;
    std::uint64_t node_limit_;
    Value discarded_ = kImpossible;
    std::uint32_t layer_begin_ = 0;
    int bucket_shift_ = 56;
    bool informed_ = false;
    bool diving_ = false;     // only the best state of a number is kept
    bool dominated_ = false;  // some states of the number are, and have to go
    Value cut_ = 0;           // states that lose as much are not kept
    SearchResult result_;
};

}  // namespace

SearchResult search(SearchMemory& memory, Value ceiling, bool first_only, std::uint64_t node_limit) {
    return Search(memory, ceiling, node_limit).run(first_only);
}

}  // namespace tilerummy
