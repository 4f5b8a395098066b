// The open runs of one colour: how many end at the number before with length 1, with length 2, with 3 or more.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace tilerummy {

inline constexpr int kMaxOpen = 7;  // three copies and four jokers: no more runs pass one place
inline constexpr int kRunStates = 120;

// How many states have at most so many runs; they come first.
constexpr int run_states(int most_open) { return (most_open + 1) * (most_open + 2) * (most_open + 3) / 6; }
static_assert(run_states(kMaxOpen) == kRunStates);

struct OpenRuns {
    std::uint8_t one = 0;
    std::uint8_t two = 0;
    std::uint8_t many = 0;

    constexpr int unfinished() const { return one + two; }
};

struct RunStateTable {
    std::array<OpenRuns, kRunStates> runs{};
    std::uint8_t index[kMaxOpen + 1][kMaxOpen + 1][kMaxOpen + 1]{};
    std::uint8_t capped[kRunStates][kMaxOpen + 1]{};  // long runs beyond the second index let go

    constexpr RunStateTable() {
        int next = 0;
        for (int total = 0; total <= kMaxOpen; ++total)
            for (int unfinished = 0; unfinished <= total; ++unfinished)
                for (int one = 0; one <= unfinished; ++one) {
                    const int two = unfinished - one;
                    const int many = total - unfinished;
                    const auto i = static_cast<std::size_t>(next++);
                    runs[i] = {static_cast<std::uint8_t>(one), static_cast<std::uint8_t>(two),
                               static_cast<std::uint8_t>(many)};
                    index[one][two][many] = static_cast<std::uint8_t>(i);
                }
        for (std::size_t i = 0; i < kRunStates; ++i)
            for (int cap = 0; cap <= kMaxOpen; ++cap)
                capped[i][cap] = index[runs[i].one][runs[i].two][std::min<int>(runs[i].many, cap)];
    }
};

inline constexpr RunStateTable kRunTable{};

// `tiles` tiles of the next number go into runs. Unfinished runs take one each or end in a block that starts here, the
// shortest first; long runs take the rest; what is left starts runs.
struct RunStep {
    int joined = 0;    // unfinished runs that end in a block
    int extended = 0;  // long runs that go on
    int started = 0;
    OpenRuns after;
};

constexpr RunStep step_runs(OpenRuns runs, int tiles, int block_starts) {
    RunStep step;
    const int unfinished = runs.unfinished();
    step.joined = std::min({block_starts, unfinished, std::max(0, unfinished + runs.many - tiles)});
    const int joined_one = std::min<int>(step.joined, runs.one);
    const int one = runs.one - joined_one;
    const int two = runs.two - (step.joined - joined_one);
    const int rest = tiles - one - two;
    step.extended = std::min<int>(runs.many, rest);
    step.started = rest - step.extended;
    step.after = {static_cast<std::uint8_t>(step.started), static_cast<std::uint8_t>(one),
                  static_cast<std::uint8_t>(two + step.extended)};
    return step;
}

// The state after so many tiles, where no block starts.
struct RunStepTable {
    std::uint8_t next[kRunStates][kMaxOpen + 1]{};

    constexpr RunStepTable() {
        for (std::size_t i = 0; i < kRunStates; ++i)
            for (int tiles = kRunTable.runs[i].unfinished(); tiles <= kMaxOpen; ++tiles) {
                const OpenRuns after = step_runs(kRunTable.runs[i], tiles, 0).after;
                next[i][tiles] = kRunTable.index[after.one][after.two][after.many];
            }
    }
};

inline constexpr RunStepTable kRunSteps{};

}  // namespace tilerummy
