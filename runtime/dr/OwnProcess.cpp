//===- OwnProcess.cpp - What this process began with ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// System calls by number, since the C library's functions are interposers here.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/OwnProcess.h"
#include "runtime/abi/CallWatch.h"
#include "runtime/abi/Variables.h"

#include <algorithm>
#include <fcntl.h>
#include <initializer_list>
#include <iterator>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

extern char **environ;

namespace echo::dr {

static OwnProcess Own;

const OwnProcess &ownProcess() { return Own; }

bool readModeVariable(char *Value, size_t Room) {
  if (environ) {
    const char *Is = getenv("ECHO_DR_MODE");
    if (Is)
      snprintf(Value, Room, "%s", Is);
    return Is;
  }
  const long Fd = syscall(SYS_openat, AT_FDCWD, "/proc/self/environ",
                          O_RDONLY | O_CLOEXEC, 0);
  constexpr char Begins[] = "ECHO_DR_MODE=";
  constexpr size_t Length = sizeof Begins - 1;
  size_t At = 0; // in the variable that is read; 0: before it
  bool Fits = true, Found = false;
  char Buffer[512];
  for (long Got; Fd >= 0 && !Found &&
                 (Got = syscall(SYS_read, Fd, Buffer, sizeof Buffer)) > 0;)
    for (long I = 0; I != Got && !Found; ++I) {
      const char C = Buffer[I];
      if (At < Length)
        Fits &= C == Begins[At];
      else if (Fits && At - Length < Room)
        Value[At - Length] = At - Length + 1 == Room ? char(0) : C;
      Found = !C && Fits && At >= Length;
      At = C ? At + 1 : 0;
      Fits |= !C;
    }
  if (Fd >= 0)
    syscall(SYS_close, Fd);
  return Found;
}

/// What one read of \p Path gives, as text; it stays as it is where that fails.
static void readWhole(const char *Path, char *Text, size_t Room) {
  const long Fd = syscall(SYS_openat, AT_FDCWD, Path, O_RDONLY | O_CLOEXEC, 0);
  if (Fd < 0)
    return;
  const long Got = syscall(SYS_read, Fd, Text, Room - 1);
  Text[Got > 0 ? Got : 0] = 0;
  syscall(SYS_close, Fd);
}

static uint64_t hashOf(const uint64_t *Words, size_t N) {
  const uint64_t Hash = fnv1a(Words, N * sizeof *Words);
  return Hash > ProcessInputPipe ? Hash : Hash + ProcessInputPipe + 1;
}

/// The contents of the regular file \p Fd and where it is read from; of a large
/// one, which file it is. Nothing is read from the descriptor's own position.
static uint64_t fileHash(int Fd, const struct stat &S) {
  constexpr off_t MostContents = off_t(64) << 20;
  const auto At = static_cast<uint64_t>(ownPlace(Fd));
  const auto Size = static_cast<uint64_t>(S.st_size);
  if (S.st_size <= MostContents) {
    static unsigned char Buffer[1 << 16];
    uint64_t Hash = FnvBasis;
    off_t Done = 0;
    while (Done < S.st_size) {
      const long Got = syscall(SYS_pread64, Fd, Buffer, sizeof Buffer, Done);
      if (Got <= 0)
        break;
      Hash = fnv1a(Buffer, static_cast<size_t>(Got), Hash);
      Done += Got;
    }
    if (Done == S.st_size) {
      const uint64_t Words[] = {Size, At, Hash};
      return hashOf(Words, 3);
    }
  }
  const uint64_t Words[] = {Size,
                            At,
                            static_cast<uint64_t>(S.st_dev),
                            static_cast<uint64_t>(S.st_ino),
                            static_cast<uint64_t>(S.st_mtim.tv_sec),
                            static_cast<uint64_t>(S.st_mtim.tv_nsec)};
  return hashOf(Words, 6);
}

/// What a launcher of several processes forwards its own input to.
static bool isRank() {
  for (const char *Name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                           "PALS_RANKID", "SLURM_PROCID"})
    if (getenv(Name))
      return true;
  return false;
}

