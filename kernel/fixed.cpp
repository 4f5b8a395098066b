#include "fixed.hpp"

#include <algorithm>
#include <bit>

#include "search.hpp"

namespace tilerummy {
namespace {

constexpr std::size_t kSources = 5;

class Fixer {
public:
    Fixer(const TileSet& tiles, const Query& query, const Wanted& wanted, Value above, Value ceiling,
          Workspace& workspace, Fixed& fixed)
        : tiles_(tiles),
          query_(query),
          rest_(query),
          wanted_(wanted),
          above_(above),
          ceiling_(ceiling),
          workspace_(workspace),
          fixed_(fixed) {
        for (std::size_t kind = 0; kind < kKinds; ++kind)
            have_[kind] = static_cast<std::uint8_t>(query.table[kind] + query.rack[kind]);
    }

    void run() {
        meld_.run = true;
        for (int colour = 0; colour < kColours; ++colour)
            for (int first = 1; first + 2 <= tiles_.numbers; ++first)
                for (int last = first + 2; last <= std::min(tiles_.numbers, first + wanted_.longest - 1); ++last)
                    run_of(colour, first, last);
        if (!query_.groups_allowed) return;
        meld_.run = false;
        for (int number = 1; number <= tiles_.numbers; ++number)
            for (unsigned colours = 0; colours < 1u << kColours; ++colours)
                if (std::popcount(colours) >= 3) group_of(number, colours);
    }

private:
    void run_of(int colour, int first, int last) {
        meld_.size = 0;
        for (int number = first; number <= last; ++number) put(kind_of(colour, number));
        if (!possible()) return;
        with_blocks(0, colour, first, last);
    }

    void group_of(int number, unsigned colours) {
        meld_.size = 0;
        for (int colour = 0; colour < kColours; ++colour)
            if (colours >> colour & 1) put(kind_of(colour, number));
        if (possible()) fill(0);
    }

    void put(int kind) { meld_.places[meld_.size++] = {static_cast<std::uint8_t>(kind), Source::tile}; }

    // Whether the kinds are wanted, and what is missing of them is not more than there are jokers.
    bool possible() const {
        std::uint64_t kinds = 0;
        int missing = 0;
        for (std::size_t at = 0; at < meld_.size; ++at) {
            const std::size_t kind = meld_.places[at].kind;
            kinds |= std::uint64_t{1} << kind;
            missing += have_[kind] == 0 && pins_at(kind) == 0;
        }
        if (wanted_.kind >= 0 && !(kinds >> wanted_.kind & 1)) return false;
        if ((wanted_.some && !(wanted_.some & kinds)) || (wanted_.all & ~kinds)) return false;
        return missing <= have_[kJoker] || (meld_.run && !query_.run_blocks.empty());
    }

    int pins_at(std::size_t kind) const {
        return meld_.run ? query_.run_pins[kind] : query_.group_pins[kind % kMaxNumber + 1];
    }

    // Each choice of blocks that can lie side by side in the run.
    void with_blocks(std::size_t next, int colour, int first, int last) {
        if (next == query_.run_blocks.size()) {
            fill(0);
            return;
        }
        with_blocks(next + 1, colour, first, last);
        const RunBlock& block = query_.run_blocks[next];
        if (block.colour != colour || block.first < first || block.last > last) return;
        for (int number = block.first; number <= block.last; ++number)
            if (place(number - first).source != Source::tile) return;
        for (int number = block.first; number <= block.last; ++number)
            place(number - first).source =
                block.jokers >> (number - block.first) & 1 ? Source::block_joker : Source::block;
        meld_.blocks |= 1u << next;
        with_blocks(next + 1, colour, first, last);
        meld_.blocks &= ~(1u << next);
        for (int number = block.first; number <= block.last; ++number) place(number - first).source = Source::tile;
    }

    FixedPlace& place(int at) { return meld_.places[static_cast<std::size_t>(at)]; }

