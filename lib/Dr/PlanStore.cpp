//===- PlanStore.cpp - Where plans and traces are kept --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PlanStore.h.
//
//===----------------------------------------------------------------------===//
#include "lib/Dr/PlanStore.h"

#include "lib/Dr/Files.h"

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
      return {fs::absolute(A, Error).string(), identityOf(A)};
  }
  return {};
}

Launch describeLaunch(const std::string &Path,
                      const std::vector<std::string> &Arguments,
                      const std::string &Interposer) {
  Launch L;
  L.Command = {Path, identityOf(Path)};
  L.Script = findScript(Arguments);
  L.Arguments = Arguments;
  L.Interposer = identityOf(Interposer);
  char Host[256] = "";
  gethostname(Host, sizeof Host - 1);
  L.Host = Host;
  L.VisibleDevices = variable("CUDA_VISIBLE_DEVICES");
  return L;
}

std::string launchName(const Launch &L, bool Portable) {
  uint64_t Hash = dr::FnvBasis;
  auto Add = [&](const std::string &Text) {
    Hash = dr::fnv1a(Text.c_str(), Text.size() + 1, Hash);
  };
  Add(L.Command.Path);
  Add(std::to_string(L.Arguments.size()));
  for (const std::string &A : L.Arguments)
    Add(A);
  Add(Portable ? "" : L.Host);
  Add(L.VisibleDevices);
  return hexText(Hash);
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

/// True if JSON can hold \p Text: it is UTF-8.
static bool isUtf8(const std::string &Text) {
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

std::string whyNotFor(const Plan &P, const Launch &L) {
  const PlanContext &C = P.Context;
  if (C.Command.Path != L.Command.Path || C.Arguments != L.Arguments)
    return "it is for another command";
  if (C.Command.Hash != L.Command.Hash)
    return C.Command.Path + " has changed since";
  if (C.Script.Path != L.Script.Path)
    return "it is for another script";
  if (C.Script.Hash != L.Script.Hash)
    return C.Script.Path + " has changed since";
  if (C.Interposer != L.Interposer)
    return "it was made with another build of Echo";
  if (!P.Portable && C.Host != L.Host)
    return "it is for the host " + C.Host;
  if (C.VisibleDevices != L.VisibleDevices)
    return "CUDA_VISIBLE_DEVICES was '" + C.VisibleDevices + "'";
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