static uint64_t inputHash(uint8_t &Flags) {
  struct stat S;
  unsigned long long Device = 0, Inode = 0;
  long long At = 0;
  const char *Launch = getenv("ECHO_DR_INPUT");
  const bool Known =
      Launch && sscanf(Launch, "%llu:%llu:%lld", &Device, &Inode, &At) == 3;
  if (!ownLook(STDIN_FILENO, S))
    return Launch && !Known ? ProcessInputLaunch : ProcessInputNone;
  const bool IsFile = S.st_mode && S_ISREG(S.st_mode);
  if (Known && S.st_dev == Device && S.st_ino == Inode &&
      (!IsFile || ownPlace(STDIN_FILENO) == At))
    return ProcessInputLaunch;
  if (IsFile)
    return fileHash(STDIN_FILENO, S);
  if (!S_ISFIFO(S.st_mode) && !S_ISSOCK(S.st_mode))
    return ProcessInputNone;
  if (isRank())
    return ProcessInputLaunch;
  Flags |= ProcessHasInputPipe;
  return ProcessInputPipe;
}

/// Adds the descriptor \p Fd, if the process got it from its parent.
static void addInherited(int Fd, uint64_t &Hash, uint8_t &Flags) {
  struct stat S;
  if (Fd <= STDERR_FILENO)
    return;
  const int Close = fcntl(Fd, F_GETFD), Mode = fcntl(Fd, F_GETFL);
  if (Close < 0 || Close & FD_CLOEXEC || Mode < 0 ||
      (Mode & O_ACCMODE) == O_WRONLY || !ownLook(Fd, S))
    return;
  uint64_t Words[] = {Hash, static_cast<uint64_t>(Fd), 0,
                      static_cast<uint64_t>(Mode)};
  if (Mode & O_PATH) {
    const uint64_t File[] = {S.st_dev, S.st_ino};
    Words[2] = hashOf(File, 2);
  } else if (S_ISREG(S.st_mode)) {
    Words[2] = fileHash(Fd, S);
  } else if (S_ISDIR(S.st_mode)) {
    const uint64_t Folder[] = {S.st_dev, S.st_ino};
    Words[2] = hashOf(Folder, 2);
  } else if (S_ISCHR(S.st_mode) || S_ISBLK(S.st_mode)) {
    return;
  } else { // a pipe, a socket, or a counter or timer of no name
    Words[2] = ProcessInputPipe;
    Flags |= ProcessHasPipe;
  }
  Hash = fnv1a(Words, sizeof Words);
}

/// Which of the standard descriptors are closed: what the process opens gets
/// their numbers.
static uint64_t closedStandard() {
  uint64_t Closed = 0;
  for (int Fd = 0; Fd <= STDERR_FILENO; ++Fd)
    Closed |= uint64_t(fcntl(Fd, F_GETFD) < 0) << Fd;
  return Closed;
}

