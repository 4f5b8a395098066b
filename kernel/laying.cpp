#include "laying.hpp"

#include <algorithm>

#include "openings.hpp"
#include "position.hpp"

namespace tilerummy {
namespace {

Counts sum_of(const Counts& a, const Counts& b) {
    Counts sum;
    for (std::size_t kind = 0; kind < kKinds; ++kind) sum[kind] = static_cast<std::uint8_t>(a[kind] + b[kind]);
    return sum;
}

Counts less(const Counts& a, const Counts& b) {
    Counts rest;
    for (std::size_t kind = 0; kind < kKinds; ++kind) rest[kind] = static_cast<std::uint8_t>(a[kind] - b[kind]);
    return rest;
}

}  // namespace

bool in_meld(const Counts& tiles, int jokers, int kind, bool groups) {
    if (jokers >= 2) return true;
    const int number = number_of(kind);
    const auto there = [&](int by) {
        const bool in_colour = number + by >= 1 && number + by <= kMaxNumber;
        return static_cast<int>(in_colour && tiles[static_cast<std::size_t>(kind + by)] > 0);
    };
    const int below = there(-1), above = there(1), far_below = there(-2), far_above = there(2);
    if (std::max({far_below + below, below + above, above + far_above}) + jokers >= 2) return true;
    if (!groups) return false;
    int others = 0;
    for (int other = number - 1; other < kNumberedKinds; other += kMaxNumber)
        others += other != kind && tiles[static_cast<std::size_t>(other)] > 0;
    return others + jokers >= 2;
}

bool Laying::find(const Stand& stand, Policy policy) {
    if (policy == Policy::wait) return all(stand);
    query_.objective = policy == Policy::points ? Objective::points : Objective::tiles;
    if (policy != Policy::hold || stand.rack[kJoker] == 0) return best(stand);
    if (all(stand)) return true;
    Stand without = stand;
    without.rack[kJoker] = 0;
    return best(without);
}

bool Laying::can_lay(const Stand& stand) {
    if (stand.opening > 0) return reaches(stand.rack, stand.opening);
    query_.table = stand.locked ? Counts{} : stand.table;
    query_.rack = stand.rack;
    return exists(tiles_, query_, workspace_);
}

bool Laying::fits(const Counts& table) {
    query_.table = table;
    query_.rack = {};
    solve(tiles_, query_, workspace_, solution_);
    return solution_.feasible;
}

bool Laying::reaches(const Counts& tiles, int points) const {
    return has_opening(tiles, tiles_.numbers, groups_, points);
}

bool Laying::all(const Stand& stand) {
    const Counts together = stand.locked ? stand.rack : sum_of(stand.table, stand.rack);
    for (int kind = 0; kind < kNumberedKinds; ++kind)
        if (stand.rack[static_cast<std::size_t>(kind)] && !in_meld(together, together[kJoker], kind, groups_)) return false;
    if (stand.opening > 0 && !reaches(stand.rack, stand.opening)) return false;
    if (!fits(together)) return false;
    laid_ = stand.rack;
    return true;
}

bool Laying::best(const Stand& stand) {
    if (stand.opening > 0 && !reaches(stand.rack, stand.opening)) return false;
    query_.table = stand.locked ? Counts{} : stand.table;
    query_.rack = stand.rack;
    solve(tiles_, query_, workspace_, solution_);
    laid_ = solution_.laid;
    if (stand.opening == 0 || reaches(laid_, stand.opening)) return solution_.tiles > 0;
    return best_opening(stand);
}

// The best play that contains one of the smallest openings, of equal ones the first. None is better than the play that
// was found without regard to the opening.
bool Laying::best_opening(const Stand& stand) {
    const std::int64_t most = value_of_laid();
    const Query whole = query_;
    Solution kept;
    std::int64_t best = -1;
    opening_sets(stand.rack, tiles_.numbers, groups_, stand.opening, openings_);
    for (const Counts& opening : openings_) {
        query_.table = sum_of(whole.table, opening);
        query_.rack = less(whole.rack, opening);
        solve(tiles_, query_, workspace_, solution_);
        if (!solution_.feasible) continue;
        laid_ = sum_of(opening, solution_.laid);
        const std::int64_t value = value_of_laid();
        if (value <= best) continue;
        best = value;
        kept = solution_;
        kept.laid = laid_;
        if (best == most) break;
    }
    std::swap(solution_, kept);
    laid_ = solution_.laid;
    return best > 0;
}

std::int64_t Laying::value_of_laid() const {
    std::int64_t sum = 0;
    for (int kind = 0; kind < kKinds; ++kind)
        if (const int count = laid_[static_cast<std::size_t>(kind)]) sum += count * value_of(query_, kind);
    return sum;
}

}  // namespace tilerummy
