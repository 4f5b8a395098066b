#include <algorithm>
#include <queue>

#include "families.hpp"
#include "solver.hpp"

namespace tilerummy {
namespace {

// The sets that lay at least `least` and at most `most` of each kind, with the best of them.
struct Region {
    Counts least{};
    Counts most{};
    Play best;
    std::size_t born = 0;
};

struct WorseFirst {
    bool operator()(const Region& a, const Region& b) const {
        if (a.best.tiles != b.best.tiles) return a.best.tiles < b.best.tiles;
        if (a.best.points != b.best.points) return a.best.points < b.best.points;
        return a.born > b.born;
    }
};

bool within(const Counts& inner, const Counts& outer) {
    for (std::size_t kind = 0; kind < kKinds; ++kind)
        if (inner[kind] > outer[kind]) return false;
    return true;
}

class Enumeration {
public:
    Enumeration(const TileSet& tiles, const Query& query, Workspace& workspace)
        : tiles_(tiles), query_(query), workspace_(workspace) {
        query_.objective = Objective::tiles;
        query_.node_limit = 0;
        leave_out();
    }

    // Visits sets from the most tiles down until `visit` returns false. Takes the best of a region, then splits what is
    // left of the region by the first kind that differs, so that no set is met twice. With `maximal`, sets within one
    // that was met are left out: every maximal set is met, others only if a region's bounds cut off what contains them.
    template <class Visit>
    void run(bool maximal, Visit visit) {
        std::priority_queue<Region, std::vector<Region>, WorseFirst> regions;
        push(regions, query_.must_lay, query_.rack);
        while (!regions.empty()) {
            const Region region = regions.top();
            regions.pop();
            if (!visit(region.best)) return;
            Counts least = region.least;
            Counts most = region.most;
            for (std::size_t kind = 0; kind < kKinds; ++kind) {
                const std::uint8_t laid = region.best.laid[kind];
                if (laid < most[kind]) {
                    Counts more = least;
                    more[kind] = static_cast<std::uint8_t>(laid + 1);
                    push(regions, more, most);
                }
                if (!maximal && laid > least[kind]) {
                    Counts fewer = most;
                    fewer[kind] = static_cast<std::uint8_t>(laid - 1);
                    push(regions, least, fewer);
                }
                most[kind] = laid;
                if (!maximal) least[kind] = laid;
            }
        }
    }

private:
    // Takes off the rack whatever no play lays: it would be tried again at every set.
    void leave_out() {
        const Counts must_lay = query_.must_lay;
        const Counts rack = query_.rack;
        Counts laid = must_lay;
        solve(tiles_, query_, workspace_, solution_);
        if (solution_.feasible && solution_.tiles > 0) {
            laid = solution_.laid;
            for (std::size_t kind = 0; kind < kKinds; ++kind) {
                while (laid[kind] < rack[kind]) {
                    query_.must_lay[kind] = static_cast<std::uint8_t>(laid[kind] + 1);
                    solve(tiles_, query_, workspace_, solution_);
                    if (!solution_.feasible) break;
                    for (std::size_t i = 0; i < kKinds; ++i) laid[i] = std::max(laid[i], solution_.laid[i]);
                }
                query_.must_lay[kind] = must_lay[kind];
            }
        }
        query_.must_lay = must_lay;
        query_.rack = laid;
    }

    template <class Queue>
    void push(Queue& regions, const Counts& least, const Counts& most) {
        const Counts must_lay = query_.must_lay;
        const Counts rack = query_.rack;
        query_.must_lay = least;
        query_.rack = most;
        solve(tiles_, query_, workspace_, solution_);
        query_.must_lay = must_lay;
        query_.rack = rack;
        if (!solution_.feasible || solution_.tiles == 0) return;
        regions.push({least, most, {solution_.laid, solution_.tiles, solution_.points, false}, born_++});
    }

    const TileSet& tiles_;
    Query query_;
    Workspace& workspace_;
    Solution solution_;
    std::size_t born_ = 0;
};

}  // namespace

namespace {

bool larger(const Play& a, const Play& b) {
    if (a.maximal != b.maximal) return a.maximal;
    if (a.tiles != b.tiles) return a.tiles > b.tiles;
    if (a.points != b.points) return a.points > b.points;
    return a.laid > b.laid;
}

// Region by region: it takes longer, but no longer than there are sets to be found.
bool by_regions(const TileSet& tiles, const Query& query, std::size_t limit, Workspace& workspace,
                std::vector<Play>& plays) {
    plays.clear();
    bool complete = true;
    Enumeration enumeration(tiles, query, workspace);
    // A set that contains another has more tiles, so it has been met before.
    enumeration.run(true, [&](Play play) {
        for (const Play& earlier : plays)
            if (within(play.laid, earlier.laid)) return true;
        if (plays.size() == limit) return complete = false;
        play.maximal = true;
        plays.push_back(play);
        return true;
    });
    if (!complete) return false;
    const std::size_t maximal = plays.size();
    enumeration.run(false, [&](const Play& play) {
        for (std::size_t i = 0; i < maximal; ++i)
            if (plays[i].laid == play.laid) return true;
        if (plays.size() == limit) return complete = false;
        plays.push_back(play);
        return true;
    });
    return complete;
}

void mark_maximal(std::vector<Play>& plays) {
    std::sort(plays.begin(), plays.end(), larger);
    std::vector<const Counts*> maximal;
    for (Play& play : plays) {
        play.maximal = std::none_of(maximal.begin(), maximal.end(),
                                    [&](const Counts* other) { return within(play.laid, *other); });
        if (play.maximal) maximal.push_back(&play.laid);
    }
}

}  // namespace

bool enumerate(const TileSet& tiles, const Query& query, std::size_t limit, Workspace& workspace,
               std::vector<Play>& plays) {
    bool complete = true;
    Family family;
    if (find_family(tiles, query, limit, workspace, family)) {
        plays = std::move(family.plays);
        mark_maximal(plays);
        complete = family.whole && plays.size() <= limit;
    } else {
        complete = by_regions(tiles, query, limit, workspace, plays);
    }
    std::sort(plays.begin(), plays.end(), larger);
    if (plays.size() > limit) plays.resize(limit);
    return complete;
}

}  // namespace tilerummy
