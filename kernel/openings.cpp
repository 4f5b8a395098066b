#include "openings.hpp"

#include <algorithm>
#include <cstddef>

#include "value.hpp"

namespace tilerummy {
namespace {

int size_of(const Counts& counts) {
    int sum = 0;
    for (const int count : counts) sum += count;
    return sum;
}

bool within(const Counts& inner, const Counts& outer) {
    for (std::size_t kind = 0; kind < kKinds; ++kind)
        if (inner[kind] > outer[kind]) return false;
    return true;
}

// Chooses melds in the order of their lowest numbered tiles, and stops as soon as the points suffice. The melds of a
// smallest set, in that order, suffice only with the last of them, so that none is missed.
class Openings {
public:
    // Without `found` the first set is enough.
    Openings(const Counts& rack, int numbers, bool groups, int points, std::vector<Counts>* found)
        : have_(rack), numbers_(numbers), groups_(groups), needed_(points), found_(found) {}

    // Whether there is any.
    bool run() {
        int left = have_[kJoker] * numbers_;
        for (int kind = 0; kind < kNumberedKinds; ++kind) left += at(have_, kind) * number_of(kind);
        search(0, 0, left);
        return any_;
    }

private:
    static std::uint8_t& at(Counts& counts, int kind) { return counts[static_cast<std::size_t>(kind)]; }

    // `place` counts kinds number by number; `left` is what the tiles from there on, and the jokers, are worth at most.
    void search(int place, int points, int left) {
        if (points >= needed_) {
            any_ = true;
            if (found_) found_->push_back(used_);
            return;
        }
        if (points + left < needed_ || (any_ && !found_)) return;
        while (place < kColours * numbers_ && at(have_, kind_at(place)) == 0) ++place;
        if (place == kColours * numbers_) return;
        const int lowest = kind_at(place);
        if (groups_) add_groups(place, points, left);
        for (int before = 0; before <= std::min<int>(have_[kJoker], number_of(lowest) - 1); ++before) {
            use_jokers(before);
            use(lowest);
            const int worth = before * (number_of(lowest) - before) + before * (before - 1) / 2;
            grow_run(place, lowest, before + 1, worth + number_of(lowest), points,
                     left - number_of(lowest) - before * numbers_);
            give_back(lowest);
            use_jokers(-before);
        }
        const std::uint8_t kept = at(have_, lowest);
        at(have_, lowest) = 0;
        search(place + 1, points, left - kept * number_of(lowest));
        at(have_, lowest) = kept;
    }

    static int kind_at(int place) { return kind_of(place % kColours, place / kColours + 1); }

    void add_groups(int place, int points, int left) {
        const int lowest = kind_at(place);
        const int colours = kColours - 1 - colour_of(lowest);
        // A bit for each colour after the first.
        for (int chosen = 0; chosen < 1 << colours; ++chosen) {
            int tiles = 1;
            bool there = true;
            for (int i = 0; i < colours; ++i)
                if (chosen >> i & 1) {
                    there &= at(have_, lowest + (i + 1) * kMaxNumber) > 0;
                    ++tiles;
                }
            if (!there) continue;
            const auto use_all = [&](void (Openings::*act)(int)) {
                (this->*act)(lowest);
                for (int i = 0; i < colours; ++i)
                    if (chosen >> i & 1) (this->*act)(lowest + (i + 1) * kMaxNumber);
            };
            const int most = std::min<int>(have_[kJoker], kColours - tiles);
            for (int jokers = std::max(0, 3 - tiles); jokers <= most; ++jokers) {
                const int number = number_of(lowest);
                use_all(&Openings::use);
                use_jokers(jokers);
                search(place, points + number * (tiles + jokers), left - number * tiles - jokers * numbers_);
                use_jokers(-jokers);
                use_all(&Openings::give_back);
            }
        }
    }

    // The run's last tile so far is `last`.
    void grow_run(int place, int last, int size, int worth, int points, int left) {
        if (size >= 3) search(place, points + worth, left);
        const int number = number_of(last) + 1;
        if (number > numbers_) return;
        if (at(have_, last + 1) > 0) {
            use(last + 1);
            grow_run(place, last + 1, size + 1, worth + number, points, left - number);
            give_back(last + 1);
        }
        if (have_[kJoker] > 0) {
            use_jokers(1);
            grow_run(place, last + 1, size + 1, worth + number, points, left - numbers_);
            use_jokers(-1);
        }
    }

    void use(int kind) {
        --at(have_, kind);
        ++at(used_, kind);
    }
    void give_back(int kind) {
        ++at(have_, kind);
        --at(used_, kind);
    }
    void use_jokers(int count) {
        have_[kJoker] = static_cast<std::uint8_t>(have_[kJoker] - count);
        used_[kJoker] = static_cast<std::uint8_t>(used_[kJoker] + count);
    }

    Counts have_;
    Counts used_{};
    int numbers_;
    bool groups_;
    int needed_;
    std::vector<Counts>* found_;
    bool any_ = false;
};

}  // namespace

bool has_opening(const Counts& rack, int numbers, bool groups, int points) {
    // With jokers nearly everything is a meld, and there are too many ways to go through.
    if (rack[kJoker] > 0) return best_value(rack, numbers, groups) >= points;
    return Openings(rack, numbers, groups, points, nullptr).run();
}

void opening_sets(const Counts& rack, int numbers, bool groups, int points, std::vector<Counts>& sets) {
    sets.clear();
    Openings(rack, numbers, groups, points, &sets).run();
    std::sort(sets.begin(), sets.end(), [](const Counts& a, const Counts& b) {
        const int size = size_of(a), other = size_of(b);
        return size != other ? size < other : a < b;
    });
    std::size_t kept = 0;
    for (const Counts& set : sets) {
        const auto end = sets.begin() + static_cast<std::ptrdiff_t>(kept);
        const bool smallest = std::none_of(sets.begin(), end, [&](const Counts& other) { return within(other, set); });
        if (smallest) sets[kept++] = set;
    }
    sets.resize(kept);
}

}  // namespace tilerummy
