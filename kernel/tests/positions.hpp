// Random positions, the same for the same seed on every machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../solver.hpp"

namespace positions {

using namespace tilerummy;

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}

    int below(int bound) {
        state_ += 0x9E3779B97F4A7C15u;
        std::uint64_t z = state_;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        z ^= z >> 31;
        return static_cast<int>((z >> 32) * static_cast<std::uint64_t>(bound) >> 32);
    }
    bool chance(int percent) { return below(100) < percent; }

private:
    std::uint64_t state_;
};

// What is left to hand out.
struct Supply {
    Counts left{};
    explicit Supply(const TileSet& tiles) {
        for (int kind = 0; kind < kNumberedKinds; ++kind)
            if (number_of(kind) <= tiles.numbers)
                left[static_cast<std::size_t>(kind)] = static_cast<std::uint8_t>(tiles.copies);
        left[kJoker] = static_cast<std::uint8_t>(tiles.jokers);
    }
    bool take(int kind) {
        auto& count = left[static_cast<std::size_t>(kind)];
        if (count == 0) return false;
        --count;
        return true;
    }
};

inline bool is_joker(const Place& place) { return place.joker; }

// A meld out of the supply, each place a joker with that chance. False: the tiles are not there.
inline bool random_meld(Random& random, const TileSet& tiles, bool groups, int joker_chance, int most_run,
                        Supply& supply, Meld& meld) {
    meld = Meld{};
    meld.run = !groups || random.chance(60);
    std::vector<int> kinds;
    if (meld.run) {
        const int size = 3 + random.below(std::min(most_run, tiles.numbers) - 2);
        const int first = 1 + random.below(tiles.numbers - size + 1);
        const int colour = random.below(kColours);
        for (int i = 0; i < size; ++i) kinds.push_back(kind_of(colour, first + i));
    } else {
        const int number = 1 + random.below(tiles.numbers);
        const int without = random.below(2 * kColours);
        for (int colour = 0; colour < kColours; ++colour)
            if (colour != without) kinds.push_back(kind_of(colour, number));
    }
    const Supply before = supply;
    for (const int kind : kinds) {
        const bool joker = random.chance(joker_chance);
        if (!supply.take(joker ? kJoker : kind)) {
            supply = before;
            return false;
        }
        meld.places[meld.size++] = {static_cast<std::uint8_t>(kind), joker};
    }
    if (std::all_of(meld.places.begin(), meld.places.begin() + meld.size, is_joker)) {
        supply = before;
        return false;
    }
    return true;
}

inline int random_tile(Random& random, Supply& supply) {
    int total = 0;
    for (const int count : supply.left) total += count;
    if (total == 0) return -1;
    int place = random.below(total);
    for (int kind = 0; kind < kKinds; ++kind) {
        place -= supply.left[static_cast<std::size_t>(kind)];
        if (place < 0) {
            supply.take(kind);
            return kind;
        }
    }
    return -1;
}

}  // namespace positions