static uint64_t inheritedHash(uint8_t &Flags) {
  struct Entry {
    uint64_t Inode;
    int64_t Next;
    uint16_t Bytes;
    uint8_t Type;
    char Name[1];
  };
  uint64_t Hash = FnvBasis ^ closedStandard();
  const long Folder = syscall(SYS_openat, AT_FDCWD, "/proc/self/fd",
                              O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (Folder < 0)
    return 1; // what there is cannot be known
  alignas(8) char Buffer[4096];
  for (long Got;
       (Got = syscall(SYS_getdents64, Folder, Buffer, sizeof Buffer)) > 0;)
    for (long At = 0; At < Got;) {
      const auto *E = reinterpret_cast<const Entry *>(Buffer + At);
      if (E->Name[0] >= '0' && E->Name[0] <= '9')
        addInherited(static_cast<int>(strtol(E->Name, nullptr, 10)), Hash,
                     Flags);
      At += E->Bytes;
    }
  syscall(SYS_close, Folder);
  return Hash;
}

/// The number after \p Key in a file of /proc, as text in the base \p Base.
static uint64_t numberIn(const char *Text, const char *Key, int Base) {
  const char *At = strstr(Text, Key);
  return At ? strtoull(At + strlen(Key), nullptr, Base) : 0;
}

/// A hash of the line of \p Text that begins with \p Key, a line end first.
static uint64_t lineHash(const char *Text, const char *Key) {
  const char *At = strstr(Text, Key);
  char Line[1024] = {};
  if (At)
    memcpy(Line, At + 1, std::min(sizeof Line - 1, strcspn(At + 1, "\n")));
  return fnv1a(Line, strlen(Line));
}

/// How many CPUs the process may run on, as programs choose their threads.
static uint64_t countOfCpus() {
  unsigned long Mask[128] = {};
  const long Bytes = syscall(SYS_sched_getaffinity, 0, sizeof Mask, Mask);
  uint64_t Count = 0;
  for (long I = 0; I < Bytes / long(sizeof *Mask); ++I)
    Count += static_cast<uint64_t>(__builtin_popcountl(Mask[I]));
  return Count;
}

/// Which interval timers run: what is left of them is the moment's.
static uint64_t runningTimers() {
  uint64_t Running = 0;
  for (int Which : {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}) {
    itimerval Timer = {};
    syscall(SYS_getitimer, Which, &Timer);
    const bool Runs = Timer.it_value.tv_sec || Timer.it_value.tv_usec;
    Running |= uint64_t(Runs) << Which;
  }
  return Running;
}

/// Whether the process has children already: it was started by exec of one that
/// had. Nothing is taken from whoever waits for them.
static bool hasChildren() {
  siginfo_t Info = {};
  return syscall(SYS_waitid, P_ALL, 0, &Info,
                 WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT,
                 nullptr) == 0;
}

/// Whether the process may gain rights, and its seccomp filters: those that are
/// not of echo-run's watch.
static void readRights(const char *Status, uint64_t (&Words)[2]) {
  unsigned Before = 0, Filters = 0;
  const char *Watch = getenv("ECHO_DR_CALLS");
  const bool IsWatched =
      Watch && sscanf(Watch, "%u:%u", &Before, &Filters) == 2;
  Words[0] =
      IsWatched ? Before : uint64_t(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
  Words[1] = numberIn(Status, "\nSeccomp_filters:", 10);
  if (IsWatched && Words[1] > Filters)
    --Words[1];
}

/// The policy by which memory is placed (numactl), which threads inherit.
static uint64_t memoryPolicy() {
  int Mode = 0;
  unsigned long Nodes[16] = {};
  if (syscall(SYS_get_mempolicy, &Mode, Nodes, 8 * sizeof Nodes, nullptr, 0))
    return 0;
  return fnv1a(Nodes, sizeof Nodes, uint64_t(Mode) + FnvBasis);
}

/// File mode mask, signals that are ignored or blocked, who the process runs
/// for, in which groups and with which rights, the number of CPUs, limits, the
/// personality (setarch: no random addresses, an older version), signals that
/// are pending, timers that run, where memory is placed, seccomp filters, what
/// prctl hands on, and whether it has children.
/// Not the signals by which terminals, nohup and shells differ, nor the limit
/// of core files.
static uint64_t limitsHash() {
  static char Text[8192];
  readWhole("/proc/self/status", Text, sizeof Text);
  uint64_t Ignored = numberIn(Text, "\nSigIgn:", 16);
  for (int Signal : {SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU})
    Ignored &= ~(uint64_t(1) << (Signal - 1));
  constexpr unsigned Others = 24;
  constexpr int GetMdwe = 66; // of Linux 6.3
  uint64_t Rights[2];
  readRights(Text, Rights);
  uint64_t Words[Others + 2 * RLIM_NLIMITS] = {
      numberIn(Text, "\nUmask:", 8),
      Ignored,
      countOfCpus(),
      numberIn(Text, "\nSigBlk:", 16),
      uint64_t(geteuid()) << 32 | getuid(),
      uint64_t(getegid()) << 32 | getgid(),
      lineHash(Text, "\nGroups:"),
      numberIn(Text, "\nCapEff:", 16),
      numberIn(Text, "\nCapBnd:", 16),
      uint64_t(syscall(SYS_personality, 0xffffffff)),
      numberIn(Text, "\nSigPnd:", 16),
      numberIn(Text, "\nShdPnd:", 16),
      runningTimers(),
      uint64_t(prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0)),
      uint64_t(prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0)),
      uint64_t(prctl(PR_GET_SECUREBITS, 0, 0, 0, 0)),
      uint64_t(prctl(PR_MCE_KILL_GET, 0, 0, 0, 0)),
      uint64_t(prctl(GetMdwe, 0, 0, 0, 0)),
      memoryPolicy(),
      Rights[0] << 32 | Rights[1],
      numberIn(Text, "\nCapPrm:", 16),
      numberIn(Text, "\nCapInh:", 16),
      numberIn(Text, "\nCapAmb:", 16),
      hasChildren()};
  for (unsigned Which = 0; Which != RLIM_NLIMITS; ++Which) {
    rlimit L;
    if (Which != RLIMIT_CORE &&
        getrlimit(static_cast<__rlimit_resource>(Which), &L) == 0) {
      Words[Others + 2 * Which] = L.rlim_cur;
      Words[Others + 2 * Which + 1] = L.rlim_max;
    }
  }
  return hashOf(Words, Others + 2 * RLIM_NLIMITS);
}

