//===- Main.cpp - echo-run ------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of echo-run. Each subcommand has a file of its own. Words
// after the program's name are the program's, whatever they look like; without
// a subcommand the words are a program to run.
//
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "Commands.h"
#include "Doctor.h"
#include "Trials.h"

#include "runtime/abi/DrTrace.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <functional>
#include <set>

using namespace echo;

static const char *const Examples =
    "Examples:\n"
    "  echo-run prepare -- ./app --size 4096   makes a plan for this command\n"
    "  echo-run ./app --size 4096              runs it with the plan\n"
    "  echo-run --watch=100 ./app --size 4096  and watches 1 % of its windows\n"
    "  echo-run python3 app.py                 scripts, too\n"
    "  echo-run profile -- ./app && echo-run report --html report.html\n"
    "  echo-run plans list\n"
    "  echo-run doctor\n"
    "  echo-run doctor -- ./app --size 4096    says whether its plan fits\n";

static const char *const PortableText =
    "the plan holds on other hosts, too: where it is used first, echo-run runs "
    "the program several times, unseen, to measure there";

/// A header, and the records of one thread.
static constexpr uint64_t LeastTrace =
    dr::TraceHeaderBytes +
    uint64_t(dr::TraceRecordsPerChunk) * dr::TraceRecordBytes;

namespace {
/// Help as CLI11 writes it, but for how programs are given.
class Usage : public CLI::Formatter {
  const std::set<const CLI::App *> &Programs;

  std::string make_usage(const CLI::App *Command,
                         std::string Name) const override {
    if (!Command->get_parent())
      return "\nUsage: echo-run [SUBCOMMAND] [OPTIONS] ...\n"
             "       echo-run [-q] PROGRAM [ARGUMENTS...]\n";
    if (Programs.count(Command))
      return fmt::format(
          "\nUsage: echo-run {} [OPTIONS] [--] PROGRAM [ARGUMENTS...]\n",
          Command->get_name());
    return CLI::Formatter::make_usage(Command, std::move(Name));
  }

public:
  explicit Usage(const std::set<const CLI::App *> &Programs)
      : Programs(Programs) {}
};

/// The command line, and what it says once it is parsed.
struct CommandLine {
  CLI::App App{"Makes prebuilt CUDA programs faster where the program cannot "
               "tell. Without a subcommand: runs a program with its plan."};
  std::vector<std::pair<CLI::App *, std::function<int()>>> Commands;
  RunOptions Run;
  ProfileOptions Profile;
  AnalyzeOptions Analyze;
  ReportOptions Report;
  ValidateOptions Validate;
  CalibrateOptions Calibrate;
  PrepareOptions Prepare;
  DoctorOptions Doctor;
  std::string Which;
  std::vector<std::string> Removed;
  std::string Watch; ///< the word that Run.Watch is read from
  bool RemoveAll = false;

  std::set<const CLI::App *> Programs; ///< the commands that take a program
  std::vector<std::string> ProgramWords;

  CLI::App *add(const char *Name, const char *Text, std::function<int()> Do) {
    CLI::App *Command = App.add_subcommand(Name, Text);
    Commands.push_back({Command, std::move(Do)});
    return Command;
  }

  /// A command that takes a program and its words.
  template <typename Options>
  CLI::App *addProgram(const char *Name, const char *Text, const Options &O,
                       int (*Do)(const Options &,
                                 const std::vector<std::string> &)) {
    CLI::App *Command = App.add_subcommand(Name, Text);
    Programs.insert(Command);
    Commands.push_back(
        {Command, [this, &O, Do] { return Do(O, ProgramWords); }});
    return Command;
  }

  void addRun() {
    CLI::App *C = addProgram(
        "run", "Runs a program with its plan, if it has one", Run, runRun);
    C->add_flag("-q,--quiet", Run.Quiet, "no line of echo-run's own");
    C->add_option("--plan", Run.Plan, "use this plan, if it fits");
    C->add_flag(
         "--watch{64}", Watch,
         "watch one window of GPU use in so many (--watch=N, 0: none; 64 "
         "without it), and leave a pair that is used unsafely in one")
        ->check(numberIn(0, 1000000))
        ->each([this](const std::string &N) { Run.Watch = *parseNumber(N); });
  }

  void addProfile() {
    CLI::App *C = addProgram("profile", "Runs a program and records its copies",
                             Profile, runProfile);
    C->add_option("-o,--output", Profile.Output, "folder of the traces");
    C->add_option("--trace-bytes", Profile.TraceBytes,
                  "most bytes of a process's trace, such as 256MiB")
        ->transform(bytesFrom(LeastTrace));
  }

  static void addLimit(CLI::App *C, unsigned &Limit) {
    C->add_option("--limit", Limit,
                  "most seconds of one run; default: 20, and ten times what "
                  "the program takes (of its first run: 600)")
        ->check(numberIn(1, 1000000));
  }
  static void addRuns(CLI::App *C, CalibrateOptions &O) {
    addLimit(C, O.Limit);
    C->add_option("--runs", O.Runs, "runs of each kind that are compared")
        ->check(numberIn(3, 1000))
        ->capture_default_str();
    C->add_flag("--accept", O.Accept,
                "one buffer for two also where nothing but the exit status can "
                "be compared, or not all that the result depends on is known");
  }

