#include "families.hpp"

#include <algorithm>
#include <span>

#include "groups.hpp"
#include "options.hpp"

namespace tilerummy {
namespace {

constexpr int kMostTiles = 64;              // of a rack
constexpr std::size_t kMostSteps = 150000;  // from state to state
constexpr std::size_t kMostPlays = 512;     // that are kept of a node whatever the limit
constexpr std::size_t kMostMaximal = 2048;  // likewise
constexpr std::size_t kMostKept = 1 << 17;  // of all nodes
constexpr int kRoomyNumbers = 9;            // with so many, a run has room for all spare jokers, or two runs in its place have

constexpr std::uint32_t kNone = 0xFFFFFFFF;
constexpr int kRoomPlace = kJokerPlace + 4;
constexpr std::uint64_t kGuards = 0x88888888888888;  // above 14 places of four bits

// The open runs of all colours, jokers left, and room for jokers in the melds so far, as far as it matters.
struct Reached {
    std::uint64_t supply;  // see SupplyTable; the room lies above
    std::uint32_t runs;    // a run state per colour, a byte each

    int jokers() const { return static_cast<int>(supply >> kJokerPlace & 7); }
    int room() const { return static_cast<int>(supply >> kRoomPlace & 7); }
    static bool same(const Reached& a, const Reached& b) { return a.supply == b.supply; }
    bool covers(const Reached& other) const { return (((supply | kGuards) - other.supply) & kGuards) == kGuards; }
};

// Tiles by places in `mask`, a bit each; of equal ones the first come first.
struct Laid {
    std::uint64_t mask = 0;
    std::int16_t tiles = 0;
    std::int16_t points = 0;
    bool doubtful = false;  // there may be no room for all its jokers

    bool within(const Laid& other) const { return (mask & ~other.mask) == 0; }

    void add(int place, int worth) {
        if (place < kMostTiles) mask |= std::uint64_t{1} << place;
        ++tiles;
        points = static_cast<std::int16_t>(points + worth);
    }

    Laid with(const Laid& more) const {
        return {mask | more.mask, static_cast<std::int16_t>(tiles + more.tiles),
                static_cast<std::int16_t>(points + more.points), more.doubtful};
    }
};

bool larger(const Laid& a, const Laid& b) {
    if (a.tiles != b.tiles) return a.tiles > b.tiles;
    if (a.points != b.points) return a.points > b.points;
    return a.mask < b.mask;
}

// What one colour can do at a number.
struct Use {
    std::uint8_t one, two, many;  // open runs afterwards
    std::uint8_t left;            // tiles for groups
    std::uint8_t jokers;
    std::uint8_t deficit;  // jokers that the unfinished runs will need
    std::uint8_t begun;    // runs that start here, and blocks to which nothing was joined in front
};

// Where the uses of a colour lie, by number, colour, tiles, jokers and open runs.
struct Uses {
    std::uint32_t key = kNone;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

// How many tiles of each colour lie on the table or are laid, and which those are.
struct Choice {
    int counts[kColours];
    Laid laid;
};

struct Node {
    int number;
    std::uint32_t first;  // of what is reached
    std::uint32_t count;
    std::uint32_t plays;  // that can be laid from here on
    std::uint32_t plays_count;
    std::uint32_t chain;
};

// What a thread keeps between calls.
struct Memory {
    std::vector<Node> nodes;
    std::vector<Reached> reached;
    std::vector<Laid> plays;
    std::vector<Choice> choices[kMaxNumber + 1];
    std::vector<Reached> next[kMaxNumber + 2];  // by number
    std::vector<Laid> found[kMaxNumber + 2];
    std::vector<Use> uses;
    std::uint32_t buckets[256];
    Uses cache[4096];  // what falls on another's place takes it

