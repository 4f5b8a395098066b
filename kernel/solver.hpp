// The exact solver: the best way to lay rack tiles on a table of runs and groups.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace tilerummy {

inline constexpr int kColours = 4;
inline constexpr int kMaxNumber = 13;
inline constexpr int kMaxCopies = 3;
inline constexpr int kMaxJokers = 4;
inline constexpr int kNumberedKinds = kColours * kMaxNumber;
inline constexpr int kJoker = kNumberedKinds;
inline constexpr int kKinds = kNumberedKinds + 1;

constexpr int kind_of(int colour, int number) { return colour * kMaxNumber + number - 1; }
constexpr int colour_of(int kind) { return kind / kMaxNumber; }
constexpr int number_of(int kind) { return kind % kMaxNumber + 1; }

// A count of tiles per kind; the last place counts jokers.
using Counts = std::array<std::uint8_t, kKinds>;

// Which tiles exist. Built once, shared by every query and thread.
struct TileSet {
    int numbers = 13;
    int copies = 2;
    int jokers = 2;
};

enum class Objective : std::uint8_t {
    tiles,    // most tiles, then most points, then fewest jokers
    points,   // most points, then most tiles, then fewest jokers
    weights,  // greatest sum of weights, then as for tiles
};

// A run of the table that stays whole; bit i of `jokers`: a joker lies at number first + i.
struct RunBlock {
    std::uint8_t colour = 0;
    std::uint8_t first = 0;
    std::uint8_t last = 0;
    std::uint16_t jokers = 0;
};

// A group of the table that stays whole; bit c of `colours`: a numbered tile of colour c.
struct GroupBlock {
    std::uint8_t number = 0;
    std::uint8_t colours = 0;
    std::uint8_t jokers = 0;
};

// Each tile is named once: tiles inside blocks, and pinned jokers, are not in `table`.
struct Query {
    Counts table{};     // all of these lie in the result
    Counts rack{};      // any of these may
    Counts must_lay{};  // part of `rack`: these do
    std::array<std::uint8_t, kNumberedKinds> run_pins{};       // jokers that stay as this kind, in a run
    std::array<std::uint8_t, kMaxNumber + 1> group_pins{};     // jokers that stay in a group of this number
    std::vector<RunBlock> run_blocks;
    std::vector<GroupBlock> group_blocks;
    bool groups_allowed = true;
    Objective objective = Objective::tiles;
    std::array<std::int32_t, kKinds> weights{};  // within ±kMaxWeight
    int joker_points = 0;                        // what a laid joker counts in `points`, 0 to kMaxJokerPoints
    std::uint64_t node_limit = 0;                // 0: none, the answer is proven
};

inline constexpr std::int32_t kMaxWeight = 1 << 24;
inline constexpr int kMaxJokerPoints = 100;

// A tile in its place: `kind` is what it is, or what the joker stands for.
struct Place {
    std::uint8_t kind = 0;
    bool joker = false;
};

struct Meld {
    bool run = false;
    std::uint8_t size = 0;
    std::array<Place, kMaxNumber> places{};
};

struct Solution {
    bool feasible = false;  // some partition uses all of the table and all that must be laid
    bool proven = false;
    Counts laid{};
    std::vector<Meld> melds;  // runs by colour and number, then groups by number
    int tiles = 0;
    int points = 0;
    int jokers = 0;
    std::int64_t weight = 0;
    std::uint64_t nodes = 0;
};

// A set of rack tiles that can be laid; `maximal`: no larger set that contains it can.
struct Play {
    Counts laid{};
    int tiles = 0;
    int points = 0;
    bool maximal = false;
};

struct SearchMemory;

// What a thread keeps between calls so that a call allocates nothing once it is warm.
class Workspace {
public:
    Workspace();
    ~Workspace();
    Workspace(Workspace&&) noexcept;
    Workspace& operator=(Workspace&&) noexcept;
    SearchMemory& memory() { return *memory_; }

private:
    std::unique_ptr<SearchMemory> memory_;
};

// Each throws std::invalid_argument, naming the field, for a query that the tile set cannot hold.

void solve(const TileSet& tiles, const Query& query, Workspace& workspace, Solution& solution);

// Whether some legal result lays at least one rack tile.
bool exists(const TileSet& tiles, const Query& query, Workspace& workspace);

// The distinct sets of one rack tile or more that can be laid: first all maximal ones, then the others, each part by
// most tiles and then most points. False: there are more than `limit`.
bool enumerate(const TileSet& tiles, const Query& query, std::size_t limit, Workspace& workspace,
               std::vector<Play>& plays);

}  // namespace tilerummy
