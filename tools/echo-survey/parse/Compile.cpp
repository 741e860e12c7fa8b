//===- Compile.cpp - What echo-cc says of surveyed files ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each compilation is a child of its own that runs echo-cc with its output in a
// folder that is removed afterwards. It compiles one unit: pairs that cross
// files are the survey's only.
//
//===----------------------------------------------------------------------===//
#include "parse/Compile.h"

#include "parse/Include.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

using nlohmann::json;
namespace fs = std::filesystem;

namespace echo::survey {

static std::string contentOf(const fs::path &File) {
  std::ostringstream Text;
  Text << std::ifstream(File, std::ios::binary).rdbuf();
  return Text.str();
}

/// The first error in what a compiler said.
static std::string firstError(const std::string &Text) {
  std::istringstream Lines(Text);
  for (std::string Line; std::getline(Lines, Line);)
    if (const size_t At = Line.find("error: "); At != std::string::npos)
      return Line.substr(At + 7);
  return "no reason given";
}

static std::vector<std::string> commandOf(const Source &From,
                                          const std::string &Compiler,
                                          const fs::path &Folder) {
  std::vector<std::string> Words = {Compiler,
                                    "-c",
                                    "-w",
                                    "-O1",
                                    "--device=cuda",
                                    "--min-bytes=0",
                                    "--report-json=" + (Folder / "r").string(),
                                    "-o",
                                    (Folder / "o").string()};
  Words.insert(Words.end(), From.Flags.begin(), From.Flags.end());
  addFolders(From, Words);
  Words.insert(Words.end(), {"-x", "cu", From.Path});
  return Words;
}

/// The child's side: compiles \p From in \p Folder; the result as JSON.
static std::string compile(const Source &From, const std::string &Compiler,
                           const fs::path &Folder) {
  fs::current_path(From.Folder);
  const std::vector<std::string> Words = commandOf(From, Compiler, Folder);
  const std::vector<llvm::StringRef> Arguments(Words.begin(), Words.end());
  const std::string Said = (Folder / "e").string();
  const int Status = llvm::sys::ExecuteAndWait(
      Compiler, Arguments, std::nullopt, {llvm::StringRef(), Said, Said});
  const json Result = {
      {"status", Status},
      {"report", Status == 0 ? contentOf(Folder / "r") : ""},
      {"failed", Status == 0 ? "" : firstError(contentOf(Said))}};
  return Result.dump(-1, ' ', false, json::error_handler_t::replace);
}

bool readReport(const std::string &Report, Compiled &Into) {
  const json Parsed = json::parse(Report, nullptr, /*allow_exceptions=*/false);
  if (!Parsed.is_object() || !Parsed.contains("units"))
    return false;
  for (const json &Unit : Parsed["units"])
    for (const json &Each : Unit.value("pairs", json::array())) {
      ++Into.Analyzed;
      const std::string Verdict = Each.value("verdict", "");
      Into.Merged += Verdict == "unified";
      Into.Guarded += Verdict == "guarded";
      Into.Skipped += Verdict == "skipped";
      if (Verdict != "declined")
        continue;
      ++Into.Declined;
      ++Into.Reasons[Each.value("id", "unknown")];
    }
  return true;
}

/// The pairs of \p P that have a copy in \p File.
static unsigned pairsIn(const Project &P, const std::string &File) {
  unsigned Count = 0;
  for (const Pair &Each : P.Pairs)
    for (const Place &At : Each.Copies)
      if (At.File == File) {
        ++Count;
        break;
      }
  return Count;
}

/// A folder that ends with its object.
namespace {
struct TemporaryFolder {
  llvm::SmallString<128> Path;

  TemporaryFolder() {
    if (const auto Error =
            llvm::sys::fs::createUniqueDirectory("echo-survey", Path))
      throw std::runtime_error("cannot make a folder for compilations: " +
                               Error.message());
  }
  ~TemporaryFolder() { (void)llvm::sys::fs::remove_directories(Path); }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  fs::path of(size_t Number) const {
    return fs::path(Path.str().str()) / std::to_string(Number);
  }
};
} // namespace

static void finish(const Outcome &O, Compiled &Into) {
  if (!O.Failed.empty()) {
    Into.Failed = O.Failed;
    return;
  }
  const json Answer = json::parse(O.Text);
  Into.Failed = Answer["failed"];
  Into.Compiles = Answer["status"] == 0;
  if (Into.Compiles && !readReport(Answer["report"], Into)) {
    Into.Compiles = false;
    Into.Failed = "echo-cc wrote no report";
  }
}

void compileFiles(SurveyResult &Result, const std::vector<Source> &Files,
                  const std::string &Self, const WorkLimits &Limits,
                  const ProgressCall &Progress) {
  const std::string Compiler =
      (fs::path(Self).parent_path() / "echo-cc").string();
  if (!llvm::sys::fs::can_execute(Compiler))
    throw std::runtime_error(
        Compiler + " is not there: --compile needs echo-cc beside echo-survey");
  Result.WithCompiler = true;
  std::map<std::string, const Project *> ByName;
  for (const Project &P : Result.Projects)
    ByName[P.Name] = &P;
  std::vector<const Source *> Chosen;
  for (const Source &S : Files) {
    Compiled C;
    C.File = S.Path.substr(S.Root.size());
    C.Project = S.Project;
    C.Surveyed = pairsIn(*ByName.at(S.Project), C.File);
    if (C.Surveyed == 0)
      continue;
    Chosen.push_back(&S);
    Result.Compilations.push_back(std::move(C));
  }
  const TemporaryFolder Temporary;
  WorkLimits NoMemoryLimit = Limits;
  NoMemoryLimit.MemoryBytes = ~uint64_t(0); // echo-cc has jobs of its own
  size_t Finished = 0;
  runWork(
      Chosen.size(), NoMemoryLimit,
      [&](size_t N) {
        fs::create_directory(Temporary.of(N));
        return compile(*Chosen[N], Compiler, Temporary.of(N));
      },
      [&](size_t N, const Outcome &O) {
        finish(O, Result.Compilations[N]);
        std::error_code Ignored;
        fs::remove_all(Temporary.of(N), Ignored);
        Progress(++Finished, Chosen.size(), "compiled");
      });
}

} // namespace echo::survey