    void clear() {
        uses.clear();
        std::fill(std::begin(cache), std::end(cache), Uses{});
        nodes.clear();
        reached.clear();
        plays.clear();
        std::fill(std::begin(buckets), std::end(buckets), kNone);
    }
};

// A node of the sweep is what can be reached by laying some set, all ways to arrange it together: each set leads to one
// node, and what can still be laid depends on the node alone.
class Sweep {
public:
    Sweep(const Query& query, const Position& position, std::size_t limit, Memory& memory)
        : query_(query), position_(position), limit_(limit), memory_(memory) {
        memory_.clear();
        for (int kind = 0; kind < kKinds; ++kind) {
            first_bit_[kind] = bits_;
            bits_ += query.rack[static_cast<std::size_t>(kind)] - query.must_lay[static_cast<std::size_t>(kind)];
        }
        for (int colour = 0; colour < kColours; ++colour)
            for (int number = 1; number <= position.numbers; ++number) {
                const Cell& cell = position.cells[colour][number];
                tiles_[colour][number] = static_cast<std::uint8_t>(cell.all + cell.pins);
                present_[colour] |= static_cast<std::uint32_t>(tiles_[colour][number] > 0) << number;
            }
        for (int number = 1; number <= position.numbers; ++number) {
            memory_.choices[number].clear();
            find_choices(number, 0, {});
        }
    }

    // False: it takes too long.
    bool run() {
        Reached start{static_cast<std::uint64_t>(position_.jokers()) << kJokerPlace, 0};
        for (int colour = 0; colour < kColours; ++colour) start.supply |= kSupply.supply[colour][0];
        memory_.next[1].assign(1, start);
        root_ = visit(1);
        return !too_long_;
    }

    std::span<const Laid> found() const { return plays_of(root_); }
    bool whole() const { return whole_; }

    Play play(const Laid& laid) const {
        Play play;
        play.laid = query_.must_lay;
        for (int kind = 0; kind < kKinds; ++kind) {
            const int end = kind + 1 < kKinds ? first_bit_[kind + 1] : bits_;
            for (int bit = first_bit_[kind]; bit < end; ++bit)
                play.laid[static_cast<std::size_t>(kind)] += laid.mask >> bit & 1;
        }
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            play.tiles += play.laid[kind];
            play.points += play.laid[kind] * (kind == kJoker ? query_.joker_points : number_of(static_cast<int>(kind)));
        }
        return play;
    }

private:
    std::span<const Laid> plays_of(std::uint32_t node) const {
        return {memory_.plays.data() + memory_.nodes[node].plays, memory_.nodes[node].plays_count};
    }

    // The number of each colour's tiles that are laid, in every way.
    void find_choices(int number, int colour, Choice choice) {
        if (colour == kColours) {
            memory_.choices[number].push_back(choice);
            return;
        }
        const Cell& cell = position_.cells[colour][number];
        for (int more = 0; more <= cell.all - cell.table; ++more) {
            choice.counts[colour] = cell.table + more;
            find_choices(number, colour + 1, choice);
            choice.laid.add(first_bit_[kind_of(colour, number)] + more, number);
        }
    }

    // The node of what was reached before this number, and all that can be laid from there on.
    std::uint32_t visit(int number) {
        const auto& here = memory_.next[number];
        std::uint64_t hash = static_cast<std::uint64_t>(number);
        for (const Reached& reached : here) hash = (hash ^ reached.supply) * 0x9E3779B97F4A7C15u;
        std::uint32_t& bucket = memory_.buckets[hash >> 56];
        for (std::uint32_t i = bucket; i != kNone; i = memory_.nodes[i].chain) {
            const Node& node = memory_.nodes[i];
            if (node.number == number && node.count == here.size() &&
                std::equal(here.begin(), here.end(), memory_.reached.begin() + node.first, Reached::same))
                return i;
        }
        const auto made = static_cast<std::uint32_t>(memory_.nodes.size());
        const auto first = static_cast<std::uint32_t>(memory_.reached.size());
        const auto count = static_cast<std::uint32_t>(here.size());
        memory_.nodes.push_back({number, first, count, 0, 0, bucket});
        bucket = made;
        memory_.reached.insert(memory_.reached.end(), here.begin(), here.end());

        auto& found = memory_.found[number];
        found.clear();
        if (number > position_.numbers)
            add_jokers(here, found);
        else
            for (const Choice& choice : memory_.choices[number]) add_choice(memory_.nodes[made], choice, found);
        if (found.size() > std::max(kMostPlays, limit_)) shorten(found);
        memory_.nodes[made].plays = static_cast<std::uint32_t>(memory_.plays.size());
        memory_.nodes[made].plays_count = static_cast<std::uint32_t>(found.size());
        memory_.plays.insert(memory_.plays.end(), found.begin(), found.end());
        too_long_ |= memory_.plays.size() > kMostKept;
        return made;
    }