/// What stands for a variable: the program's own \p Question has this answer.
static OwnVariable answered(const char *Question, const char *Answer) {
  return {fnv1a(Question, strlen(Question)), valueHash(Answer), Question};
}

static OwnVariable terminalVariable(int Fd) {
  termios Unused;
  const char *Name = terminalName(Fd);
  const bool Is = syscall(SYS_ioctl, Fd, TCGETS, &Unused) == 0;
  return answered(Name, Is ? "1" : "0");
}

/// Of a terminal that is as large as another one, the answer is the same.
static OwnVariable terminalSizeVariable(int Fd) {
  winsize Size = {};
  char Text[32] = "none";
  const char *Name = terminalSizeName(Fd);
  if (syscall(SYS_ioctl, Fd, TIOCGWINSZ, &Size) == 0)
    snprintf(Text, sizeof Text, "%ux%u", unsigned(Size.ws_col),
             unsigned(Size.ws_row));
  return answered(Name, Text);
}

/// Terminals are alike, as are files of which nothing is there yet, where they
/// are of one user and group, for the same users.
static OwnVariable outputVariable(int Fd) {
  struct stat S;
  termios Unused;
  char Text[96] = "closed";
  const char *Name = outputName(Fd);
  const bool IsTerminal = syscall(SYS_ioctl, Fd, TCGETS, &Unused) == 0;
  if (!ownLook(Fd, S))
    return answered(Name, Text);
  const int Length =
      snprintf(Text, sizeof Text, "%o %u %u ", S.st_mode, S.st_uid, S.st_gid);
  char *Rest = Text + Length;
  const size_t Room = sizeof Text - static_cast<size_t>(Length);
  if (IsTerminal)
    snprintf(Rest, Room, "terminal %d", outputsAreOne());
  else
    snprintf(Rest, Room, "%llx %lo %d%d%d",
             static_cast<unsigned long long>(S.st_rdev),
             syscall(SYS_fcntl, Fd, F_GETFL) &
                 (O_ACCMODE | O_APPEND | O_NONBLOCK),
             S_ISREG(S.st_mode) && S.st_size != 0,
             S_ISREG(S.st_mode) && ownPlace(Fd) != 0, outputsAreOne());
  return answered(Name, Text);
}

static OwnVariable hostVariable() {
  utsname Now = {};
  syscall(SYS_uname, &Now);
  return answered(HostQuestion, Now.nodename);
}

static OwnVariable systemVariable() {
  utsname Now = {};
  syscall(SYS_uname, &Now);
  return {fnv1a(SystemQuestion, strlen(SystemQuestion)),
          fnv1a(&Now, sizeof Now), SystemQuestion};
}

