//===- OwnProcessTest.cpp - Whether a process began as a validated one ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thing that a parent decides makes another process of it; what differs
// between logins and launchers' numbers makes none.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/OwnProcess.h"
#include "runtime/abi/Variables.h"
#include "runtime/rt/Support.h"

#include <catch2/catch.hpp>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sched.h>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace echo;
using namespace echo::dr;

static OwnProcess began(const char *Argument = "--size") {
  const char *const Arguments[] = {"app", Argument, nullptr};
  readOwnProcess(2, Arguments);
  return ownProcess();
}

/// A plan that was validated for \p P, with the variables of \p Names.
static std::unique_ptr<PlanFile>
planFor(const OwnProcess &P, std::initializer_list<const char *> Names,
        bool All = false) {
  auto Plan = std::make_unique<PlanFile>();
  Plan->ForProcesses = true;
  Plan->NumProcesses = 1;
  PlanProcess &Q = Plan->Processes[0];
  Q.Arguments = P.Arguments;
  Q.Folder = P.Folder;
  Q.Input = P.Input;
  Q.Inherited = P.Inherited;
  Q.Limits = P.Limits;
  Q.AllVariables = All;
  auto Add = [&](uint64_t Name, uint64_t Value) {
    Plan->Variables[Plan->NumVariables++] = {Name, Value};
    ++Q.NumVariables;
  };
  for (const char *Name : Names) {
    const uint64_t Hash = fnv1a(Name, strlen(Name));
    uint64_t Value = 0;
    for (unsigned I = 0; I != P.NumVariables; ++I)
      if (P.Variables[I].Name == Hash)
        Value = P.Variables[I].Value;
    Add(Hash, Value);
  }
  for (unsigned I = 0; All && I != P.NumVariables; ++I)
    if (isVariable(P.Variables[I].Text))
      Add(P.Variables[I].Name, P.Variables[I].Value);
  return Plan;
}

static std::string why(const PlanFile &Plan, const OwnProcess &P) {
  char Text[320];
  const char *Why = whyNotValidated(Plan, P, Text, sizeof Text);
  return Why ? Why : "";
}

namespace {
/// Another file in the place of a descriptor.
struct Instead {
  int Fd, Was;
  Instead(int Fd, int File) : Fd(Fd), Was(dup(Fd)) {
    fcntl(Was, F_SETFD, FD_CLOEXEC);
    dup2(File, Fd);
    close(File);
  }
  ~Instead() {
    if (Was >= 0)
      dup2(Was, Fd);
    else
      close(Fd);
    close(Was);
  }
};

int fileOf(const char *Text) {
  char Path[] = "/tmp/echo-own-XXXXXX";
  const int File = mkstemp(Path);
  unlink(Path);
  REQUIRE(write(File, Text, strlen(Text)) == ssize_t(strlen(Text)));
  lseek(File, 0, SEEK_SET);
  return File;
}
} // namespace

TEST_CASE("a process that begins as a validated one is one") {
  setenv("OWN_A", "1", 1);
  const OwnProcess P = began();
  const auto Plan = planFor(P, {"OWN_A", "OWN_B"}), All = planFor(P, {}, true);
  CHECK(why(*Plan, began()) == "");
  CHECK(why(*All, began()) == "");
  setenv("SSH_TTY", "x", 1);
  setenv("MASTER_PORT", "77", 1);
  setenv("OMPI_COMM_WORLD_RANK", "3", 1);
  CHECK(why(*All, began()) == "");
  for (const char *Name : {"SSH_TTY", "MASTER_PORT", "OMPI_COMM_WORLD_RANK"})
    unsetenv(Name);
  All->NumProcesses = 0;
  CHECK(why(*All, began()) == "it is of no process that was seen");
  unsetenv("OWN_A");
}

TEST_CASE("arguments and folder are a process's own") {
  const auto Plan = planFor(began(), {});
  CHECK(why(*Plan, began("--sizE")) == "its arguments are others");
  char Here[4096];
  REQUIRE(getcwd(Here, sizeof Here));
  REQUIRE(chdir("/") == 0);
  CHECK(why(*Plan, began()) == "its working folder is another one");
  REQUIRE(chdir(Here) == 0);
  CHECK(why(*Plan, began()) == "");
}