    void add_choice(const Node node, const Choice& choice, std::vector<Laid>& found) {
        auto& next = memory_.next[node.number + 1];
        next.clear();
        for (std::uint32_t i = 0; i < node.count && !too_long_; ++i)
            step(node.number, memory_.reached[node.first + i], choice.counts, next);
        if (next.empty() || too_long_) return;
        std::sort(next.begin(), next.end(), [](const Reached& a, const Reached& b) { return a.supply < b.supply; });
        for (const Laid& more : plays_of(visit(node.number + 1))) found.push_back(choice.laid.with(more));
    }

    // All that the colours can do together with so many numbered tiles, none of which may be left over.
    void step(int number, const Reached& from, const int (&counts)[kColours], std::vector<Reached>& next) {
        Uses uses[kColours];
        const int jokers = from.jokers();
        for (int colour = 0; colour < kColours; ++colour) {
            uses[colour] = uses_of(number, colour, runs_of(from.runs, colour), jokers, counts[colour]);
            if (uses[colour].count == 0) return;
        }
        const Use* chosen[kColours];
        combine(number, from, uses, 0, 0, chosen, next);
    }

    void combine(int number, const Reached& from, const Uses (&uses)[kColours], int colour, int needed,
                 const Use* (&chosen)[kColours], std::vector<Reached>& next) {
        if (colour == kColours) return add_groups(number, from, chosen, next);
        const Use* const first = memory_.uses.data() + uses[colour].first;
        for (const Use* use = first; use != first + uses[colour].count; ++use) {
            if (needed + use->jokers + use->deficit > from.jokers()) continue;
            chosen[colour] = use;
            combine(number, from, uses, colour + 1, needed + use->jokers + use->deficit, chosen, next);
        }
    }

    const Uses& uses_of(int number, int colour, int runs, int jokers, int numbered) {
        const int place = (number * kColours + colour) * (kMaxCopies + 1) + numbered;
        const auto key = static_cast<std::uint32_t>((place * 8 + jokers) * 128 + runs);
        Uses& uses = memory_.cache[key * 0x9E3779B9u >> 20];
        if (uses.key != key) {
            uses = {key, static_cast<std::uint32_t>(memory_.uses.size()), 0};
            find_uses(number, colour, runs, jokers, numbered);
            uses.count = static_cast<std::uint32_t>(memory_.uses.size()) - uses.first;
        }
        return uses;
    }

