//===- Verdict.h - What was decided about each pair, and why ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain data: the decision about every candidate pair of a translation unit, in
// the terms of the report formats. Filled by the checks, read by the rewriter
// and the reports. It holds no IR and decides nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_SUPPORT_VERDICT_H
#define ECHO_SUPPORT_VERDICT_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace echo {

/// Reasons to decline, from Blockers.def.
enum class Blocker {
#define BLOCKER(Enum, Id, Condition, Summary, Explanation, Suggestion) Enum,
#include "Support/Blockers.def"
};

struct BlockerInfo {
  Blocker Kind;
  const char *Id, *Condition, *Summary, *Explanation, *Suggestion;
};
const BlockerInfo &blockerInfo(Blocker B);
/// A program that is declined for reason \p B and the change with which its
/// pair merges, as a diff; "" where no short program shows the reason.
const char *exampleOf(Blocker B);
/// The reason called \p Id, or null.
const BlockerInfo *findBlocker(llvm::StringRef Id);
/// All reasons, in the order of Blockers.def.
std::vector<const BlockerInfo *> allBlockers();

/// A place in the user's source; Line 0: no debug location was there.
struct SourcePlace {
  std::string File;
  unsigned Line = 0, Column = 0;

  bool operator==(const SourcePlace &) const = default;
};

/// A call that leads to a place, and the function that it stands in.
struct CallPlace : SourcePlace {
  std::string Function;

  bool operator==(const CallPlace &) const = default;
};

/// A place and the calls that lead to it from the function that was looked at,
/// the innermost first.
struct SourceLoc : SourcePlace {
  std::vector<CallPlace> Callers;

  /// The place in that function: of the outermost call, where one leads here.
  const SourcePlace &own() const {
    return Callers.empty() ? static_cast<const SourcePlace &>(*this)
                           : Callers.back();
  }
};

struct AllocSite {
  std::optional<std::string> Name; ///< source variable, where it is known
  SourceLoc Loc;
  std::string Function;
};

struct LinkCopy {
  bool HostToDevice = true;
  SourceLoc Loc;
  bool Full = true;
  bool Chosen = false; ///< it may be one of other buffers
  /// What one run of it moves, where that is a constant.
  std::optional<uint64_t> Bytes = std::nullopt;
};

/// What the copies of a pair move when each runs once.
struct CopyEstimate {
  unsigned Copies = 0;      ///< all of them
  unsigned Unknown = 0;     ///< those whose size is not among Bytes
  uint64_t Bytes = 0;       ///< that the others move
  std::optional<double> Ns; ///< that these take, where rates were given

  /// True if nothing can be said of what it costs.
  bool isUnknown() const { return Copies == Unknown; }
};

/// Why nothing is said of how often a copy ran (Unmeasured.def).
enum class Unmeasured {
#define ECHO_UNMEASURED(Enum, Id, Text) Enum,
#include "Support/Unmeasured.def"
};

/// A copy of which a measured run says nothing that is certain.
struct UnmeasuredCopy {
  SourcePlace Place; ///< in the pair's own function
  Unmeasured Why = Unmeasured::NotInRun;
};

/// What the copies of a pair take in a run that was profiled.
struct MeasuredCopies {
  unsigned Copies = 0;                 ///< all of them
  std::vector<UnmeasuredCopy> Missing; ///< those that have no part in the rest
  /// Of the others in an iteration of the run's loop: how many run, the bytes
  /// and the nanoseconds.
  double PerIteration = 0, Bytes = 0, Ns = 0;
  double Fraction = 0; ///< of the loop's time, 0 to 1

  /// True if the run says something of a copy.
  bool isMeasured() const { return Missing.size() < Copies; }
  /// The loop is at most so many times as fast without those that are
  /// measured; nothing where none is, or they take all of its time.
  std::optional<double> bound() const {
    return isMeasured() && Fraction < 1 ? std::optional(1 / (1 - Fraction))
                                        : std::nullopt;
  }
};

/// One of the events that conflict, in order.
struct Cause {
  std::string What;
  SourceLoc Loc;
};

/// A wait that stays where a copy went. Kind: "stream", "event", "marker"; or
/// "added", which --repair put there.
struct KeptWait {
  SourceLoc Loc;
  std::string Kind;
};

enum class Verdict { Unified, Guarded, Assumed, Declined, Skipped };
/// In the order of totals.
inline constexpr Verdict AllVerdicts[] = {Verdict::Unified, Verdict::Guarded,
                                          Verdict::Assumed, Verdict::Declined,
                                          Verdict::Skipped};
/// "unified", "guarded", "assumed", "declined", "skipped".
const char *verdictName(Verdict V);

/// What the user's word for a pair is worth (--assume).
enum class Vouched {
  No,        ///< the pair is not listed, or needs no word
  Overrules, ///< it merges, although a reason speaks against that
  Refuted,   ///< it stays declined: what the reason names happens in sight
  NotEnough, ///< it stays declined: for this reason, no word counts
};
/// "overrules", "refuted", "not-enough"; "" for No.
const char *vouchedName(Vouched V);
/// Whether a user may vouch that \p Reason does not matter for a pair. It then
/// is about contents or their order, or about a kernel out of sight, and what
/// the rewrite relies on holds all the same.
bool mayBeOverruled(Blocker Reason);

/// Text that takes the place of what stands from Begin up to End.
struct SourceChange {
  SourcePlace Begin, End;
  std::string Text;
};

/// A change of the source with which a pair merges: --suggest compiled it.
struct SuggestedChange {
  std::string What; ///< what it does, for people
  std::vector<SourceChange> Changes;
};

struct PairReport {
  AllocSite Host, Device;
  std::optional<uint64_t> Bytes; ///< null: known at run time only
  std::string SizeText;          ///< "n*4 B" where Bytes is null
  std::vector<LinkCopy> Links;   ///< in source order
  Verdict Result = Verdict::Declined;
  /// Set unless unified or guarded; of an assumed pair, what was overruled.
  std::optional<Blocker> Reason;
  Vouched Word = Vouched::No;
  std::vector<Cause> Because;
  std::optional<std::string> Suggestion;
  std::optional<SuggestedChange> Suggested; ///< with --suggest
  std::optional<CopyEstimate> Estimate;     ///< with --estimate
  std::optional<MeasuredCopies> Measured;   ///< with --estimate-run
  bool Quiescent = false;
  /// The pointers are in memory that is not followed; found by their names.
  bool Hidden = false;
  std::vector<KeptWait> Waits;

  /// True if its two buffers are one in the program, sizes allowing.
  bool merges() const {
    return Result == Verdict::Unified || Result == Verdict::Guarded ||
           Result == Verdict::Assumed;
  }
};

/// A copy that stays although it looks removable.
struct KeptCopy {
  SourceLoc Loc;
  std::string Why;
  /// With --suggest: a change with which it is one of a pair that merges.
  std::optional<SuggestedChange> Suggested = std::nullopt;
};

struct UnitReport {
  std::string Source;
  std::vector<PairReport> Pairs;
  std::vector<KeptCopy> CopiesKept;
  /// Pairs of it merge, if the link gets echort: its own command links nothing.
  bool NeedsLink = false;
  uint64_t MinBytes =
      uint64_t(200) * 1024; ///< threshold under which pairs are skipped
};

} // namespace echo

#endif
