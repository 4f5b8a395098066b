// Which melds of a table a play has to touch to be as good as a known one, jokers as free as the question says.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solver.hpp"

namespace tilerummy {

inline constexpr std::size_t kMaxMelds = 64;

// A set of melds, a bit each.
using MeldSet = std::uint64_t;

// The search for the smallest sets of melds that, touched, let the rack be laid but for a loss of so much. A set that
// does not do is grown until any further meld would make it do; those further melds are a core, of which every set that
// does has one. So the smallest set is a smallest one that meets all cores, as soon as such a set does.
class Touching {
public:
    // `query` has the rack and no table; `melds` have what each brings when it is touched, on the table or, jokers that
    // may go there, to the rack. To touch the melds in `known` is enough. Once the search over numbers has looked at
    // `node_limit` states, it is only seen to that no meld of that set can be left out.
    Touching(const TileSet& tiles, const Query& query, std::vector<Query> melds, std::int64_t loss, MeldSet known,
             std::uint64_t node_limit);

    // A smallest set of no more than `most` melds that does and is not ruled out; none if there is none. If the nodes
    // are spent, it is a set from which no meld can be left out, or none.
    std::optional<MeldSet> least(int most, Workspace& workspace);

    // Says that this set does not do after all, hence none within it.
    void rule_out(MeldSet set);

    bool spent() const { return nodes_ >= node_limit_; }
    std::uint64_t nodes() const { return nodes_; }

private:
    bool does(MeldSet set, Workspace& workspace);
    void begin(Workspace& workspace);
    void grow(MeldSet& set, MeldSet more, Workspace& workspace);
    void add_core(MeldSet core);
    bool meets_cores(MeldSet set) const;
    bool meet(MeldSet chosen, MeldSet barred, int left);

    TileSet tiles_;
    Query trial_;
    Counts rack_{};
    std::vector<Query> melds_;
    MeldSet all_ = 0;
    MeldSet known_ = 0;  // does, and no meld can be left out of it
    std::int64_t ceiling_ = 0;
    std::uint64_t node_limit_ = 0;
    std::uint64_t nodes_ = 0;
    bool begun_ = false;
    std::vector<MeldSet> cores_;  // the smallest first
    int fewest_ = 0;              // no fewer melds meet all cores
    MeldSet met_ = 0;             // a smallest set that meets them
    std::size_t steps_ = 0;       // left to look for it
};

}  // namespace tilerummy