    // Each way to fill the places that no block has with tiles, pinned and free jokers.
    void fill(std::size_t at) {
        if (at == meld_.size) {
            if (is_wanted()) solve_rest();
            return;
        }
        FixedPlace& here = meld_.places[at];
        if (here.source != Source::tile) {
            take(here.source, kKinds, at);
            return;
        }
        const std::size_t kind = here.kind;
        const bool only_tile = static_cast<int>(kind) == wanted_.kind;
        const int pinned = meld_.run ? 0 : used_[static_cast<std::size_t>(Source::pin)];
        if (have_[kind]) take(Source::tile, kind, at);
        if (!only_tile && pins_at(kind) > pinned) take(Source::pin, kKinds, at);
        if (!only_tile && have_[kJoker] > used_[static_cast<std::size_t>(Source::wild)]) take(Source::wild, kJoker, at);
        here.source = Source::tile;
    }

    // Lets this lie here, `kind` gone from table or rack if it is one, and fills the further places.
    void take(Source source, std::size_t kind, std::size_t at) {
        meld_.places[at].source = source;
        ++used_[static_cast<std::size_t>(source)];
        if (kind == kKinds) {
            fill(at + 1);
        } else {
            std::uint8_t& count = rest_.table[kind] ? rest_.table[kind] : rest_.rack[kind];
            --count;
            fill(at + 1);
            ++count;
        }
        --used_[static_cast<std::size_t>(source)];
    }

    bool is_wanted() const {
        if (used_[static_cast<std::size_t>(Source::tile)] + used_[static_cast<std::size_t>(Source::block)] == 0)
            return false;
        if (wanted_.wild && used_[static_cast<std::size_t>(Source::wild)] == 0) return false;
        std::uint64_t tiles = 0;
        std::uint64_t blocks = 0;
        for (std::size_t at = 0; at < meld_.size; ++at) {
            const std::uint64_t kind = std::uint64_t{1} << meld_.places[at].kind;
            if (meld_.places[at].source == Source::tile) tiles |= kind;
            if (meld_.places[at].source == Source::block) blocks |= kind;
        }
        return !(wanted_.some && !(wanted_.some & tiles)) && !(wanted_.all & ~(tiles | blocks));
    }

    void solve_rest() {
        rest_.run_pins = query_.run_pins;
        rest_.group_pins = query_.group_pins;
        for (std::size_t at = 0; at < meld_.size; ++at)
            if (const std::size_t kind = meld_.places[at].kind; meld_.places[at].source == Source::pin)
                --(meld_.run ? rest_.run_pins[kind] : rest_.group_pins[kind % kMaxNumber + 1]);
        rest_.run_blocks.clear();
        for (std::size_t block = 0; block < query_.run_blocks.size(); ++block)
            if (!(meld_.blocks >> block & 1)) rest_.run_blocks.push_back(query_.run_blocks[block]);
        SearchMemory& memory = workspace_.memory();
        read_position(tiles_, rest_, memory.position);
        const SearchResult result = search(memory, ceiling_, false, 0);
        fixed_.nodes += result.nodes;
        if (!result.found || result.loss <= above_) return;
        if (result.loss < fixed_.loss) fixed_.melds.clear();
        fixed_.loss = result.loss;
        ceiling_ = result.loss + 1;
        solve(tiles_, rest_, workspace_, meld_.rest);
        fixed_.nodes += meld_.rest.nodes;
        if (meld_.rest.feasible) fixed_.melds.push_back(meld_);
    }

    const TileSet& tiles_;
    const Query& query_;
    Query rest_;  // what is left beside the meld
    Counts have_{};
    const Wanted& wanted_;
    Value above_;
    Value ceiling_;
    Workspace& workspace_;
    Fixed& fixed_;
    FixedMeld meld_;
    int used_[kSources]{};
};

}  // namespace

void fix(const TileSet& tiles, const Query& query, const Wanted& wanted, std::int64_t above, std::int64_t ceiling,
         Workspace& workspace, Fixed& fixed) {
    fixed.loss = kImpossible;
    Fixer(tiles, query, wanted, above, ceiling, workspace, fixed).run();
}

}  // namespace tilerummy
