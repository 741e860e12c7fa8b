//===- Trials.cpp - Runs of a program that are compared -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Trials.h. Without Echo means mode profile where times are compared: both
// kinds of run then record, and only the plan differs.
//
//===----------------------------------------------------------------------===//
#include "Trials.h"

#include "Profile/Files.h"
#include "Profile/Loop.h"
#include "Profile/Surroundings.h"

#include "runtime/abi/FileHash.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sys/stat.h>
#include <time.h>

namespace echo {

namespace fs = std::filesystem;
using namespace drtool;

static const char NotAgain[] = "the program cannot be run again";

/// Without lines that begin as Echo's own do, in whatever run.
static std::string withoutOwnLines(std::string Text) {
  takeOwnLines(Text);
  return Text;
}

const OutputPattern &Trials::Stream::best(size_t Processes) const {
  // The lines of several processes come in any order, though they came in one
  // order each time.
  return Processes > 1 || Sorted.fixedTokens() > Ordered.fixedTokens()
             ? Sorted
             : Ordered;
}

void Trials::Stream::merge(const std::string &Text) {
  Ordered.merge(Text);
  Sorted.merge(Text);
}

/// Seconds of the first run, of which nothing is known: it may wait for ever.
static constexpr unsigned FirstLimit = 600;

std::string Trials::runPlain() {
  Plain = Runs.run(S.P, {}, Limit ? Limit : FirstLimit);
  if (!Plain.Started)
    Broken = Plain.Why;
  if (interrupted() || !Plain.Started)
    return Plain.Why.empty() ? "stopped" : Plain.Why;
  if (Plain.TimedOut && Limit)
    return fmt::format("it takes more than {} s", Limit);
  if (Plain.TimedOut)
    return fmt::format("it does not end within {} s (does it wait for "
                       "something?); --limit gives it more",
                       FirstLimit);
  if (!Limit) // what hangs under Echo shall not hang echo-run
    Limit = unsigned(20 + 10 * Plain.Seconds);
  Output = {{Plain.Output, false}, {Plain.Output, true}};
  const std::string Said = withoutOwnLines(Plain.Errors);
  Errors = {{Said, false}, {Said, true}};
  return "";
}

/// When a file was last changed; 0: it is not there.
static uint64_t changeOf(const std::string &Path) {
  struct stat S;
  return stat(Path.c_str(), &S) == 0
             ? dr::nanoseconds(S.st_ctim) ^ uint64_t(S.st_ino) << 40
             : 0;
}

/// What is in \p Path, if that is not too long to compare.
static std::string contentsIn(const std::string &Path) {
  constexpr uint64_t Most = uint64_t(4) << 20;
  return readFile(Path, Most).value_or("");
}

/// What a run wrote to \p Path, which held \p Before: where that is still how
/// the file begins, the rest.
static Trials::Left leftIn(const std::string &Path, const std::string &Before) {
  std::string Text = contentsIn(Path);
  Trials::Left Out;
  if (!Before.empty() && Text.size() > Before.size() &&
      Text.compare(0, Before.size(), Before) == 0) {
    Text.erase(0, Before.size());
    Out.Hash = dr::fnv1a(Text.data(), Text.size());
    Out.Added = true;
  } else {
    Out.Hash = contentsOf(Path);
  }
  if (Text.find('\0') == Text.npos)
    Out.Text = std::move(Text);
  return Out;
}

/// One run, and what it left in the files and at the names that are compared.
Trials::Leavings Trials::runWatched(const Mode &M, Ended &E) {
  struct Was {
    uint64_t Change;
    std::string Contents;
  };
  std::map<std::string, Was> Before;
  for (const auto &[Path, Hashes] : Written)
    Before[Path] = {changeOf(Path), contentsIn(Path)};
  std::map<std::string, NameState> NamesBefore;
  for (const auto &[Path, Pattern] : Names)
    NamesBefore.emplace(Path, Path);
  const uint64_t From = timeOfDay();
  E = Runs.run(S.P, M, Limit);
  const uint64_t Until = timeOfDay();
  Leavings Out;
  for (const auto &[Path, State] : NamesBefore)
    Out.Names.emplace(Path, Path).first->second.settleTimes(State, From, Until);
  for (const auto &[Path, B] : Before)
    Out.Files[Path] =
        changeOf(Path) == B.Change ? Left() : leftIn(Path, B.Contents);
  return Out;
}

std::string Trials::anotherPlainRun() {
  Ended Again;
  const Leavings L = runWatched({}, Again);
  for (const auto &[Path, State] : L.Names)
    Names[Path].merge(State);
  for (const auto &[Path, Wrote] : L.Files) {
    Written[Path].push_back(Wrote.Hash);
    if (Wrote.Added)
      Growing.insert(Path);
    const std::string &Text = Wrote.Text;
    const bool First = Written[Path].size() == 1;
    if (Text.empty())
      Texts.erase(Path);
    else if (First)
      Texts.emplace(Path, OutputPattern(Text, false));
    else if (auto It = Texts.find(Path); It != Texts.end())
      It->second.merge(Text);
  }
  if (!Again.Started)
    Broken = Again.Why;
  if (interrupted() || !Again.Started)
    return Again.Why.empty() ? "stopped" : Again.Why;
  if (Again.TimedOut)
    return fmt::format("it takes more than {} s", Limit);
  if (Again.Status != Plain.Status)
    return fmt::format("it ends with {} once and with {} once",
                       statusText(Plain.Status), statusText(Again.Status));
  Output->merge(Again.Output);
  Errors->merge(withoutOwnLines(Again.Errors));
  return "";
}

static bool agree(const std::vector<uint64_t> &Hashes) {
  return !Hashes.empty() && Hashes[0] &&
         std::all_of(Hashes.begin(), Hashes.end(),
                     [&](uint64_t H) { return H == Hashes[0]; });
}

bool Trials::isCompared(const std::string &Path) const {
  auto It = Texts.find(Path);
  return agree(Written.at(Path)) || (It != Texts.end() && It->second.tells());
}

std::vector<std::string> Trials::uncompared() const {
  std::vector<std::string> Out;
  for (const auto &[Path, Hashes] : Written)
    // A temporary file is gone by now.
    if (changeOf(Path) && !isCompared(Path))
      Out.push_back(Path);
  return Out;
}

/// Some of \p Paths, for a line.
static std::string someOf(const std::vector<std::string> &Paths) {
  std::string Text;
  for (size_t I = 0; I < Paths.size() && I < 5; ++I)
    Text += (I ? ", " : "") + Paths[I];
  return Paths.size() > 5
             ? fmt::format("{} and {} more", Text, Paths.size() - 5)
             : Text;
}

Trials::Trials(const Subject &S, unsigned Limit)
    : S(S), Runs(Limit), Limit(Limit), Began(timeOfDay()) {}

/// A file that the program reads and that was written since the runs began, if
/// by a script with the same contents: it has others by the time that it is
/// read, whatever it had before.
std::string Trials::writtenMeanwhile(const PlanContext &C) const {
  for (const PlanInput &F : C.Files) {
    struct stat S;
    if ((F.What == "opened" || F.What == "argument") &&
        stat(F.Path.c_str(), &S) == 0 && S_ISREG(S.st_mode) &&
        dr::nanoseconds(S.st_ctim) > Began)
      return F.Path;
  }
  return "";
}

std::string Trials::settle(Plan &P) {
  for (const std::string &Path : P.Context.Written)
    Written[Path];
  for (const std::string &Path : P.Context.Changed)
    Names[Path];
  for (int Run = 0; Run < 2; ++Run)
    if (const std::string Why = anotherPlainRun(); !Why.empty())
      return Why;
  if (Profiled) {
    const std::string Differs =
        behavedOtherwise(*Profiled, ProfiledProcesses, {});
    Profiled.reset();
    if (!Differs.empty() || stopped())
      return stopped() ? "stopped" : "profiled, " + Differs;
  }
  P.Context.Input = Runs.input();
  std::vector<std::string> Changed = dropChanged(P.Context);
  if (!Changed.empty() && !P.Context.Unseen)
    P.Context.Unseen =
        "the program depends on " + Changed[0] + ", which its runs change";
  if (!P.Context.Unseen)
    if (const std::string Path = writtenMeanwhile(P.Context); !Path.empty())
      P.Context.Unseen =
          "the program depends on " + Path + ", which is written in each run";
  for (const auto &[Path, Hashes] : Written)
    if (Growing.count(Path) ||
        (!agree(Hashes) && std::any_of(Hashes.begin(), Hashes.end(),
                                       [](uint64_t H) { return H != 0; })))
      Changed.push_back(Path);
  if (!Changed.empty())
    say(fmt::format("warning: each run of the program changes {}; the runs "
                    "that follow change {} again",
                    someOf(Changed), Changed.size() == 1 ? "it" : "them"));
  return "";
}

bool Trials::comparesNothing() const {
  if (!Output)
    return true;
  for (const auto &[Path, Hashes] : Written)
    if (isCompared(Path))
      return false;
  return !Output->best(1).tells() && !Errors->best(1).tells();
}

std::string Trials::comparedText() const {
  auto Of = [](const OutputPattern &P, const char *What) {
    const size_t Fixed = P.fixedTokens(), Open = P.openTokens();
    if (!Fixed && !Open)
      return std::string();
    return fmt::format(
        ", {} token{} of {}{}", Fixed, Fixed == 1 ? "" : "s", What,
        Open ? fmt::format(" (of {} more plain runs differ)", Open) : "");
  };
  size_t Same = 0, Whole = 0;
  for (const auto &[Path, Hashes] : Written)
    Same += isCompared(Path);
  for (const auto &[Path, Pattern] : Names)
    Whole += Pattern.isWhole();
  return "the exit status" + Of(Output->best(1), "standard output") +
         Of(Errors->best(1), "standard error") +
         (Written.empty()
              ? ""
              : fmt::format(", {} of {} file{} that it writes", Same,
                            Written.size(), Written.size() == 1 ? "" : "s")) +
         (Names.empty()
              ? ""
              : fmt::format(", what is left at {} of {} name{} that it changes"
                            "{}",
                            Whole, Names.size(), Names.size() == 1 ? "" : "s",
                            Whole == Names.size()
                                ? ""
                                : " (in part at the others: plain runs differ "
                                  "in the rest)"));
}

bool Trials::begin() {
  const std::string Why = runPlain();
  if (!Why.empty() && !interrupted())
    say("error: the program cannot be compared: " + Why);
  return Why.empty();
}

bool Trials::settled(Plan &P) {
  const std::string Why = settle(P);
  if (!Why.empty() && !interrupted())
    say("error: the program cannot be compared: " + Why);
  if (!Why.empty())
    return false;
  say("compared with plain runs: " + comparedText());
  if (comparesNothing())
    say("warning: NOTHING BUT THE EXIT STATUS CAN BE COMPARED: the program "
        "writes no result that is the same in each plain run; what a plan did "
        "to its results would not show");
  else if (const std::vector<std::string> Files = uncompared(); !Files.empty())
    say(fmt::format("warning: WHAT IS WRITTEN TO {} CANNOT BE COMPARED: it "
                    "differs between plain runs; what a plan did to it would "
                    "not show",
                    someOf(Files)));
  return true;
}

std::string Trials::freshTraces() {
  const std::string Folder = Files.at(fmt::format("traces.{}", Count++));
  std::error_code Error;
  fs::create_directories(Folder, Error);
  return Folder;
}

void Trials::breakOff(const char *What, std::string Why) {
  if (stopped())
    return;
  Broken = std::move(Why);
  say(fmt::format("error: {}: {}", What, Broken));
}

std::string Trials::differsFrom(const Ended &E, size_t Processes) const {
  if (std::string Why = Output->best(Processes).differs(E.Output); !Why.empty())
    return "it writes something else: " + Why;
  if (std::string Why =
          Errors->best(Processes).differs(withoutOwnLines(E.Errors));
      !Why.empty())
    return "it writes something else to standard error: " + Why;
  return "";
}

/// How the contents of what a run left differ from what plain runs write. Those
/// are a result: what may be chance is not asked again and left out.
std::string Trials::wroteOtherwise(const Leavings &L) const {
  for (const auto &[Path, Now] : L.Files) {
    const std::vector<uint64_t> &Hashes = Written.at(Path);
    const auto Text = Texts.find(Path);
    if (agree(Hashes)) {
      if (Now.Hash != Hashes[0])
        return (Now.Hash ? "it writes something else to "
                         : "it does not write ") +
               Path;
    } else if (Text != Texts.end() && Text->second.fixedTokens()) {
      const std::string Why =
          Now.Hash ? Text->second.differs(Now.Text) : "nothing";
      if (!Why.empty())
        return fmt::format("it writes something else to {}: {}", Path, Why);
    }
  }
  return "";
}

/// How \p E, which left \p L, behaved otherwise than plain runs do. What three
/// of those agreed on may be chance: two more are asked, a few times.
std::string Trials::behavedOtherwise(const Ended &E, size_t Processes,
                                     const Leavings &L) {
  auto Compare = [&] {
    std::string Why = differsFrom(E, Processes);
    for (const auto &[Path, State] : L.Names)
      if (Why.empty())
        Why = Names.at(Path).differs(State, Path);
    return Why;
  };
  std::string Differs = Compare();
  constexpr unsigned MostAsked = 6;
  for (int Run = 0; !Differs.empty() && Run < 2 && Asked < MostAsked; ++Run) {
    ++Asked;
    if (const std::string Why = anotherPlainRun(); !Why.empty())
      return stopped() ? Differs : "without a plan " + Why;
    Differs = Compare();
  }
  return Differs.empty() ? wroteOtherwise(L) : Differs;
}

/// True if records of \p Traces, in \p Folder, are missing as the disk is full.
static bool lackedRoom(const std::vector<Trace> &Traces,
                       const std::string &Folder) {
  constexpr uintmax_t Little = 1 << 20;
  std::error_code Error;
  const fs::space_info Room = fs::space(Folder, Error);
  return !Error && Room.available < Little &&
         (Traces.empty() ||
          std::any_of(
              Traces.begin(), Traces.end(),
              [](const Trace &T) { return T.lacksRecords(); }));
}

Trials::Result Trials::judged(const Mode &M, const Ended &E, const Plan &P) {
  Result R;
  R.Seconds = E.Seconds;
  R.Calls = E.Calls;
  std::vector<std::string> Problems;
  R.Traces = readTraces(M.Traces, Problems);
  if (!M.Traces.empty() && lackedRoom(R.Traces, M.Traces))
    breakOff("nothing can be recorded", M.Traces + " has no room left");
  if (!E.Started) {
    breakOff(NotAgain, E.Why.empty() ? "it cannot be started" : E.Why);
  } else if (E.TimedOut) {
    R.Differs = fmt::format("it does not end within {} s", Limit);
  } else if (E.Status != Plain.Status) {
    R.Differs = fmt::format("it ends with {} instead of {}",
                            statusText(E.Status), statusText(Plain.Status));
  }
  const size_t Line = E.Errors.rfind("echo: ");
  if (Line != std::string::npos && (!Line || E.Errors[Line - 1] == '\n'))
    R.Said = E.Errors.substr(Line + 6, E.Errors.find('\n', Line) - Line - 6);
  uint64_t Longest = 0;
  bool Fits = false;
  for (const Trace &T : R.Traces) {
    if (T.ExecutableHash != P.Context.Executable.Hash)
      continue;
    Fits |= T.PlanFits.value_or(false);
    R.Refused |= !T.PlanFits.value_or(true);
    const Loop L = loopAt(T, P.LoopSite);
    if (L.Until - L.From > Longest) {
      Longest = L.Until - L.From;
      R.Loop = {L.period(), L.Undisturbed, E.Seconds * 1e9};
    }
  }
  R.Refused &= !Fits;
  return R;
}

Trials::Result Trials::profile(const std::string &Folder) {
  Mode M;
  M.Name = "profile";
  M.Traces = Folder;
  Profiled = Runs.run(S.P, M, Limit);
  Result R = judged(M, *Profiled, {});
  ProfiledProcesses = R.Traces.size();
  return R;
}

Trials::Result Trials::run(const char *Name, const Plan &P) {
  if (!Files.isThere()) {
    breakOff(NotAgain, "no folder can be made in TMPDIR");
    return {};
  }
  Mode M;
  M.Name = Name;
  M.Traces = freshTraces();
  M.Plan = Files.at("plan.json");
  if (M.Name == "validate")
    M.Executable = P.Context.Executable.Path;
  Result R;
  if (std::string Why = writeFile(M.Plan, planText(P)); !Why.empty())
    breakOff(NotAgain, std::move(Why));
  else {
    Ended E;
    const Leavings Wrote = runWatched(M, E);
    R = judged(M, E, P);
    if (!stopped() && R.Differs.empty())
      R.Differs = behavedOtherwise(E, R.Traces.size(), Wrote);
  }
  if (R.Refused)
    breakOff("nothing can be measured", R.Said);
  std::error_code Error;
  fs::remove_all(M.Traces, Error);
  return R;
}

int endIfStopped(int Status) {
  if (!interrupted())
    return Status;
  say("stopped; the old plan, if there is one, is as it was");
  return endLike(interrupted()); // as waitpid tells of a signal
}

bool storePlan(const Plan &P, const Launch &L) {
  const std::string File = planFile(L, P.Portable);
  const std::string Why = File.empty() ? NoPlace : writeFile(File, planText(P));
  if (!Why.empty())
    say("error: " + Why);
  return Why.empty();
}

} // namespace echo