    // As Options::make_general, where the reasons are, for just so many numbered tiles; here every use is kept.
    void find_uses(int number, int colour, int runs, int jokers, int numbered) {
        const OpenRuns open = kRunTable.runs[static_cast<std::size_t>(runs)];
        const Cell& cell = position_.cells[colour][number];
        const NumberRow& row = position_.rows[number];
        const int room = row.most_groups + row.open_count;
        const int next_starts = position_.cells[colour][number + 1].block_starts;
        const int after_starts = number + 2 <= kMaxNumber + 1 ? position_.cells[colour][number + 2].block_starts : 0;
        const int next = tiles_[colour][number + 1] + next_starts;
        const int after_next = next_starts + tiles_[colour][number + 2] + after_starts;
        const int lowest = std::max<int>(cell.pins, open.unfinished() - cell.block_starts);
        for (int in_runs = lowest; in_runs <= cell.pins + numbered + jokers; ++in_runs) {
            const RunStep step = step_runs(open, in_runs, cell.block_starts);
            const int most_real = std::min(in_runs - cell.pins, numbered);
            if (step.started > 0 && number > position_.numbers - 2) break;
            if (step.started > most_real + cell.pins && number < position_.numbers - 2) break;
            const int least_real = row.pins > 0 ? std::max(0, in_runs - cell.pins - jokers) : most_real;
            for (int real = most_real; real >= least_real; --real) {
                const int left = numbered - real;
                const int used = in_runs - cell.pins - real;
                const int unfinished = step.after.unfinished();
                const int deficit = std::max(0, unfinished - next) + std::max(0, step.after.one - after_next);
                if (left > room || used + deficit > jokers) continue;
                const auto narrow = [](int count) { return static_cast<std::uint8_t>(count); };
                memory_.uses.push_back({step.after.one, step.after.two, narrow(step.after.many + cell.block_ends),
                                        narrow(left), narrow(used), narrow(deficit),
                                        narrow(step.started + cell.block_starts - step.joined)});
            }
        }
    }

    void add_groups(int number, const Reached& from, const Use* const (&chosen)[kColours], std::vector<Reached>& next) {
        int jokers = from.jokers();
        int deficit = 0;
        int most_left = 0;
        int left = 0;
        bool begun = false;
        for (const Use* use : chosen) {
            jokers -= use->jokers;
            deficit += use->deficit;
            most_left = std::max<int>(most_left, use->left);
            left += use->left;
            begun |= use->begun > 0;
        }
        // A run has room in front or behind, or can be divided; with blocks about only the first is sure.
        const bool roomy = query_.run_blocks.empty() && position_.numbers >= kRoomyNumbers;
        const int in_front = begun ? roomy ? kMaxJokers : number - 1 : 0;
        const int room = from.room() + in_front;
        const NumberRow& row = position_.rows[number];
        if (row.plain()) {
            // More groups than the tiles of a colour would only take more jokers.
            const int needed = std::max(0, 3 * most_left - left);
            if (most_left <= row.most_groups && needed + deficit <= jokers)
                add(number, chosen, jokers - needed, room + 4 * most_left - left - needed, next);
            return;
        }
        GroupTiles tiles;
        for (int colour = 0; colour < kColours; ++colour)
            tiles.left[colour] = tiles.must[colour] = chosen[colour]->left;
        for_each_group_choice(position_, number, tiles, [&](const GroupChoice& groups) {
            if (groups.loss != 0 || groups.jokers + deficit > jokers) return;
            const auto untouched = std::count(groups.taken, groups.taken + row.open_count, GroupChoice::kNothing);
            int free = static_cast<int>(untouched);
            if (groups.groups > 0) free += 4 * groups.groups - groups.pins - groups.jokers;
            for (const int used : groups.used) free -= used;
            add(number, chosen, jokers - groups.jokers, room + free, next);
        });
    }

    void add(int number, const Use* const (&chosen)[kColours], int jokers, int room, std::vector<Reached>& next) {
        if (++steps_ > kMostSteps) too_long_ = true;
        Reached made{};
        made.supply = static_cast<std::uint64_t>(jokers) << kJokerPlace |
                      static_cast<std::uint64_t>(std::min(room, kMaxJokers)) << kRoomPlace;
        for (int colour = 0; colour < kColours; ++colour) {
            const Use& use = *chosen[colour];
            const bool bridges = present_[colour] >> (number + 2) & ((1u << jokers) - 1);
            const int cap = std::min(tiles_[colour][number + 1] + (bridges ? jokers : 0), kMaxOpen);
            const std::uint8_t runs = kRunTable.index[use.one][use.two][std::min<int>(use.many, cap)];
            made.runs |= static_cast<std::uint32_t>(runs) << (8 * colour);
            made.supply |= kSupply.supply[colour][runs];
        }
        for (const Reached& other : next)
            if (other.covers(made)) return;
        std::erase_if(next, [&](const Reached& other) { return made.covers(other); });
        next.push_back(made);
    }