static OwnVariable groupVariable() {
  const bool OfGroup = getpgrp() == getpid(), OfSession = getsid(0) == getpid();
  return answered(GroupQuestion, OfSession ? "session"
                                 : OfGroup ? "group"
                                           : "none");
}

static OwnVariable foregroundVariable() {
  bool InFront = false;
  for (int Fd = 0; Fd <= STDERR_FILENO; ++Fd) {
    pid_t Group = 0;
    InFront |= syscall(SYS_ioctl, Fd, TIOCGPGRP, &Group, 0, OwnCall) == 0 &&
               Group == getpgrp();
  }
  return answered(ForegroundQuestion, InFront ? "1" : "0");
}

/// Nobody's number where nobody has.
static OwnVariable loginVariable() {
  char Number[32] = "";
  readWhole("/proc/self/loginuid", Number, sizeof Number);
  return answered(LoginQuestion, Number);
}

/// Whether it can be read and written, and waits; a terminal is one of which
/// nothing is known.
static OwnVariable inputModeVariable() {
  termios Unused;
  char Text[32] = "terminal";
  if (syscall(SYS_ioctl, 0, TCGETS, &Unused, 0, OwnCall) != 0)
    snprintf(Text, sizeof Text, "%lo",
             syscall(SYS_fcntl, 0, F_GETFL, 0, 0, OwnCall));
  return answered(InputModeQuestion, Text);
}

static OwnVariable namedVariable(const NamedVariable &Of) {
  const char *Value = getenv(Of.Name);
  return {fnv1a(Of.Question, strlen(Of.Question)),
          Value ? valueHash(Value) : ~uint64_t(0), Of.Question};
}

/// Copies names, since the program may write where they lie.
static void readVariables(OwnProcess &Out) {
  constexpr size_t Questions = 12 + std::size(NamedVariables);
  size_t Count = 0, Bytes = 0;
  for (char **Each = environ; Each && *Each; ++Each, ++Count)
    Bytes += strcspn(*Each, "=") + 1;
  Bytes += (Count + Questions) * sizeof(OwnVariable);
  void *Room = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Room == MAP_FAILED) {
    Out.Known = false;
    return;
  }
  auto *All = static_cast<OwnVariable *>(Room);
  char *Names = reinterpret_cast<char *>(All + Count + Questions);
  for (int Fd : {STDOUT_FILENO, STDERR_FILENO}) {
    All[Out.NumVariables++] = terminalVariable(Fd);
    All[Out.NumVariables++] = terminalSizeVariable(Fd);
    All[Out.NumVariables++] = outputVariable(Fd);
  }
  All[Out.NumVariables++] = hostVariable();
  All[Out.NumVariables++] = systemVariable();
  All[Out.NumVariables++] = groupVariable();
  All[Out.NumVariables++] = foregroundVariable();
  All[Out.NumVariables++] = loginVariable();
  All[Out.NumVariables++] = inputModeVariable();
  for (const NamedVariable &Each : NamedVariables)
    All[Out.NumVariables++] = namedVariable(Each);
  for (char **Each = environ; Each && *Each; ++Each) {
    const size_t Length = strcspn(*Each, "=");
    if (!isPlainVariable(*Each, Length) || !(*Each)[Length])
      continue;
    memcpy(Names, *Each, Length); // a 0 follows, as memory is fresh
    if (isLeftOutVariable(Names)) {
      memset(Names, 0, Length);
      continue;
    }
    All[Out.NumVariables++] = {fnv1a(Names, Length),
                               valueHash(*Each + Length + 1), Names};
    Names += Length + 1;
  }
  Out.Variables = All;
}

