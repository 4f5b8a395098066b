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

// members[tiles][groups]: how many of the tiles (two bits a colour) can lie in so many groups.
struct MemberTable {
    std::uint8_t members[256][kMaxCopies + 1]{};
    std::uint8_t most[256]{};

    constexpr MemberTable() {
        for (int tiles = 0; tiles < 256; ++tiles)
            for (int colour = 0; colour < kColours; ++colour) {
                const int count = tiles >> (2 * colour) & 3;
                most[tiles] = std::max(most[tiles], static_cast<std::uint8_t>(count));
                for (int groups = 0; groups <= kMaxCopies; ++groups)
                    members[tiles][groups] =
                        static_cast<std::uint8_t>(members[tiles][groups] + std::min(count, groups));
            }
    }
};
constexpr MemberTable kMembers{};

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
            new_layer(begin, end);
            for (std::uint32_t i = begin; i < end; ++i) {
                if (memory_.states[i].loss >= kImpossible) continue;
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
            // Each state that came was better than those before it; what was not is not known.
            discarded_ = std::min(discarded_, cut_);
            if (states.size() > layer_begin_) {
                states[layer_begin_] = states[latest_];
                states.resize(layer_begin_ + 1);
            }
            return;
        }
        if (states.size() - layer_begin_ <= kThinOut) thin_out();
        const auto first = states.begin() + layer_begin_;
        states.erase(std::remove_if(first, states.end(), [](const State& s) { return s.loss >= kImpossible; }),
                     states.end());
        const auto count = static_cast<std::uint32_t>(states.size()) - layer_begin_;
        if (count <= width) return;
        const auto better = [](const State& a, const State& b) {
            if (a.bound != b.bound) return a.bound < b.bound;
            if (a.loss != b.loss) return a.loss < b.loss;
            if (a.runs != b.runs) return a.runs < b.runs;
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
        for (std::size_t i = layer_begin_; i < states.size(); ++i)
            for (std::size_t j = i + 1; j < states.size(); ++j) {
                if (states[i].loss <= states[j].loss && at_least(states[i].supply, states[j].supply))
                    states[j].loss = kImpossible;
                else if (states[j].loss <= states[i].loss && at_least(states[j].supply, states[i].supply))
                    states[i].loss = kImpossible;
            }
    }

    void expand(int number, std::uint32_t parent) {
        const State state = memory_.states[parent];
        const Option* choices[kColours];
        std::uint32_t counts[kColours];
        Value rest[kColours + 1]{};
        for (int colour = kColours - 1; colour >= 0; --colour) {
            const int runs = static_cast<int>(state.runs >> (8 * colour) & 0xFF);
            const OptionList& list = memory_.options.at(colour, number, runs, state.jokers);
            counts[colour] = list.count;
            choices[colour] = list.first;
            rest[colour] = rest[colour + 1] + list.bound;
        }

        const int jokers = state.jokers;
        const bool plain = position_.rows[number].plain();
        for (std::uint32_t i0 = 0; i0 < counts[0]; ++i0) {
            const Option& o0 = choices[0][i0];
            const Value cost0 = state.loss + o0.cost;
            if (cost0 + rest[1] >= cut_) break;
            for (std::uint32_t i1 = 0; i1 < counts[1]; ++i1) {
                const Option& o1 = choices[1][i1];
                const Value cost1 = cost0 + o1.cost;
                if (cost1 + rest[2] >= cut_) break;
                const int jokers1 = jokers - o0.jokers - o1.jokers;
                if (jokers1 < 0) continue;
                for (std::uint32_t i2 = 0; i2 < counts[2]; ++i2) {
                    const Option& o2 = choices[2][i2];
                    const Value cost2 = cost1 + o2.cost;
                    if (cost2 + rest[3] >= cut_) break;
                    const int jokers2 = jokers1 - o2.jokers;
                    if (jokers2 < 0) continue;
                    for (std::uint32_t i3 = 0; i3 < counts[3]; ++i3) {
                        const Option& o3 = choices[3][i3];
                        if (cost2 + o3.cost >= cut_) break;
                        const int jokers3 = jokers2 - o3.jokers;
                        if (jokers3 < 0) continue;
                        const Option* const chosen[kColours] = {&o0, &o1, &o2, &o3};
                        if (o0.deficit + o1.deficit + o2.deficit + o3.deficit > jokers3) continue;
                        if (plain)
                            plain_groups(number, parent, state, chosen, cost2 + o3.cost, jokers3);
                        else
                            all_groups(number, parent, state, chosen, jokers3);
                    }
                }
            }
        }
    }

    void plain_groups(int number, std::uint32_t parent, const State& state, const Option* const (&chosen)[kColours],
                      Value cost, int jokers) {
        const unsigned tiles = chosen[0]->left | chosen[1]->left | chosen[2]->left | chosen[3]->left;
        const int must = std::max({chosen[0]->must, chosen[1]->must, chosen[2]->must, chosen[3]->must});
        const Value loss = state.loss + chosen[0]->loss + chosen[1]->loss + chosen[2]->loss + chosen[3]->loss;
        const int room = position_.rows[number].most_groups;
        const int most = std::min(int{kMembers.most[tiles]}, room);
        int fewest_jokers = jokers + 1;
        for (int groups = most; groups >= must; --groups) {
            const int needed = std::max(0, 3 * groups - kMembers.members[tiles][groups]);
            if (needed >= fewest_jokers) continue;
            fewest_jokers = needed;
            Value more = 0;
            if (groups < most)
                for (int colour = 0; colour < kColours; ++colour) {
                    const int behind = std::min(static_cast<int>(tiles >> (2 * colour) & 3), room) - groups;
                    if (behind > 0) more += behind * position_.cells[colour][number].weight;
                }
            if (cost + more >= cut_) break;
            add(number, parent, state, chosen, loss + more, jokers - needed, static_cast<std::uint16_t>(groups));
            if (needed == 0) break;
        }
    }

    void all_groups(int number, std::uint32_t parent, const State& state, const Option* const (&chosen)[kColours],
                    int jokers) {
        GroupTiles tiles;
        Value loss = state.loss;
        for (int colour = 0; colour < kColours; ++colour) {
            tiles.left[colour] = static_cast<std::uint8_t>(chosen[colour]->left >> (2 * colour) & 3);
            tiles.must[colour] = chosen[colour]->must;
            // The option's own loss counts the tiles that no group can hold; the choice below counts them again.
            const Cell& cell = position_.cells[colour][number];
            if (cell.weight < 0) loss += chosen[colour]->loss;
        }
        std::uint16_t place = 0;
        for_each_group_choice(position_, number, tiles, [&](const GroupChoice& choice) {
            if (choice.jokers <= jokers)
                add(number, parent, state, chosen, loss + choice.loss, jokers - choice.jokers, place);
            ++place;
        });
    }

    void add(int number, std::uint32_t parent, const State& before, const Option* const (&chosen)[kColours], Value loss,
             int jokers, std::uint16_t group_choice) {
        if (chosen[0]->deficit + chosen[1]->deficit + chosen[2]->deficit + chosen[3]->deficit > jokers) return;
        if (position_.joker_weight < 0) {
            const int used_before = position_.jokers() - before.jokers - position_.table_jokers;
            const int used = position_.jokers() - jokers - position_.table_jokers;
            loss -= position_.joker_weight * (std::max(0, used) - std::max(0, used_before));
        }
        std::uint32_t runs = 0;
        std::uint64_t supply = 0;
        if (jokers == before.jokers) {
            runs = chosen[0]->runs | chosen[1]->runs | chosen[2]->runs | chosen[3]->runs;
            supply = chosen[0]->supply | chosen[1]->supply | chosen[2]->supply | chosen[3]->supply;
        } else {
            for (int colour = 0; colour < kColours; ++colour) {
                const std::uint32_t next = chosen[colour]->runs >> (8 * colour);
                const int cap = memory_.options.long_cap(colour, number + 1, jokers);
                const std::uint8_t capped = kRunTable.capped[next][cap];
                runs |= std::uint32_t{capped} << (8 * colour);
                supply |= kSupply.supply[colour][capped];
            }
        }
        supply |= static_cast<std::uint64_t>(jokers) << kJokerPlace;
        Value bound = loss;
        if (informed_)
            for (int colour = 0; colour < kColours; ++colour) {
                const int next = static_cast<int>(runs >> (8 * colour) & 0xFF);
                bound += memory_.options.at(colour, number + 1, next, jokers).bound;
            }
        if (bound >= cut_) return;
        if (diving_) cut_ = bound;

        auto& states = memory_.states;
        // States with the same unfinished runs meet in one bucket; `thin_out` looks at the others.
        auto& bucket = memory_.buckets[(supply & kUnfinishedMask) * 0x9E3779B97F4A7C15u >> bucket_shift_];
        if (bucket.stamp != memory_.buckets_stamp) bucket = {memory_.buckets_stamp, kNone};
        std::uint32_t place = kNone;
        for (std::uint32_t i = bucket.head; i != kNone; i = states[i].chain) {
            State& other = states[i];
            if (other.loss <= loss && at_least(other.supply, supply)) return;
            if (loss <= other.loss && at_least(supply, other.supply)) {
                if (place == kNone)
                    place = i;
                else
                    other.loss = kImpossible;
            }
        }
        if (place == kNone) {
            place = static_cast<std::uint32_t>(states.size());
            states.emplace_back();
            states[place].chain = bucket.head;
            bucket.head = place;
        }
        latest_ = place;
        State& state = states[place];
        state.loss = loss;
        state.bound = bound;
        state.supply = supply;
        state.runs = runs;
        state.parent = parent;
        state.in_runs = static_cast<std::uint16_t>(chosen[0]->in_runs | chosen[1]->in_runs | chosen[2]->in_runs |
                                                   chosen[3]->in_runs);
        state.group_choice = group_choice;
        state.numbered = static_cast<std::uint8_t>(chosen[0]->numbered | chosen[1]->numbered | chosen[2]->numbered |
                                                   chosen[3]->numbered);
        state.real = static_cast<std::uint8_t>(chosen[0]->real | chosen[1]->real | chosen[2]->real | chosen[3]->real);
        state.jokers = static_cast<std::uint8_t>(jokers);
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
                decision.in_runs[colour] = static_cast<std::uint8_t>(states[best].in_runs >> (4 * colour) & 15);
                decision.numbered[colour] = static_cast<std::uint8_t>(states[best].numbered >> (2 * colour) & 3);
                decision.real[colour] = static_cast<std::uint8_t>(states[best].real >> (2 * colour) & 3);
            }
        }
    }

    SearchMemory& memory_;
    const Position& position_;
    Value ceiling_;
    std::uint64_t node_limit_;
    Value discarded_ = kImpossible;
    std::uint32_t layer_begin_ = 0;
    std::uint32_t latest_ = 0;
    int bucket_shift_ = 56;
    bool informed_ = false;
    bool diving_ = false;  // only the best state of a number is kept
    Value cut_ = 0;        // states that lose as much are not kept
    SearchResult result_;
};

}  // namespace

SearchResult search(SearchMemory& memory, Value ceiling, bool first_only, std::uint64_t node_limit) {
    return Search(memory, ceiling, node_limit).run(first_only);
}

}  // namespace tilerummy