TEST_CASE("variables that it asks for are its own") {
  setenv("OWN_A", "1", 1);
  unsetenv("OWN_B");
  const OwnProcess P = began();
  const auto Plan = planFor(P, {"OWN_A", "OWN_B"}), All = planFor(P, {}, true);
  setenv("OWN_A", "2", 1);
  CHECK(why(*Plan, began()) == "its environment variable OWN_A is another one");
  unsetenv("OWN_A");
  CHECK(why(*Plan, began()) == "an environment variable is not set, and was");
  setenv("OWN_A", "1", 1);
  setenv("OWN_B", "", 1);
  CHECK(why(*Plan, began()) == "its environment variable OWN_B is another one");
  unsetenv("OWN_B");
  setenv("OWN_C", "1", 1);
  CHECK(why(*Plan, began()) == ""); // it never asks
  CHECK(why(*All, began()) == "its environment variable OWN_C is another one");
  unsetenv("OWN_C");
  unsetenv("OWN_A");
}

TEST_CASE("one of several processes is enough") {
  const auto Plan = planFor(began("0"), {});
  Plan->Processes[1] = planFor(began("1"), {})->Processes[0];
  Plan->NumProcesses = 2;
  CHECK(why(*Plan, began("0")) == "");
  CHECK(why(*Plan, began("1")) == "");
  CHECK(why(*Plan, began("2")) == "its arguments are others");
}

TEST_CASE("standard input counts by its contents, or is what echo-run had") {
  unsetenv("ECHO_DR_INPUT");
  Instead Nothing(0, open("/dev/null", O_RDONLY));
  const auto None = planFor(began(), {});
  std::unique_ptr<PlanFile> File;
  {
    Instead Input(0, fileOf("7\n"));
    const OwnProcess P = began();
    File = planFor(P, {});
    CHECK(why(*None, P) == "its standard input is another one");
    struct stat S;
    REQUIRE(fstat(0, &S) == 0);
    setenv("ECHO_DR_INPUT",
           (std::to_string(S.st_dev) + ":" + std::to_string(S.st_ino) + ":0")
               .c_str(),
           1);
    CHECK(began().Input == ProcessInputLaunch);
    CHECK(why(*None, began()) != "");
    None->NoInput = true; // of the launch: then it is the same
    CHECK(why(*None, began()) == "");
    lseek(0, 1, SEEK_SET);
    CHECK(began().Input > ProcessInputPipe);
    unsetenv("ECHO_DR_INPUT");
  }
  {
    Instead Input(0, fileOf("7\n"));
    CHECK(why(*File, began()) == "");
  }
  {
    Instead Input(0, fileOf("8\n"));
    CHECK(why(*File, began()) == "its standard input is another one");
  }
  int Ends[2];
  REQUIRE(pipe2(Ends, O_CLOEXEC) == 0);
  Instead Input(0, Ends[0]);
  CHECK(began().Flags & ProcessHasInputPipe);
  setenv("PMI_RANK", "0", 1);
  CHECK(began().Input == ProcessInputLaunch);
  unsetenv("PMI_RANK");
  close(Ends[1]);
}

TEST_CASE("files and pipes that are inherited") {
  const auto Plan = planFor(began(), {});
  const int File = fileOf("7\n"), Kept = 77;
  fcntl(File, F_SETFD, FD_CLOEXEC);
  CHECK(why(*Plan, began()) == ""); // not inherited
  dup2(File, Kept);
  const auto With = planFor(began(), {});
  CHECK(why(*Plan, began()) ==
        "the files and pipes that it inherits are others");
  CHECK(why(*With, began()) == "");
  REQUIRE(pwrite(File, "8", 1, 0) == 1);
  CHECK(why(*With, began()) != "");
  REQUIRE(dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), Kept) == Kept);
  CHECK(why(*Plan, began()) == ""); // a device decides nothing
  int Ends[2];
  REQUIRE(pipe2(Ends, O_CLOEXEC) == 0);
  const uint8_t Before = began().Flags;
  dup2(Ends[0], Kept);
  CHECK((began().Flags & ~Before) == ProcessHasPipe);
  for (int Each : {File, Kept, Ends[0], Ends[1]})
    close(Each);
}

