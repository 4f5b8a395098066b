#include "melds.hpp"

#include <algorithm>
#include <tuple>

#include "run_states.hpp"

namespace tilerummy {
namespace {

bool is_tile(Filler filler) { return filler == Filler::numbered || filler == Filler::block_tile; }

int count_of(const OpenMeld& meld, Filler filler) {
    return static_cast<int>(std::count(meld.fillers, meld.fillers + meld.size, filler));
}

void add_member(OpenMeld& group, Filler filler, int colour) {
    group.fillers[group.size] = filler;
    group.colours[group.size++] = static_cast<std::uint8_t>(colour);
}

void add_wild_member(OpenMeld& group, Filler filler) {
    int colour = 0;
    while (std::find(group.colours, group.colours + group.size, colour) != group.colours + group.size) ++colour;
    add_member(group, filler, colour);
}

// A joker never takes the colour that a tile still to come wants, so tiles come first.
OpenMeld new_group(int number) {
    OpenMeld group;
    group.first = static_cast<std::uint8_t>(number);
    return group;
}

}  // namespace

bool OpenMeld::has_tile() const {
    if (size > 0 && is_tile(fillers[0])) return true;  // nearly always
    return std::any_of(fillers, fillers + size, is_tile);
}

std::size_t Builder::start(int colour, int number, Filler filler) {
    OpenMeld run;
    run.run = true;
    run.colour = static_cast<std::uint8_t>(colour);
    run.first = static_cast<std::uint8_t>(number);
    run.size = 1;
    run.fillers[0] = filler;
    melds_.push_back(run);
    return melds_.size() - 1;
}

void Builder::extend(std::size_t meld, Filler filler) {
    OpenMeld& run = melds_[meld];
    run.fillers[run.size++] = filler;
}

std::vector<std::size_t> Builder::blocks_starting(int colour, int number) {
    std::vector<std::size_t> blocks;
    for (const RunBlock& block : query_.run_blocks) {
        if (block.colour != colour || block.first != number) continue;
        OpenMeld run;
        run.run = true;
        run.colour = block.colour;
        run.first = block.first;
        for (int i = 0; i <= block.last - block.first; ++i)
            run.fillers[run.size++] = block.jokers >> i & 1 ? Filler::block_joker : Filler::block_tile;
        blocks.push_back(melds_.size());
        melds_.push_back(run);
    }
    return blocks;
}

void Builder::join(std::size_t meld, std::size_t block) {
    OpenMeld& front = melds_[meld];
    OpenMeld& back = melds_[block];
    for (int i = 0; i < back.size; ++i) front.fillers[front.size++] = back.fillers[i];
    back.size = 0;
}

void Builder::add_runs(int number, int colour, int in_runs, int real) {
    const Cell& cell = position_.cells[colour][number];
    // Open runs, the shortest first, and among equal ones those without a numbered tile.
    const auto rank = [&](std::size_t i) { return std::min<int>(melds_[i].size, 3) * 2 + melds_[i].has_tile(); };
    std::size_t open[2 * kMaxOpen];
    std::size_t count = 0;
    OpenRuns runs;
    for (std::size_t i = melds_.size(); i-- > colour_begin_;) {
        const OpenMeld& meld = melds_[i];
        if (meld.last() != number - 1 || meld.size == 0) continue;
        ++(meld.size == 1 ? runs.one : meld.size == 2 ? runs.two : runs.many);
        std::size_t place = count++;
        for (; place > 0 && rank(open[place - 1]) > rank(i); --place) open[place] = open[place - 1];
        open[place] = i;
    }
    const RunStep step = step_runs(runs, in_runs, cell.block_starts);

    std::size_t next = 0;
    if (cell.block_starts > 0) {
        const std::vector<std::size_t> blocks = blocks_starting(colour, number);
        for (; next < static_cast<std::size_t>(step.joined); ++next) join(open[next], blocks[next]);
    }
    int left[] = {real, cell.pins, in_runs - cell.pins - real};
    const auto next_filler = [&] {
        constexpr Filler order[] = {Filler::numbered, Filler::pin, Filler::joker};
        int i = 0;
        while (left[i] == 0) ++i;
        --left[i];
        return order[i];
    };
    // Runs that have no numbered tile yet get one first.
    const std::size_t last = static_cast<std::size_t>(runs.unfinished() + step.extended);
    bool served[2 * kMaxOpen]{};
    for (std::size_t i = next; i < last; ++i)
        if (!melds_[open[i]].has_tile()) {
            extend(open[i], next_filler());
            served[i] = true;
        }
    for (int i = 0; i < step.started; ++i) start(colour, number, next_filler());
    for (std::size_t i = next; i < last; ++i)
        if (!served[i]) extend(open[i], next_filler());
}

void Builder::add_groups(int number, const GroupChoice& choice) {
    const std::size_t first = melds_.size();
    for (int i = 0; i < choice.groups; ++i) melds_.push_back(new_group(number));
    // Dealt out in turn, every group gets as many as any other or one less, and no colour twice.
    std::size_t turn = 0;
    const auto next_group = [&]() -> OpenMeld& {
        return melds_[first + turn++ % static_cast<std::size_t>(choice.groups)];
    };
    for (int colour = 0; colour < kColours; ++colour)
        for (int i = 0; i < choice.used[colour]; ++i) add_member(next_group(), Filler::numbered, colour);
    for (int i = 0; i < choice.pins; ++i) add_wild_member(next_group(), Filler::pin);
    for (int i = 0; i < choice.jokers; ++i) add_wild_member(next_group(), Filler::joker);

    int open = 0;
    for (const GroupBlock& block : query_.group_blocks) {
        if (block.number != number) continue;
        OpenMeld group = new_group(number);
        for (int colour = 0; colour < kColours; ++colour)
            if (block.colours >> colour & 1) add_member(group, Filler::block_tile, colour);
        const bool full = group.size + block.jokers == kColours;
        const std::uint8_t taken = full ? GroupChoice::kNothing : choice.taken[open++];
        if (taken < kColours) add_member(group, Filler::numbered, taken);
        for (int i = 0; i < block.jokers; ++i) add_wild_member(group, Filler::block_joker);
        if (taken == GroupChoice::kPin) add_wild_member(group, Filler::pin);
        if (taken == GroupChoice::kFreeJoker) add_wild_member(group, Filler::joker);
        melds_.push_back(group);
    }
}

int Builder::jokers_laid() const {
    if (position_.jokers() == 0) return 0;
    int laid = 0;
    for (const OpenMeld& meld : melds_) laid += count_of(meld, Filler::joker);
    return laid;
}

// A pinned joker in a run of jokers only changes places with a tile of another run that can spare one.
bool Builder::free_pins() {
    for (OpenMeld& run : melds_) {
        if (run.size == 0 || run.has_tile()) continue;
        if (count_of(run, Filler::pin) == 0) {
            run.size = 0;
            continue;
        }
        bool freed = false;
        for (OpenMeld& other : melds_) {
            if (!other.run || other.colour != run.colour || &other == &run || freed) continue;
            const int spare = count_of(other, Filler::numbered) + count_of(other, Filler::block_tile);
            for (int number = run.first; number <= run.last() && spare >= 2 && !freed; ++number) {
                if (number < other.first || number > other.last()) continue;
                Filler& theirs = other.fillers[number - other.first];
                if (theirs != Filler::numbered) continue;
                std::swap(theirs, run.fillers[number - run.first]);
                freed = true;
            }
        }
        if (!freed) return false;
    }
    return true;
}

bool Builder::park(int spare) {
    for (OpenMeld& meld : melds_) {
        if (spare <= 0) return true;
        if (meld.size == 0) continue;
        if (!meld.run) {
            if (meld.size < kColours) {
                add_wild_member(meld, Filler::joker);
                --spare;
            }
            continue;
        }
        for (; spare > 0 && meld.size < position_.numbers; --spare) {
            if (meld.last() == position_.numbers) {
                std::move_backward(meld.fillers, meld.fillers + meld.size, meld.fillers + meld.size + 1);
                --meld.first;
                meld.fillers[0] = Filler::joker;
                ++meld.size;
            } else {
                meld.fillers[meld.size++] = Filler::joker;
            }
        }
    }
    return spare <= 0;
}

void Builder::write(Solution& solution) const {
    solution.melds.clear();
    solution.melds.reserve(melds_.size());
    Counts on_table{};
    for (const OpenMeld& meld : melds_) {
        if (meld.size == 0) continue;
        Meld written;
        written.run = meld.run;
        written.size = meld.size;
        for (int i = 0; i < meld.size; ++i) {
            const int kind = meld.run ? kind_of(meld.colour, meld.first + i) : kind_of(meld.colours[i], meld.first);
            written.places[static_cast<std::size_t>(i)] = {static_cast<std::uint8_t>(kind), !is_tile(meld.fillers[i])};
            if (meld.fillers[i] == Filler::numbered) ++on_table[static_cast<std::size_t>(kind)];
            if (meld.fillers[i] == Filler::joker) ++on_table[kJoker];
        }
        if (!written.run)
            std::sort(written.places.begin(), written.places.begin() + written.size,
                      [](Place a, Place b) { return std::tie(a.joker, a.kind) < std::tie(b.joker, b.kind); });
        solution.melds.push_back(written);
    }
    const auto order = [](const Meld& meld) {
        const int kind = meld.places[0].kind;
        return (meld.run ? kind : kKinds + number_of(kind)) << 16 | kind << 8 | meld.size;
    };
    std::sort(solution.melds.begin(), solution.melds.end(),
              [&](const Meld& a, const Meld& b) { return order(a) < order(b); });

    solution.tiles = solution.points = 0;
    solution.weight = 0;
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        const int laid = on_table[kind] - query_.table[kind];
        solution.laid[kind] = static_cast<std::uint8_t>(laid);
        solution.tiles += laid;
        solution.points += laid * (kind == kJoker ? query_.joker_points : number_of(static_cast<int>(kind)));
        solution.weight += std::int64_t{laid} * query_.weights[kind];
    }
    solution.jokers = solution.laid[kJoker];
}

}  // namespace tilerummy
