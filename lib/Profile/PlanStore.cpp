//===- PlanStore.cpp - Where plans and traces are kept --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PlanStore.h.
//
//===----------------------------------------------------------------------===//
#include "Profile/PlanStore.h"

#include "Profile/Files.h"
#include "Profile/Surroundings.h"

#include "runtime/abi/Machine.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace echo::drtool {

namespace fs = std::filesystem;

static std::string variable(const char *Name) {
  const char *Value = getenv(Name);
  return Value ? Value : "";
}

/// The first argument that is a program's text, as in "python3 app.py".
static PlanExecutable findScript(const std::vector<std::string> &Arguments) {
  static const char *const Suffixes[] = {".py",  ".sh", ".pl", ".rb",
                                         ".lua", ".js", ".jl"};
  for (const std::string &A : Arguments) {
    const std::string Suffix = fs::path(A).extension().string();
    if (std::find(std::begin(Suffixes), std::end(Suffixes), Suffix) ==
        std::end(Suffixes))
      continue;
    std::error_code Error;
    if (fs::is_regular_file(A, Error))
      return {fs::absolute(A, Error).string(), contentsOf(A, hashFile())};
  }
  return {};
}

/// The release of the GPU's kernel driver.
static std::string driverRelease() {
  std::optional<std::string> Text = readFile("/sys/module/nvidia/version");
  if (!Text) { // "NVRM version: ... Module  550.54.15  Tue Mar ..."
    Text = readFile("/proc/driver/nvidia/version");
    const size_t At = Text ? Text->find("Module") : std::string::npos;
    Text = At == std::string::npos ? "" : Text->substr(At + 6);
  }
  const size_t From = Text->find_first_of("0123456789");
  return From == std::string::npos
             ? ""
             : Text->substr(From, Text->find_first_of(" \n", From) - From);
}

Launch describeLaunch(const std::string &Path,
                      const std::vector<std::string> &Arguments,
                      const std::string &Interposer) {
  Launch L;
  L.Command = {Path, contentsOf(Path, hashFile())};
  L.Script = findScript(Arguments);
  L.Arguments = Arguments;
  L.Interposer = identityOf(Interposer);
  std::error_code Error;
  L.Folder = fs::current_path(Error).string();
  L.Input = inputNow();
  char Host[256] = "";
  gethostname(Host, sizeof Host - 1);
  L.Host = Host;
  L.Machine = dr::machineHash();
  L.Release = driverRelease();
  L.VisibleDevices = variable("CUDA_VISIBLE_DEVICES");
  return L;
}

void noteLaunch(PlanContext &C, const Launch &L, bool Portable) {
  C.Command = L.Command;
  C.Script = L.Script;
  C.Arguments = L.Arguments;
  C.Interposer = L.Interposer;
  C.Folder = L.Folder;
  C.Input = L.Input == "later" ? "none" : L.Input; // in trials nothing comes
  C.Host = Portable ? "" : L.Host;
  C.Machine = L.Machine;
  C.Release = L.Release;
  C.VisibleDevices = L.VisibleDevices;
}

Launch notedLaunch(const PlanContext &C) {
  return {C.Command, C.Script, C.Arguments, C.Interposer, C.Folder,
          C.Input,   C.Host,   C.Machine,   C.Release,    C.VisibleDevices};
}

static uint64_t hashTexts(const std::vector<std::string> &Texts) {
  uint64_t Hash = dr::FnvBasis;
  for (const std::string &Text : Texts)
    Hash = dr::fnv1a(Text.c_str(), Text.size() + 1, Hash);
  return Hash;
}

/// What is started.
static std::string commandName(const Launch &L) {
  std::vector<std::string> Texts = {L.Command.Path,
                                    std::to_string(L.Arguments.size())};
  Texts.insert(Texts.end(), L.Arguments.begin(), L.Arguments.end());
  return hexText(hashTexts(Texts));
}

std::string launchName(const Launch &L, bool Portable) {
  const std::string Machine = Portable    ? ""
                              : L.Machine ? hexText(L.Machine)
                                          : L.Host;
  const uint64_t Where = hashTexts({L.Folder, Machine, L.VisibleDevices});
  return commandName(L) + "-" + hexText(Where).substr(8);
}