  void addPreparation() {
    CLI::App *C = addProgram("prepare",
                             "Makes a plan: profile, analyze, validate, "
                             "calibrate",
                             Prepare, runPrepare);
    addRuns(C, Prepare.Calibrate);
    C->add_flag("--portable", Prepare.Portable, PortableText);
    addProfile();
    addAnalyze();
    addLimit(addProgram("validate", "Tells which pairs may become one buffer",
                        Validate, runValidate),
             Validate.Limit);
    addRuns(addProgram("calibrate", "Chooses what pays for each pair",
                       Calibrate, runCalibrate),
            Calibrate);
  }

  void addAnalyze() {
    CLI::App *C = add("analyze", "Finds pairs in what was profiled",
                      [this] { return runAnalyze(Analyze); });
    C->add_option("folder", Analyze.Folder, "traces; default: the last ones");
    C->add_flag("--portable", Analyze.Portable, PortableText);
  }

  void addReport() {
    CLI::App *C = add("report", "Shows what was profiled",
                      [this] { return runReport(Report); });
    C->add_option("folder", Report.Folder, "traces; default: the last ones");
    C->add_flag("--json", Report.Json, "for programs");
    C->add_option("--html", Report.Html, "write one page to this file");
    C->add_option("--perfetto", Report.Perfetto,
                  "write a trace for ui.perfetto.dev to this file");
  }

  void addPlans() {
    CLI::App *C = App.add_subcommand("plans", "Lists, shows and removes plans");
    C->require_subcommand(1);
    Commands.push_back({C->add_subcommand("list", "All plans"), listPlans});
    CLI::App *Show = C->add_subcommand("show", "One plan");
    Show->add_option("plan", Which, "its name, or the beginning")->required();
    Commands.push_back({Show, [this] { return showPlan(Which); }});
    CLI::App *Remove = C->add_subcommand("remove", "Removes plans");
    Remove->add_option("plans", Removed, "names, or their beginnings");
    Remove->add_flag("--all", RemoveAll, "all of them");
    Commands.push_back(
        {Remove, [this] { return removePlans(Removed, RemoveAll); }});
  }

  void addDoctor() {
    CLI::App *C =
        addProgram("doctor",
                   "Says what device there is, what Echo does on it and why; "
                   "with a program, which parts of its plan's key fit",
                   Doctor, runDoctor);
    C->add_option("--device", Doctor.Device, "which kind of device")
        ->check(CLI::IsMember({"cuda", "cpu"}))
        ->capture_default_str();
    CLI::Option *Probe = C->add_flag(
        "--probe", Doctor.Probe,
        "measure each kind of memory and write the device's profile");
    C->add_option("--most", Doctor.MostBytes,
                  "largest buffer of the probes, such as 16MiB; default 64MiB, "
                  "on the CPU device 4MiB")
        ->transform(bytesFrom(4096))
        ->needs(Probe);
  }

  CommandLine() {
    App.set_version_flag("--version", "echo-run " ECHO_VERSION);
    App.formatter(std::make_shared<Usage>(Programs));
    App.require_subcommand(1);
    addRun();
    addPreparation();
    addReport();
    addPlans();
    addDoctor();
    App.footer(Examples); // of this help alone
  }

  /// Takes the program's words, which are not for CLI11, out of \p All.
  void takeProgram(std::vector<std::string> &All) {
    const CLI::App *C = All.empty() ? nullptr : commandOf(All[0]);
    if (!C || !Programs.count(C))
      return;
    size_t At = 1;
    for (; At < All.size() && All[At].size() > 1 && All[At][0] == '-'; ++At) {
      if (All[At] == "--") {
        All.erase(All.begin() + ptrdiff_t(At));
        break;
      }
      const CLI::Option *O = C->get_option_no_throw(All[At]);
      if (O && O->get_items_expected_max() > 0)
        ++At; // its value
    }
    At = std::min(At, All.size());
    ProgramWords.assign(All.begin() + ptrdiff_t(At), All.end());
    All.resize(At);
  }

  const CLI::App *commandOf(const std::string &Word) const {
    for (const CLI::App *C : App.get_subcommands({}))
      if (C->check_name(Word))
        return C;
    return nullptr;
  }

  /// True if \p Word is for echo-run itself.
  bool isOwn(const std::string &Word) const {
    return Word == "-h" || Word == "--help" || Word == "--version" ||
           commandOf(Word);
  }
};
} // namespace

/// What is wrong with the words that begin with \p First; the exit status.
static int refuse(const CommandLine &Line, const CLI::ParseError &Error,
                  const std::string &First) {
  const CLI::App *C = Line.commandOf(First);
  say(fmt::format("error: {}; 'echo-run{} --help' says what can be given",
                  problemOf(Error), C ? " " + First : ""));
  return First == "run" ? RunFailed : Wrong;
}

static int runLine(std::vector<std::string> All) {
  CommandLine Line;
  if (!All.empty() && !Line.isOwn(All[0]))
    All.insert(All.begin(), "run");
  const std::string First = All.empty() ? "" : All[0];
  Line.takeProgram(All);
  std::reverse(All.begin(), All.end()); // as CLI11 takes them
  try {
    Line.App.parse(std::move(All));
  } catch (const CLI::ParseError &Error) {
    if (Error.get_exit_code() == 0) // help
      return Line.App.exit(Error);
    return refuse(Line, Error, First);
  }
  for (const auto &[Command, Do] : Line.Commands)
    if (Command->parsed())
      return Do();
  return 0;
}

int main(int Count, char **Words) {
  try {
    return afterOutput(runLine({Words + 1, Words + Count}));
  } catch (const std::exception &Error) {
    say(std::string("error: ") + Error.what());
    return 1;
  }
}
