//===- Profile.cpp - echo-run profile -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the program once, where the user sees it, and leaves one trace per
// process, beside a plan without pairs that notes what was started.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "Processes.h"

#include "Profile/EnergyMeter.h"
#include "Profile/Files.h"

#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <unistd.h>

namespace echo {

namespace fs = std::filesystem;
using namespace drtool;

static std::string launchFile(const std::string &Folder) {
  return Folder + "/launch.json";
}
static std::string energyFile(const std::string &Folder) {
  return Folder + "/energy.txt";
}
static std::string lastFile() { return planFolder() + "/traces/last"; }

Turn::~Turn() {
  if (File >= 0)
    close(File);
}

bool Turn::take(const std::string &Path) {
  File = open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  // Where there are no locks, nobody is told apart.
  return File >= 0 &&
         (flock(File, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
}

std::string prepareTraceFolder(const std::string &Folder, const Launch &L,
                               Turn &Mine) {
  if (Folder.empty())
    return NoPlace;
  std::error_code Error;
  fs::create_directories(Folder, Error);
  if (Error)
    return "cannot make the folder " + Folder + ": " + Error.message();
  if (!Mine.take(Folder))
    return "another echo-run profiles into " + Folder +
           (isOneOfMany()
                ? ": give it the launcher that started this process, as in "
                  "'echo-run prepare -- mpirun ... PROGRAM'"
                : ", or it cannot be read: try again when that has ended");
  for (const fs::directory_entry &Entry : fs::directory_iterator(Folder, Error))
    if (Entry.path().extension() == ".echo" &&
        Entry.path().filename().string().rfind("trace.", 0) == 0)
      fs::remove(Entry.path(), Error);
  fs::remove(energyFile(Folder), Error);
  Plan Note;
  Note.Echo = ECHO_VERSION;
  noteLaunch(Note.Context, L, false);
  Note.Why = "it notes what was profiled";
  if (std::string Why = writeFile(launchFile(Folder), planText(Note));
      !Why.empty())
    return Why;
  return planFolder().empty() ? "" : writeFile(lastFile(), Folder);
}

std::string noTraceText(const std::string &Folder) {
  std::error_code Error;
  const fs::directory_iterator All(Folder, Error);
  return fmt::format("error: there is no trace in {}{}; 'echo-run profile' "
                     "makes them, of a program that calls CUDA",
                     Folder, Error ? ": " + Error.message() : "");
}

std::string chosenTraceFolder(const std::string &Given) {
  if (!Given.empty())
    return Given;
  std::optional<std::string> Last = readFile(lastFile());
  if (!Last || Last->empty())
    say("error: nothing was profiled yet; 'echo-run profile -- PROGRAM' does");
  return Last.value_or("");
}

Profiled readProfiled(const std::string &Folder) {
  Profiled Out;
  std::vector<std::string> Problems;
  Out.Traces = readTraces(Folder, Problems);
  for (const std::string &Problem : Problems)
    say("warning: " + Problem);
  Out.Energy = parseEnergy(readFile(energyFile(Folder)).value_or(""));
  StoredPlan Note = readPlan(launchFile(Folder));
  if (!Note.Found)
    return Out;
  Out.L = notedLaunch(Note.Found->Context);
  return Out;
}

int runProfile(const ProfileOptions &O, const std::vector<std::string> &Words) {
  int Status = 0;
  std::optional<Subject> S = subjectToPlan(Words, Status);
  if (!S)
    return Status;
  std::error_code Error;
  const std::string Folder = O.Output.empty()
                                 ? traceFolder(S->L)
                                 : fs::absolute(O.Output, Error).string();
  Turn Mine;
  if (const std::string Why = prepareTraceFolder(Folder, S->L, Mine);
      !Why.empty()) {
    say("error: " + Why);
    return 1;
  }
  Mode M;
  M.Name = "profile";
  M.Traces = Folder;
  M.TraceBytes = O.TraceBytes;
  EnergyMeter Meter;
  const Ended E = runProgram(S->P, M);
  const EnergyLog Energy = Meter.stop();
  if (!E.Started)
    return 1;
  if (!Energy.empty())
    if (const std::string Why =
            writeFile(energyFile(Folder), energyText(Energy));
        !Why.empty())
      say("warning: " + Why);
  const Profiled Read = readProfiled(Folder);
  size_t Events = 0;
  for (const Trace &T : Read.Traces) {
    Events += T.Events.size();
    if (T.Dropped)
      say(fmt::format("warning: {} records of process {} found no room, on the "
                      "disk or in the trace's bound (--trace-bytes)",
                      T.Dropped, T.Pid));
  }
  if (Read.Traces.empty())
    say("no process wrote a trace: the program makes no CUDA call, is linked "
        "statically, or has more rights than you");
  else
    say(fmt::format("{} event{} of {} process{} in {}", Events,
                    Events == 1 ? "" : "s", Read.Traces.size(),
                    Read.Traces.size() == 1 ? "" : "es", Folder));
  if (Events)
    say("next: echo-run analyze" +
        (O.Output.empty() ? "" : " " + shellText({O.Output})));
  return endLike(E.Status);
}

} // namespace echo