static std::string cacheFolder() {
  if (std::string Cache = variable("XDG_CACHE_HOME"); !Cache.empty())
    return Cache + "/echo";
  if (std::string Home = variable("HOME"); !Home.empty())
    return Home + "/.cache/echo";
  return "";
}

/// What is started may be in another folder when it looks.
static std::string absolute(const std::string &Path) {
  std::error_code Error;
  const fs::path Whole = fs::absolute(Path, Error);
  return Error ? Path : Whole.lexically_normal().string();
}

std::string planFolder() {
  if (std::string Own = variable("ECHO_PLAN_DIR"); !Own.empty())
    return absolute(Own);
  std::string Cache = cacheFolder();
  return Cache.empty() ? "" : absolute(Cache + "/plans");
}

bool isUtf8(const std::string &Text) {
  try {
    nlohmann::json(Text).dump();
    return true;
  } catch (const nlohmann::json::type_error &) {
    return false;
  }
}

std::string whyNotKept(const Launch &L) {
  if (!isUtf8(L.Command.Path))
    return "the program's path is not UTF-8, and a plan could not hold it";
  if (!isUtf8(L.Folder))
    return "the working folder's path is not UTF-8, and a plan could not hold "
           "it";
  for (size_t I = 0; I < L.Arguments.size(); ++I)
    if (!isUtf8(L.Arguments[I]))
      return "argument " + std::to_string(I + 1) +
             " is not UTF-8, and a plan could not hold it";
  return "";
}

std::string traceFolder(const Launch &L) {
  std::string Plans = planFolder();
  return Plans.empty() ? "" : Plans + "/traces/" + launchName(L, false);
}

std::string planFile(const Launch &L, bool Portable) {
  std::string Plans = planFolder();
  return Plans.empty() ? "" : Plans + "/" + launchName(L, Portable) + ".json";
}

bool isOfMachine(const Plan &P, const Launch &L) {
  const std::string &Host = P.Portable ? P.CalibratedOn : P.Context.Host;
  if (P.Context.Machine || L.Machine)
    return P.Context.Machine == L.Machine && (!P.Portable || Host == L.Host);
  return Host == L.Host;
}

static std::string countOf(size_t N, const char *What) {
  return std::to_string(N) + " " + What + (N == 1 ? "" : "s");
}

/// True if \p P is as safe with the standard input \p Now as with what it had.
static bool fitsInput(const Plan &P, const std::string &Now) {
  const std::string &Then = P.Context.Input;
  if (Then == "pipe" || Then == Now)
    return true;
  const bool Rests =
      std::any_of(P.Pairs.begin(), P.Pairs.end(), [](const PlanPair &Pair) {
        return drplan::restsOnValidation(Pair.Chosen);
      });
  return Then == "none" && Now == "later" && (!Rests || !P.Context.UsesInput);
}

/// Why standard input \p Now does not fit where it was \p Then.
static const char *otherInput(std::string_view Then, std::string_view Now) {
  if (Now == "later")
    return "something may come on standard input, which the program reads or "
           "asks about; </dev/null says that nothing will";
  if (Then == "none")
    return "something comes on standard input, and nothing did";
  if (Now == "none")
    return "nothing comes on standard input, and something did";
  if (Now == "pipe")
    return "standard input is a pipe, whose contents are not known beforehand; "
           "give it a file";
  return "standard input is not what it was";
}

