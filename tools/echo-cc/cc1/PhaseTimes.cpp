//===- PhaseTimes.cpp - nvcc's --time -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job is timed where it runs, in Command::Execute. Clang's callback after a
// job would be taken from -fproc-stat-report, and gives processor time only.
// The table is locked while it grows: commands under `make -j` share a file.
//
//===----------------------------------------------------------------------===//
#include "cc1/PhaseTimes.h"
#include "clang/Driver/Action.h"
#include "clang/Driver/InputInfo.h"
#include "clang/Driver/Job.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace clang::driver;

namespace echo {

namespace {
/// A job whose time is taken.
class TimedCommand : public Command {
public:
  TimedCommand(const Command &Job, PhaseTimes &Times)
      : Command(Job), Times(Times) {}
  int Execute(ArrayRef<std::optional<StringRef>> Redirects, std::string *Why,
              bool *Failed) const override;

private:
  PhaseTimes &Times;
};
} // namespace

static constexpr StringRef Header =
    "source file name , phase name , phase input files , phase output file , "
    "arch , tool, metric , unit\n";

/// The first file that \p A starts from, or "".
static StringRef sourceOf(const Action &A) {
  if (const auto *Input = dyn_cast<InputAction>(&A)) {
    const opt::Arg &Word = Input->getInputArg();
    return Word.getOption().getKind() == opt::Option::InputClass
               ? Word.getValue()
               : "";
  }
  for (const Action *Input : A.getInputs())
    if (StringRef File = sourceOf(*Input); !File.empty())
      return File;
  return "";
}

static bool hasWord(const Command &Job, StringRef Word) {
  return is_contained(Job.getArguments(), Word);
}

/// What \p Job does, in nvcc's words; tools that do one thing have their names.
static std::string phaseOf(const Command &Job) {
  std::string Tool = sys::path::filename(Job.getExecutable()).str();
  if (hasWord(Job, "-cc1as"))
    return Tool + " (assembling)";
  if (hasWord(Job, "-cc1"))
    return Tool + (hasWord(Job, "-E") ? " (preprocessing)" : " (compiling)");
  const Action::ActionClass Kind = Job.getSource().getKind();
  if (Tool != "fatbinary" &&
      (Kind == Action::LinkJobClass || Kind == Action::LinkerWrapperJobClass))
    return Tool + " (linking)";
  return Tool;
}

/// The inputs of \p Job that its command names, which is not all that clang's
/// driver planned.
static std::string inputsOf(const Command &Job) {
  SmallVector<StringRef, 8> Files;
  for (const InputInfo &Input : Job.getInputInfos())
    if (Input.isFilename() && any_of(Job.getArguments(), [&](StringRef Word) {
          return Word.contains(Input.getFilename());
        }))
      Files.push_back(Input.getFilename());
  return join(Files, " ");
}

static std::string outputOf(const Command &Job) {
  for (const std::string &File : Job.getOutputFilenames())
    if (hasWord(Job, File))
      return File;
  const auto &Words = Job.getArguments();
  const auto *Option =
      llvm::find_if(Words, [](StringRef W) { return W == "-o"; });
  return Option != Words.end() && Option + 1 != Words.end() ? Option[1] : "";
}

int TimedCommand::Execute(ArrayRef<std::optional<StringRef>> Redirects,
                          std::string *Why, bool *Failed) const {
  const char *Arch = getSource().getOffloadingArch();
  PhaseTime Row{sourceOf(getSource()).str(),
                phaseOf(*this),
                inputsOf(*this),
                outputOf(*this),
                Arch ? Arch : "",
                {}};
  return Times.measure(
      std::move(Row), [&] { return Command::Execute(Redirects, Why, Failed); });
}

/// Opens \p File to append to it.
static Expected<std::unique_ptr<raw_fd_ostream>> openToAppend(StringRef File) {
  std::error_code EC;
  auto OS = std::make_unique<raw_fd_ostream>(
      File, EC, sys::fs::OF_Append | sys::fs::OF_Text);
  if (EC)
    return createStringError(EC, "cannot write '%s' (--time): %s",
                             File.str().c_str(), EC.message().c_str());
  return OS;
}

Error PhaseTimes::open(StringRef Name) {
  File = Name.str();
  return File == "-" ? Error::success() : openToAppend(File).takeError();
}

void PhaseTimes::watch(Compilation &C) {
  std::vector<std::unique_ptr<Command>> Timed;
  for (const Command &Job : C.getJobs())
    Timed.push_back(std::make_unique<TimedCommand>(Job, *this));
  C.getJobs().clear();
  for (std::unique_ptr<Command> &Job : Timed)
    C.getJobs().addJob(std::move(Job));
}

int PhaseTimes::measure(PhaseTime Row, function_ref<int()> Run) {
  const Clock::time_point Before = Clock::now();
  const int Status = Run();
  Row.Time = Clock::now() - Before;
  Rows.push_back(std::move(Row));
  return Status;
}

static void print(raw_ostream &OS, const PhaseTime &Row) {
  OS << Row.Source << " , " << Row.Phase << " , " << Row.Inputs << "  , "
     << Row.Output << " , " << Row.Arch << " , echo-cc , "
     << format("%.4f", Row.Time.count()) << " , ms\n";
}

void PhaseTimes::print(raw_ostream &OS, std::optional<StringRef> Output) const {
  for (const PhaseTime &Row : Rows)
    echo::print(OS, Row);
  if (!Output)
    return;
  PhaseTime Driver{"", "echo-cc (driver)",  "", Output->str(),
                   "", Clock::now() - Start};
  for (const PhaseTime &Row : Rows)
    Driver.Time -= Row.Time;
  echo::print(OS, Driver);
}

Error PhaseTimes::write(std::optional<StringRef> Output) const {
  if (Rows.empty())
    return Error::success();
  if (File == "-") {
    outs() << Header;
    print(outs(), Output);
    return Error::success();
  }
  Expected<std::unique_ptr<raw_fd_ostream>> OS = openToAppend(File);
  if (!OS)
    return OS.takeError();
  Expected<sys::fs::FileLocker> Lock = (*OS)->lock();
  if (!Lock) // What cannot be locked, as a pipe, has one reader.
    consumeError(Lock.takeError());
  uint64_t Size = 0;
  if (!sys::fs::file_size(File, Size) && Size == 0)
    **OS << Header;
  print(**OS, Output);
  (*OS)->flush();
  if (!(*OS)->has_error())
    return Error::success();
  const std::error_code EC = (*OS)->error();
  (*OS)->clear_error();
  return createStringError(EC, "cannot write '%s' (--time): %s", File.c_str(),
                           EC.message().c_str());
}

} // namespace echo