    // How many rack jokers can be laid besides.
    void add_jokers(const std::vector<Reached>& here, std::vector<Laid>& family) const {
        Laid laid;
        for (int more = 0; more <= position_.rack_jokers; ++more) {
            bool possible = false;
            laid.doubtful = true;
            for (const Reached& reached : here) {
                const int used = position_.jokers() - reached.jokers();
                const int spare = position_.table_jokers + more - used;
                possible |= spare >= 0;
                // Three jokers may have become a run of their own.
                if (spare >= 0 && spare <= reached.room() && used < 3) laid.doubtful = false;
            }
            if (possible) family.push_back(laid);
            laid.add(first_bit_[kJoker] + more, query_.joker_points);
        }
    }

    // Keeps the largest, and those that lie in no other; whatever the node is reached with, no other is wanted.
    void shorten(std::vector<Laid>& family) {
        whole_ = false;
        if (std::any_of(family.begin(), family.end(), [](const Laid& laid) { return laid.doubtful; })) too_long_ = true;
        if (too_long_) return;
        std::sort(family.begin(), family.end(), larger);
        std::vector<Laid> maximal;
        std::vector<Laid> kept;
        for (std::size_t i = 0; i < family.size() && maximal.size() <= kMostMaximal; ++i) {
            const bool inner = std::any_of(maximal.begin(), maximal.end(),
                                           [&](const Laid& other) { return family[i].within(other); });
            if (!inner) maximal.push_back(family[i]);
            if (!inner || i <= limit_) kept.push_back(family[i]);
        }
        if (maximal.size() > kMostMaximal) too_long_ = true;
        family = std::move(kept);
    }

    const Query& query_;
    const Position& position_;
    std::size_t limit_;
    Memory& memory_;
    int first_bit_[kKinds]{};
    int bits_ = 0;
    std::uint8_t tiles_[kColours][kMaxNumber + 3]{};
    std::uint32_t present_[kColours]{};
    std::uint32_t root_ = 0;
    std::size_t steps_ = 0;
    bool whole_ = true;
    bool too_long_ = false;
};

// Whether a pinned joker may come to lie in a meld of jokers only, which the sweep does not notice.
bool may_lack_numbers(const Query& query) {
    int pins = 0;
    for (const int pinned : query.run_pins) pins += pinned;
    for (const int pinned : query.group_pins) pins += pinned;
    return pins > 0 && pins + query.table[kJoker] + query.rack[kJoker] >= 3;
}

// Whether just these tiles can be laid.
bool can_lay(const TileSet& tiles, const Query& query, const Counts& laid, Workspace& workspace) {
    Query exactly = query;
    exactly.must_lay = exactly.rack = laid;
    Solution solution;
    solve(tiles, exactly, workspace, solution);
    return solution.feasible;
}

}  // namespace

bool find_family(const TileSet& tiles, const Query& query, std::size_t limit, Workspace& workspace, Family& family) {
    int held = 0;
    for (const std::uint8_t count : query.rack) held += count;
    if (held > kMostTiles || may_lack_numbers(query)) return false;
    Position position;
    read_position(tiles, query, position);
    static thread_local Memory memory;
    Sweep sweep(query, position, limit, memory);
    if (!sweep.run()) return false;
    family.plays.clear();
    family.whole = sweep.whole();
    for (const Laid& laid : sweep.found()) {
        const Play play = sweep.play(laid);
        if (play.tiles == 0) continue;
        if (!laid.doubtful || can_lay(tiles, query, play.laid, workspace)) family.plays.push_back(play);
    }
    return true;
}

}  // namespace tilerummy