std::vector<KeyPart> compareKey(const Plan &P, const Launch &L, bool First) {
  const PlanContext &C = P.Context;
  std::vector<KeyPart> Out;
  auto Done = [&] {
    return First && !Out.empty() && !Out.back().Problems.empty();
  };
  auto Compare = [&](const char *Name, std::string Text, bool Fits,
                     std::string Problem) {
    if (Done())
      return;
    Out.push_back({Name, {}, std::move(Text)});
    if (!Fits)
      Out.back().Problems.push_back(std::move(Problem));
  };
  Compare("command",
          C.Command.Path + " and its " +
              countOf(C.Arguments.size(), "argument"),
          C.Command.Path == L.Command.Path && C.Arguments == L.Arguments,
          "it is for another command");
  Compare("program", C.Command.Path, C.Command.Hash == L.Command.Hash,
          C.Command.Path + " has changed since");
  Compare("script", C.Script.Path.empty() ? "none" : C.Script.Path,
          C.Script == L.Script,
          C.Script.Path != L.Script.Path
              ? "it is for another script"
              : C.Script.Path + " has changed since");
  Compare("folder", C.Folder, C.Folder == L.Folder,
          "it is for the folder " + C.Folder);
  Compare("input", C.Input == "none" ? "none" : "its contents",
          fitsInput(P, L.Input), otherInput(C.Input, L.Input));
  Compare("Echo", "libecho-dr.so", C.Interposer == L.Interposer,
          "it was made with another build of Echo");
  Compare("machine", P.Portable ? "any" : C.Host,
          P.Portable || isOfMachine(P, L),
          C.Host == L.Host ? "it is for another machine of the name " + C.Host
                           : "it is for the host " + C.Host);
  Compare("devices", "CUDA_VISIBLE_DEVICES is '" + C.VisibleDevices + "'",
          C.VisibleDevices == L.VisibleDevices,
          "CUDA_VISIBLE_DEVICES was '" + C.VisibleDevices + "'");
  if (Done() || (P.Portable && !isOfMachine(P, L)))
    return Out;
  Compare("driver", C.Release.empty() ? "no kernel driver" : C.Release,
          C.Release == L.Release,
          "it was made with " +
              (C.Release.empty() ? "no GPU driver" : "driver " + C.Release));
  if (Done())
    return Out;
  Out.push_back({"variables", changedVariables(C),
                 C.AllVariables ? "all, " + countOf(C.Variables.size(), "name")
                                : countOf(C.Variables.size(), "name") +
                                      " that the program asks for"});
  if (!Done())
    Out.push_back({"files", changedFiles(C),
                   countOf(C.Files.size(), "file") +
                       ": program, libraries, arguments, what it reads"});
  return Out;
}

std::string whyNotFor(const Plan &P, const Launch &L) {
  for (const KeyPart &Part : compareKey(P, L, /*First=*/true))
    if (!Part.Problems.empty())
      return Part.Problems.front() +
             (Part.Problems.size() == 1
                  ? ""
                  : ", and " + std::to_string(Part.Problems.size() - 1) +
                        " more");
  return "";
}

StoredPlan readPlan(const std::string &File) {
  StoredPlan S;
  S.File = File;
  if (std::optional<std::string> Text = readFile(File)) {
    S.Found = parsePlan(*Text, S.Why);
    return S;
  }
  S.Why = "it cannot be read";
  std::error_code Error;
  if (access(File.c_str(), R_OK) != 0)
    S.Why += std::string(" (") + strerror(errno) + ")";
  else if (!fs::is_regular_file(File, Error))
    S.Why += " (it is no file)";
  return S;
}

StoredPlan findPlan(const Launch &L) {
  for (bool Portable : {false, true}) {
    std::string File = planFile(L, Portable);
    if (File.empty() || access(File.c_str(), F_OK) != 0)
      continue;
    StoredPlan S = readPlan(File);
    if (S.Found)
      S.Why = whyNotFor(*S.Found, L);
    return S;
  }
  // The same command elsewhere: the line says what is not the same.
  const std::string Same = commandName(L) + "-";
  std::error_code Error;
  for (fs::directory_iterator It(planFolder(), Error), End; !Error && It != End;
       It.increment(Error)) {
    const std::string Name = It->path().filename().string();
    if (Name.compare(0, Same.size(), Same) != 0 ||
        It->path().extension() != ".json")
      continue;
    StoredPlan S = readPlan(It->path().string());
    if (S.Found)
      S.Why = whyNotFor(*S.Found, L);
    if (S.Found && !S.Why.empty())
      return S;
  }
  return {};
}

std::vector<StoredPlan> listPlans(const std::string &Folder) {
  std::vector<std::string> Files;
  std::error_code Error;
  for (fs::directory_iterator It(Folder, Error), End; !Error && It != End;
       It.increment(Error))
    if (It->path().extension() == ".json")
      Files.push_back(It->path().string());
  std::sort(Files.begin(), Files.end());
  std::vector<StoredPlan> Out;
  for (const std::string &File : Files)
    Out.push_back(readPlan(File));
  return Out;
}

} // namespace echo::drtool
