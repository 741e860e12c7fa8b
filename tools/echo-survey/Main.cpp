//===- Main.cpp - echo-survey ---------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of echo-survey, progress on a terminal, and the reports that
// are asked for. Files that cannot be read are reported and fail nothing; the
// exit status is 1 where nothing could be surveyed or a report not be written.
//
//===----------------------------------------------------------------------===//
#include "../echo-cc/driver/Paths.h"
#include "parse/Compile.h"
#include "parse/Run.h"
#include "parse/Sources.h"
#include "report/Reports.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>
#include <thread>
#include <unistd.h>

using namespace echo;
using namespace echo::survey;

static const char *const Examples =
    "Examples:\n"
    "  echo-survey src                           a folder; projects are its "
    "folders\n"
    "  echo-survey build/compile_commands.json   the files of a build\n"
    "  echo-survey src --html survey.html --json survey.json\n"
    "  echo-survey src --compile                 and what echo-cc says of "
    "them\n";

namespace {
struct Options {
  std::vector<std::string> Paths;
  unsigned Jobs = 0, Depth = 1, Limit = 20, CompileLimit = 120;
  std::string Json, Csv, Html;
  bool Compile = false, Quiet = false;

  void add(CLI::App &App);
};

/// One line on a terminal, nothing elsewhere.
class Progress {
  bool OnTerminal = isatty(STDERR_FILENO) != 0;

public:
  void show(size_t Done, size_t All, const char *What) const {
    if (!OnTerminal)
      return;
    fmt::print(stderr, "\r{} of {} files {}", Done, All, What);
    if (Done == All)
      fmt::print(stderr, "\r\033[K");
    std::fflush(stderr);
  }
};
} // namespace

void Options::add(CLI::App &App) {
  App.add_option("paths", Paths,
                 "folders, sources or compilation databases "
                 "(compile_commands.json)")
      ->required();
  App.add_option("--jobs,-j", Jobs, "files at a time; default: one per core")
      ->check(CLI::Range(1U, 1024U));
  App.add_option("--project-depth", Depth,
                 "how many folders below a path name a project")
      ->check(CLI::Range(0U, 64U))
      ->capture_default_str();
  App.add_option("--limit", Limit, "most seconds for one file")
      ->check(CLI::Range(1U, 100000U))
      ->capture_default_str();
  App.add_option("--json", Json,
                 "write all of it for programs; -: standard output");
  App.add_option("--csv", Csv,
                 "write a line for each pair; -: standard output");
  App.add_option("--html", Html, "write one page with plots to this file");
  CLI::Option *WithCompiler = App.add_flag(
      "--compile", Compile,
      "compile the files with pairs with echo-cc, too, and compare "
      "what both find");
  App.add_option("--compile-limit", CompileLimit,
                 "most seconds to compile one file")
      ->check(CLI::Range(1U, 100000U))
      ->capture_default_str()
      ->needs(WithCompiler);
  App.add_flag("-q,--quiet", Quiet, "no text on standard output");
}

/// Writes \p Text to \p File. Throws std::runtime_error.
static void writeFile(const std::string &File, const std::string &Text) {
  if (File == "-") {
    if (std::fwrite(Text.data(), 1, Text.size(), stdout) != Text.size())
      throw std::runtime_error("cannot write to standard output");
    return;
  }
  std::ofstream To(File, std::ios::binary);
  if (!(To << Text) || !To.flush())
    throw std::runtime_error(
        fmt::format("cannot write {}: {}", File, strerror(errno)));
}

/// The files of all paths, each once.
static std::vector<Source> filesOf(const Options &O) {
  std::vector<Source> Files;
  std::set<std::string> Seen;
  for (const std::string &Path : O.Paths)
    for (Source &S : findSources(Path, O.Depth))
      if (Seen.insert(S.Path).second)
        Files.push_back(std::move(S));
  if (Files.empty())
    throw std::runtime_error(fmt::format(
        "{}: no file with CUDA host code (.cu, or C and C++ that uses CUDA)",
        fmt::join(O.Paths, ", ")));
  return Files;
}

static int runFor(const Options &O, const char *Argv0) {
  const Paths Where = findPaths(Argv0);
  const std::vector<Source> Files = filesOf(O);
  const Progress Shown;
  const auto Show = [&](size_t Done, size_t All, const char *What) {
    Shown.show(Done, All, What);
  };
  WorkLimits Limits;
  Limits.Jobs =
      O.Jobs ? O.Jobs : std::max(1U, std::thread::hardware_concurrency());
  Limits.Time = std::chrono::seconds(O.Limit);
  const auto Begin = std::chrono::steady_clock::now();
  SurveyResult Result =
      runSurvey(Files, Where.LlvmBin + "/clang++", Limits, Show);
  Result.Paths = O.Paths;
  Result.Seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - Begin)
          .count();
  if (O.Compile) {
    Limits.Time = std::chrono::seconds(O.CompileLimit);
    compileFiles(Result, Files, Where.Self, Limits, Show);
  }
  if (!O.Json.empty())
    writeFile(O.Json, jsonReport(Result));
  if (!O.Csv.empty())
    writeFile(O.Csv, csvReport(Result));
  if (!O.Html.empty())
    writeFile(O.Html, htmlReport(Result));
  if (!O.Quiet && O.Json != "-" && O.Csv != "-")
    writeFile("-", textReport(Result));
  if (std::fflush(stdout) != 0)
    throw std::runtime_error("cannot write to standard output");
  return Result.Failed.size() == Files.size() ? 1 : 0;
}

/// Reads the command line and does what it says; the exit status.
static int runLine(int Count, char **Words) {
  CLI::App App{"Counts what CUDA programs allocate and copy, and the pairs of "
               "host and device buffers that copies link, from their source. "
               "Neither a CUDA toolkit nor a build is needed.",
               "echo-survey"};
  Options O;
  App.set_version_flag("--version", "echo-survey " ECHO_VERSION);
  App.footer(Examples);
  O.add(App);
  try {
    App.parse(Count, Words);
  } catch (const CLI::ParseError &Error) {
    if (Error.get_exit_code() == 0) // help
      return App.exit(Error);
    throw std::runtime_error(std::string(Error.what()) +
                             "; 'echo-survey --help' says what can be given");
  }
  return runFor(O, Words[0]);
}

int main(int Count, char **Words) {
  try {
    return runLine(Count, Words);
  } catch (const std::exception &Error) {
    std::fprintf(stderr, "echo-survey: error: %s\n", Error.what());
  }
  return 1;
}
