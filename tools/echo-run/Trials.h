//===- Trials.h - Runs of a program that are compared -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a program plain and with plans, unseen, and decides whether it behaved
// the same: exit status, standard output and standard error token by token,
// files that it writes by their hash, or token by token where those are text
// that differs, and what is left at each name that it changes. Only what
// differs between plain runs is left out; where a run differs, two more plain
// runs are asked first. What behaves otherwise is never measured.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHO_RUN_TRIALS_H
#define ECHO_TOOLS_ECHO_RUN_TRIALS_H

#include "Commands.h"
#include "Leftovers.h"

#include "Profile/NameState.h"
#include "Profile/OutputPattern.h"
#include "Profile/Plan.h"
#include "Profile/Statistics.h"

#include <map>
#include <set>

namespace echo {

class Trials {
public:
  /// What one run wrote to a file: all of it, or what it added to what was
  /// there.
  struct Left {
    uint64_t Hash = 0; ///< 0: it wrote nothing
    bool Added = false;
    std::string Text; ///< empty if it is no text, or too long to compare
  };
  /// What one run left, by path.
  struct Leavings {
    std::map<std::string, Left> Files;
    std::map<std::string, drtool::NameState> Names;
  };

private:
  const Subject &S;
  QuietRuns Runs;
  TemporaryFolder Files;
  Ended Plain; ///< the first plain run
  /// What plain runs agree on, of standard output and standard error: with the
  /// order of lines, and without.
  struct Stream {
    drtool::OutputPattern Ordered, Sorted;
    const drtool::OutputPattern &best(size_t Processes) const;
    void merge(const std::string &Text);
  };
  std::optional<Stream> Output, Errors;
  /// Of each file that is compared, the hash of what each plain run wrote to
  /// it; 0: nothing.
  std::map<std::string, std::vector<uint64_t>> Written;
  std::set<std::string> Growing; ///< those to which runs added
  /// Of those that are text, what plain runs agree on.
  std::map<std::string, drtool::OutputPattern> Texts;
  /// What plain runs agree on of each name that the program changes.
  std::map<std::string, drtool::NamePattern> Names;
  std::optional<Ended> Profiled; ///< still to be compared
  size_t ProfiledProcesses = 0;
  unsigned Asked = 0; ///< plain runs after the first three
  unsigned Limit;     ///< seconds of a run; 0: not known yet
  unsigned Count = 0;
  const uint64_t Began; ///< nanoseconds of the time of day
  std::string Broken;   ///< what kept echo-run from running it; empty: nothing

  std::string freshTraces();
  std::string anotherPlainRun();
  std::string writtenMeanwhile(const drtool::PlanContext &C) const;
  Leavings runWatched(const Mode &M, Ended &E);
  bool isCompared(const std::string &Path) const;

public:
  /// \p Limit: most seconds of a run; 0: by how long the program takes alone.
  Trials(const Subject &S, unsigned Limit);

  /// Runs the program once without Echo. Empty, or why it cannot be compared.
  std::string runPlain();
  /// Two plain runs more, now that \p P says which files are written: from here
  /// on outputs are compared. Takes out of \p P the files that the runs change,
  /// and warns of them. Empty, or why it cannot be compared.
  std::string settle(drtool::Plan &P);
  /// Both; prints why, unless the user stopped it. False if it cannot be.
  bool begin();
  bool settled(drtool::Plan &P);
  const Ended &plain() const { return Plain; }
  /// Nothing but the exit status is compared.
  bool comparesNothing() const;
  /// Files that the program writes and that cannot be compared: plain runs
  /// write something else into each, or give each another name.
  std::vector<std::string> uncompared() const;
  /// What is compared, for people.
  std::string comparedText() const;
  /// What kept echo-run itself from running the program, which says nothing
  /// about the program: no plan follows from it. Empty: nothing did.
  const std::string &broken() const { return Broken; }
  /// No more runs: that, or the user's signal.
  bool stopped() const { return interrupted() || !Broken.empty(); }

  struct Result {
    std::string Differs;  ///< how it behaved otherwise; empty: as it should
    std::string Said;     ///< the last line of Echo's own in the process
    drtool::RunTime Loop; ///< of an iteration; 0: it was not seen
    double Seconds = 0;   ///< of the whole process
    bool Refused = false; ///< no process of the program used the plan
    std::vector<drtool::Trace> Traces;
    SeenCalls Calls; ///< validated: those that were watched
  };
  /// Profiles into \p Folder. What it wrote is compared by settle().
  Result profile(const std::string &Folder);
  /// One run with \p P in \p Mode; the loop iterates at P.LoopSite.
  Result run(const char *Mode, const drtool::Plan &P);

private:
  void breakOff(const char *What, std::string Why);
  std::string differsFrom(const Ended &E, size_t Processes) const;
  std::string wroteOtherwise(const Leavings &L) const;
  std::string behavedOtherwise(const Ended &E, size_t Processes,
                               const Leavings &L);
  Result judged(const Mode &M, const Ended &E, const drtool::Plan &P);
};

/// Runs the validation of \p P and takes its verdicts. False if it was stopped:
/// \p P is as before then.
bool validatePlan(Trials &T, drtool::Plan &P);

struct CalibrateOptions {
  unsigned Runs = 5;  ///< of each kind, at least drtool::LeastRuns
  unsigned Limit = 0; ///< most seconds of a run; 0: by how long it takes alone
  bool Accept =
      false; ///< one buffer, though nothing but the status is compared
};
/// Chooses for each pair of \p P, and enables it if the loop gains. False if
/// it was stopped; \p P is as before then.
bool calibratePlan(Trials &T, drtool::Plan &P, const drtool::Launch &L,
                   const CalibrateOptions &O);

/// The table of what was chosen.
void printSummary(const drtool::Plan &P);

/// Writes \p P to its place; prints errors.
bool storePlan(const drtool::Plan &P, const drtool::Launch &L);

/// Whether \p S holds on this host, but was measured on another one.
bool isElsewhere(const drtool::StoredPlan &S, const drtool::Launch &L);
/// Whether the program may be run several times before it is run.
bool mayCalibrateByItself();
/// Measures the plan \p Portable here. The plan to use: this host's own, or the
/// old one if another process does it or the user stopped it.
drtool::StoredPlan calibrateHere(const Subject &S,
                                 const drtool::StoredPlan &Portable);

/// \p Status, or the user's signal if that stopped the command. Nothing of the
/// command may be left when it is called.
int endIfStopped(int Status);

struct ValidateOptions {
  unsigned Limit = 0;
};
int runValidate(const ValidateOptions &O,
                const std::vector<std::string> &Words);
int runCalibrate(const CalibrateOptions &O,
                 const std::vector<std::string> &Words);
struct PrepareOptions {
  CalibrateOptions Calibrate;
  bool Portable = false;
};
int runPrepare(const PrepareOptions &O, const std::vector<std::string> &Words);

} // namespace echo

#endif
