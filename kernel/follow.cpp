#include "follow.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "search.hpp"

namespace tilerummy {
namespace {

constexpr std::size_t kSteps = 100'000;

MeldSet lowest(MeldSet set) { return set & (~set + 1); }

template <std::size_t Size>
void add(std::array<std::uint8_t, Size>& counts, const std::array<std::uint8_t, Size>& more) {
    for (std::size_t i = 0; i < Size; ++i) counts[i] = static_cast<std::uint8_t>(counts[i] + more[i]);
}

}  // namespace

Touching::Touching(const TileSet& tiles, const Query& query, std::vector<Query> melds, std::int64_t loss,
                   MeldSet known, std::uint64_t node_limit)
    : tiles_(tiles),
      trial_(query),
      rack_(query.rack),
      melds_(std::move(melds)),
      known_(known),
      ceiling_(loss + 1),
      node_limit_(node_limit),
      steps_(kSteps) {
    if (melds_.size() > kMaxMelds) throw std::invalid_argument("melds: 64 at most");
    if (!melds_.empty()) all_ = ~MeldSet{0} >> (kMaxMelds - melds_.size());
    if (known & ~all_) throw std::invalid_argument("known: no such meld");
    // Jokers that a meld brings to the rack are nobody's gain and nobody's loss.
    const auto lends = [](const Query& meld) { return meld.rack[kJoker] > 0; };
    const bool lent = std::any_of(melds_.begin(), melds_.end(), lends);
    std::int32_t& weight = trial_.weights[kJoker];
    if (lent) weight = std::max(weight, 0);
}

bool Touching::does(MeldSet set, Workspace& workspace) {
    if ((known_ & ~set) == 0) return true;
    if (!meets_cores(set)) return false;
    if (begun_ && spent()) return true;  // not known, so nothing follows from it
    trial_.table = {};
    trial_.rack = rack_;
    trial_.run_pins = {};
    trial_.group_pins = {};
    trial_.run_blocks.clear();
    trial_.group_blocks.clear();
    for (MeldSet left = set; left; left &= left - 1) {
        const Query& meld = melds_[static_cast<std::size_t>(std::countr_zero(left))];
        add(trial_.table, meld.table);
        add(trial_.rack, meld.rack);
        add(trial_.run_pins, meld.run_pins);
        add(trial_.group_pins, meld.group_pins);
        trial_.run_blocks.insert(trial_.run_blocks.end(), meld.run_blocks.begin(), meld.run_blocks.end());
        trial_.group_blocks.insert(trial_.group_blocks.end(), meld.group_blocks.begin(), meld.group_blocks.end());
    }
    SearchMemory& memory = workspace.memory();
    read_position(tiles_, trial_, memory.position);
    const SearchResult result = search(memory, ceiling_, true, 0);
    nodes_ += result.nodes;
    return result.found;
}

// Leaves out of the known set what can be left out; the melds without which nothing does are cores of their own.
void Touching::begin(Workspace& workspace) {
    for (MeldSet left = known_; left; left &= left - 1) {
        const MeldSet fewer = known_ & ~lowest(left);
        if (does(fewer, workspace)) known_ = fewer;
    }
    begun_ = true;
    for (MeldSet left = known_; left; left &= left - 1) {
        const MeldSet meld = lowest(left);
        if (!does(all_ & ~meld, workspace)) add_core(meld);
    }
}

std::optional<MeldSet> Touching::least(int most, Workspace& workspace) {
    if (!begun_) begin(workspace);
    while (!spent()) {
        while (fewest_ <= most && !meet(0, 0, fewest_) && steps_) ++fewest_;
        if (fewest_ > most) return std::nullopt;
        if (!steps_) {
            node_limit_ = 0;
            break;
        }
        if (std::popcount(known_) == fewest_ && meets_cores(known_)) return known_;
        if (does(met_, workspace)) {
            if (spent()) break;
            return met_;
        }
        MeldSet grown = met_;
        grow(grown, all_ & ~known_ & ~grown, workspace);
        grow(grown, known_ & ~grown, workspace);
        add_core(all_ & ~grown);
    }
    if (std::popcount(known_) <= most && meets_cores(known_)) return known_;
    return std::nullopt;
}

// Adds melds to a set that does not do, as many as it takes, so that it still does not.
void Touching::grow(MeldSet& set, MeldSet more, Workspace& workspace) {
    if (!more) return;
    if (!does(set | more, workspace)) {
        set |= more;
        return;
    }
    if (std::has_single_bit(more)) return;
    MeldSet half = 0;
    for (int left = std::popcount(more) / 2; left > 0; --left) half |= lowest(more & ~half);
    grow(set, half, workspace);
    grow(set, more & ~half, workspace);
}

void Touching::rule_out(MeldSet set) { add_core(all_ & ~set); }

void Touching::add_core(MeldSet core) {
    const auto smaller = [](MeldSet a, MeldSet b) { return std::popcount(a) < std::popcount(b); };
    cores_.insert(std::upper_bound(cores_.begin(), cores_.end(), core, smaller), core);
}

bool Touching::meets_cores(MeldSet set) const {
    return std::all_of(cores_.begin(), cores_.end(), [set](MeldSet core) { return (core & set) != 0; });
}

// Looks for a set of `left` more melds, none of them barred, that meets the cores that are not met yet.
bool Touching::meet(MeldSet chosen, MeldSet barred, int left) {
    if (steps_ == 0) return false;
    --steps_;
    MeldSet first = 0;
    MeldSet apart = 0;  // cores that have no meld in common need one each
    int needed = 0;
    for (const MeldSet core : cores_) {
        if (core & chosen) continue;
        const MeldSet open = core & ~barred;
        if (!first) first = open;
        if (!open) return false;
        if (open & apart) continue;
        apart |= open;
        if (++needed > left) return false;
    }
    if (needed == 0) {
        met_ = chosen;
        return true;
    }
    for (; first; first &= first - 1) {
        if (meet(chosen | lowest(first), barred, left - 1)) return true;
        barred |= lowest(first);
    }
    return false;
}

}  // namespace tilerummy