void readOwnProcess(int NumArguments, const char *const *Arguments) {
  OwnProcess P;
  P.Known = Arguments != nullptr;
  P.Arguments = FnvBasis;
  for (int I = 0; I < NumArguments && Arguments && Arguments[I]; ++I)
    P.Arguments = fnv1a(Arguments[I], strlen(Arguments[I]) + 1, P.Arguments);
  // The name by which it was started, which the first argument need not be.
  if (const auto *Name = reinterpret_cast<const char *>(getauxval(AT_EXECFN)))
    P.Arguments = fnv1a(Name, strlen(Name), P.Arguments);
  char Folder[4096];
  const long Length = syscall(SYS_getcwd, Folder, sizeof Folder);
  P.Folder = Length > 0 ? fnv1a(Folder, static_cast<size_t>(Length)) : 1;
  P.Input = inputHash(P.Flags);
  P.Inherited = inheritedHash(P.Flags);
  P.Limits = limitsHash();
  readVariables(P);
  Own = P;
}

// Comparing.

static uint64_t valueOf(const OwnProcess &P, uint64_t Name) {
  for (unsigned I = 0; I != P.NumVariables; ++I)
    if (P.Variables[I].Name == Name)
      return P.Variables[I].Value;
  return 0;
}

static const char *nameOf(const OwnProcess &P, uint64_t Name) {
  for (unsigned I = 0; I != P.NumVariables; ++I)
    if (P.Variables[I].Name == Name)
      return P.Variables[I].Text;
  return nullptr;
}

/// Whether the variables of \p Now are those of \p Was; else \p Differs is the
/// name of one, or null if that is not set now.
static bool sameVariables(const PlanFile &Plan, const PlanProcess &Was,
                          const OwnProcess &Now, const char *&Differs) {
  const PlanVariable *First = Plan.Variables + Was.FirstVariable;
  for (unsigned I = 0; I != Was.NumVariables; ++I)
    if (valueOf(Now, First[I].Name) != First[I].Value) {
      Differs = nameOf(Now, First[I].Name);
      return false;
    }
  for (unsigned I = 0; Was.AllVariables && I != Now.NumVariables; ++I) {
    bool Known = !isVariable(Now.Variables[I].Text);
    for (unsigned J = 0; J != Was.NumVariables && !Known; ++J)
      Known = First[J].Name == Now.Variables[I].Name;
    if (!Known) {
      Differs = Now.Variables[I].Text;
      return false;
    }
  }
  return true;
}

const char *whyNotValidated(const PlanFile &Plan, const OwnProcess &Own,
                            char *Text, size_t Room) {
  if (!Plan.ForProcesses)
    return nullptr;
  static const char *const What[] = {
      "it is of no process that was seen",
      "its arguments are others",
      "its working folder is another one",
      "its standard input is another one",
      "the files and pipes that it inherits are others",
      "its umask, limits, CPUs, user, groups, rights or signals are others"};
  unsigned Most = 0;
  const char *Name = nullptr;
  bool ByName = false;
  // Where nothing came to the command, that is what all its processes got.
  auto InputOf = [&](uint64_t Input) {
    return Plan.NoInput && Input == ProcessInputLaunch ? ProcessInputNone
                                                       : Input;
  };
  for (unsigned I = 0; I != Plan.NumProcesses && Own.Known; ++I) {
    const PlanProcess &P = Plan.Processes[I];
    const bool Same[] = {P.Arguments == Own.Arguments, P.Folder == Own.Folder,
                         InputOf(P.Input) == InputOf(Own.Input),
                         P.Inherited == Own.Inherited, P.Limits == Own.Limits};
    unsigned At = 1;
    for (bool Each : Same)
      if (Each)
        ++At;
      else
        break;
    if (At <= 5) {
      Most = !ByName && At > Most ? At : Most;
      continue;
    }
    if (sameVariables(Plan, P, Own, Name))
      return nullptr;
    ByName = true;
  }
  if (!ByName)
    snprintf(Text, Room, "%s", What[Most]);
  else if (Name && !isVariable(Name))
    snprintf(Text, Room, "the answer of %.200s is another one", Name);
  else if (Name)
    snprintf(Text, Room, "its environment variable %.200s is another one",
             Name);
  else
    snprintf(Text, Room, "an environment variable is not set, and was");
  return Text;
}

} // namespace echo::dr
