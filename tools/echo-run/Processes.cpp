//===- Processes.cpp - Programs of many processes -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Processes.h. Launchers tell each process its number by the environment;
// one that was started by two of them (mpirun in a job of Slurm) has the
// numbers of both.
//
//===----------------------------------------------------------------------===//
#include "Processes.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace echo {

namespace fs = std::filesystem;

/// Numbers among all processes, and among those of the host.
static const char *const Ranks[] = {"OMPI_COMM_WORLD_RANK",
                                    "MV2_COMM_WORLD_RANK", "PMI_RANK",
                                    "PMIX_RANK", "SLURM_PROCID"};
static const char *const LocalRanks[] = {
    "OMPI_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_RANK",
    "MPI_LOCALRANKID", "SLURM_LOCALID", "LOCAL_RANK"};

bool isOneOfMany() {
  for (const char *Name : Ranks)
    if (getenv(Name))
      return true;
  return getenv("LOCAL_RANK");
}

/// True if the number \p Name is not there, or 0.
static bool isFirst(const char *Name) {
  const char *Value = getenv(Name);
  return !Value || strtol(Value, nullptr, 10) == 0;
}

bool speaksForHost() {
  for (const char *Name : LocalRanks)
    if (!isFirst(Name))
      return false;
  return true;
}

bool speaksForAll() {
  for (const char *Name : Ranks)
    if (!isFirst(Name))
      return false;
  // torchrun's, whose name is a common word.
  return speaksForHost() && (!getenv("LOCAL_RANK") || isFirst("RANK"));
}

namespace {
struct Process {
  pid_t Id = 0, Parent = 0, Group = 0;
  uint64_t Start = 0;
};
} // namespace

/// False if \p Folder is of no process, or of one that has just gone.
static bool readProcess(const fs::path &Folder, Process &P) {
  const std::string Name = Folder.filename().string();
  if (Name.find_first_not_of("0123456789") != std::string::npos)
    return false;
  std::ifstream In(Folder / "stat");
  std::string Text;
  std::getline(In, Text, '\0');
  // The program's name, in brackets, may hold anything.
  const size_t End = Text.rfind(')');
  if (End == std::string::npos)
    return false;
  P.Id = static_cast<pid_t>(strtol(Name.c_str(), nullptr, 10));
  std::istringstream Fields(Text.substr(End + 1));
  std::string Field;
  constexpr int ParentAt = 4, GroupAt = 5, StartAt = 22; // as proc(5) counts
  for (int At = 3; Fields >> Field; ++At) {
    const uint64_t Value = strtoull(Field.c_str(), nullptr, 10);
    if (At == ParentAt)
      P.Parent = static_cast<pid_t>(Value);
    if (At == GroupAt)
      P.Group = static_cast<pid_t>(Value);
    if (At == StartAt)
      P.Start = Value;
  }
  return P.Start != 0;
}

static std::vector<Process> allProcesses() {
  std::vector<Process> All;
  std::error_code Error;
  for (fs::directory_iterator It("/proc", Error), Last; !Error && It != Last;
       It.increment(Error)) {
    Process P;
    if (readProcess(It->path(), P))
      All.push_back(P);
  }
  return All;
}

/// The processes of the tree that are there.
std::set<pid_t> ProcessTree::find() {
  const std::vector<Process> All = allProcesses();
  // A number that another process has by now is none of the tree, and where the
  // first one's is taken, so may be its group's.
  std::set<pid_t> Here;
  bool HasGroup = true;
  for (const Process &P : All) {
    auto Known = Seen.find(P.Id);
    if ((P.Parent == getpid() && !Others.count(P.Id)) ||
        (Known != Seen.end() && Known->second == P.Start))
      Here.insert(P.Id);
    else if (P.Id == Root)
      HasGroup = false;
  }
  for (bool Grew = true; Grew;) {
    Grew = false;
    for (const Process &P : All)
      if ((HasGroup && P.Group == Root) || Here.count(P.Parent))
        Grew |= Here.insert(P.Id).second;
  }
  for (const Process &P : All)
    if (Here.count(P.Id))
      Seen[P.Id] = P.Start;
  return Here;
}

void ProcessTree::adopt() {
  if (std::exchange(Adopts, true))
    return;
  // A shell that became echo-run may have had jobs.
  for (const Process &P : allProcesses())
    if (P.Parent == getpid() && P.Id != Root)
      Others.insert(P.Id);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void ProcessTree::ask() {
  adopt();
  find();
  ::kill(-Root, SIGTERM);
}

void ProcessTree::kill() {
  // First they are all stopped, so that none starts another one meanwhile.
  std::set<pid_t> Here = find();
  for (size_t Before = 0; Here.size() > Before; Here = find()) {
    Before = Here.size();
    for (pid_t Each : Here)
      ::kill(Each, SIGSTOP);
  }
  for (pid_t Each : Here)
    ::kill(Each, SIGKILL);
}

void ProcessTree::finish(bool Unwanted) {
  if (!Adopts)
    return;
  // As some end, others may be adopted that the tree did not know. A look may
  // miss one that is just being started; a second one, after that, does not.
  const timespec Pause = {0, 10000000};
  const bool Ends = Unwanted || !Seen.empty();
  for (int Tries = 0, Empty = 0; Ends && Tries != 300 && Empty != 2; ++Tries) {
    if (find().empty()) {
      ++Empty;
    } else {
      Empty = 0;
      kill();
      for (const auto &[Id, Start] : Seen)
        waitpid(Id, nullptr, WNOHANG);
    }
    nanosleep(&Pause, nullptr);
  }
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}

} // namespace echo