TEST_CASE("launchers' counts count, their numbers do not") {
  const auto Plan = planFor(began(), {}, /*All=*/true);
  for (const char *Name : {"SLURM_JOB_ID", "OMPI_MCA_ess_base_jobid"}) {
    setenv(Name, "7", 1);
    CHECK(why(*Plan, began()) == "");
    unsetenv(Name);
  }
  for (const char *Name :
       {"SLURM_CPUS_PER_TASK", "SLURM_NTASKS", "OMPI_COMM_WORLD_SIZE",
        "PMI_SIZE", "SLURM_ARRAY_TASK_ID", "PBS_ARRAY_INDEX", "LSB_JOBINDEX",
        "OMPI_MCA_pml"}) {
    setenv(Name, "2", 1);
    CHECK(why(*Plan, began()) ==
          std::string("its environment variable ") + Name + " is another one");
    unsetenv(Name);
  }
}

TEST_CASE("whether an output is a terminal counts for who asks") {
  const auto Asks = planFor(began(), {"isatty(1)"});
  const auto AsksNot = planFor(began(), {}, /*All=*/true);
  const int Terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  REQUIRE(Terminal >= 0);
  REQUIRE(grantpt(Terminal) == 0);
  REQUIRE(unlockpt(Terminal) == 0);
  const int Slave = open(ptsname(Terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
  const int File = open("/dev/null", O_WRONLY | O_CLOEXEC);
  std::string InFile, InTerminal, Other;
  {
    const Instead Out(1, dup(File));
    InFile = why(*Asks, began());
  }
  {
    const Instead Out(1, dup(Slave));
    InTerminal = why(*Asks, began());
    Other = why(*AsksNot, began());
  }
  CHECK(InFile == "");
  CHECK(InTerminal == "the answer of isatty(1) is another one");
  CHECK(Other == "");
  for (int Each : {Terminal, Slave, File})
    close(Each);
}

TEST_CASE("umask, ignored signals, limits and CPUs") {
  const auto Plan = planFor(began(), {});
  const std::string Why =
      "its umask, limits, CPUs, user, groups, rights or signals are others";
  const mode_t Was = umask(0);
  umask(Was ^ 020);
  CHECK(why(*Plan, began()) == Why);
  umask(Was);
  signal(SIGUSR1, SIG_IGN);
  CHECK(why(*Plan, began()) == Why);
  signal(SIGUSR1, SIG_DFL);
  auto *Before = signal(SIGHUP, SIG_IGN); // as under nohup
  CHECK(why(*Plan, began()) == "");
  signal(SIGHUP, Before);
  cpu_set_t Cpus, One;
  REQUIRE(sched_getaffinity(0, sizeof Cpus, &Cpus) == 0);
  if (CPU_COUNT(&Cpus) > 1) {
    CPU_ZERO(&One);
    for (int I = 0; !CPU_COUNT(&One); ++I)
      if (CPU_ISSET(I, &Cpus))
        CPU_SET(I, &One);
    REQUIRE(sched_setaffinity(0, sizeof One, &One) == 0);
    CHECK(why(*Plan, began()) == Why);
    REQUIRE(sched_setaffinity(0, sizeof Cpus, &Cpus) == 0);
  }
  for (auto Which : {RLIMIT_STACK, RLIMIT_NOFILE, RLIMIT_MEMLOCK}) {
    rlimit Old, New;
    REQUIRE(getrlimit(Which, &Old) == 0);
    New = Old;
    New.rlim_cur = Old.rlim_cur == RLIM_INFINITY ? 1 << 26 : Old.rlim_cur / 2;
    REQUIRE(setrlimit(Which, &New) == 0);
    CHECK(why(*Plan, began()) == Why);
    REQUIRE(setrlimit(Which, &Old) == 0);
  }
  CHECK(why(*Plan, began()) == "");
}

TEST_CASE("lines go where standard error was at the start, or nowhere") {
  errno = 5;
  rt::keepToErrors();
  int Ends[2];
  REQUIRE(pipe2(Ends, O_CLOEXEC | O_NONBLOCK) == 0);
  char Buffer[64];
  {
    Instead Data(2, dup(Ends[1])); // a file of the program's
    rt::say("not here");
    CHECK(read(Ends[0], Buffer, sizeof Buffer) < 0);
  }
  {
    const int Was = fcntl(2, F_DUPFD_CLOEXEC, 100);
    close(2);
    rt::say("nor here");
    dup2(Was, 2);
    close(Was);
  }
  close(Ends[0]);
  close(Ends[1]);
}
