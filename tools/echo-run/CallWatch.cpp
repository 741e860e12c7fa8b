//===- CallWatch.cpp - System calls that use memory unseen ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CallWatch.h. A call waits while it is judged, and goes on whatever comes
// of it. Paths are looked at as the caller gave them; who changes one between
// the look and the call is not found.
//
//===----------------------------------------------------------------------===//
#include "CallWatch.h"
#include "CallFilter.h"

#include "runtime/abi/CallWatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

namespace echo {

using dr::Reason;

CallWatch::CallWatch(const std::string &Executable) {
  KnowsProgram = stat(Executable.c_str(), &Program) == 0;
  StopEvent = eventfd(0, EFD_CLOEXEC);
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Ends) != 0)
    Ends[0] = Ends[1] = -1;
}

CallWatch::~CallWatch() {
  end();
  for (const int Fd : {Ends[0], Ends[1], StopEvent})
    if (Fd >= 0)
      close(Fd);
}

namespace {
/// A message of one byte, with room for a descriptor.
struct Message {
  char Byte = 0;
  iovec Part = {&Byte, 1};
  alignas(cmsghdr) char Room[CMSG_SPACE(sizeof(int))] = {};
  msghdr Header = {};
  Message() {
    Header.msg_iov = &Part;
    Header.msg_iovlen = 1;
    Header.msg_control = Room;
    Header.msg_controllen = sizeof Room;
  }
};
} // namespace

void CallWatch::begin() {
  if (Ends[0] < 0)
    return;
  const int Fd = setCallFilter();
  if (Fd < 0)
    return;
  Message M;
  cmsghdr *Control = CMSG_FIRSTHDR(&M.Header);
  Control->cmsg_level = SOL_SOCKET;
  Control->cmsg_type = SCM_RIGHTS;
  Control->cmsg_len = CMSG_LEN(sizeof Fd);
  memcpy(CMSG_DATA(Control), &Fd, sizeof Fd);
  sendmsg(Ends[0], &M.Header, MSG_NOSIGNAL);
  close(Fd);
}

void CallWatch::attend() {
  if (Ends[0] < 0)
    return;
  close(Ends[0]); // the child ends without a word where there is no filter
  Ends[0] = -1;
  Message M;
  ssize_t Got = 0;
  while ((Got = recvmsg(Ends[1], &M.Header, MSG_CMSG_CLOEXEC)) < 0 &&
         errno == EINTR)
    ;
  const cmsghdr *Control = Got > 0 ? CMSG_FIRSTHDR(&M.Header) : nullptr;
  if (!Control || Control->cmsg_type != SCM_RIGHTS)
    return;
  memcpy(&Listener, CMSG_DATA(Control), sizeof Listener);
  Watched = true;
  // Signals are for the thread that waits for the program.
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  Answering = std::thread([this] { answer(); });
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
}

/// Room for a message of the system, which may be longer than this version
/// knows.
static std::vector<char> roomFor(size_t Known, size_t Systems) {
  return std::vector<char>(std::max(Known, Systems));
}

/// Answers calls by \p Judge while there is a process to ask about, and until
/// \p Stop can be read. A call that \p Judge gives a value for does not run.
template <class JudgeFn>
static void answerCalls(int Listener, int Stop, JudgeFn Judge) {
  seccomp_notif_sizes Sizes = {};
  syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &Sizes);
  std::vector<char> Told = roomFor(sizeof(seccomp_notif), Sizes.seccomp_notif);
  std::vector<char> Answer =
      roomFor(sizeof(seccomp_notif_resp), Sizes.seccomp_notif_resp);
  for (;;) {
    pollfd Wait[] = {{Listener, POLLIN, 0}, {Stop, POLLIN, 0}};
    if (poll(Wait, Stop >= 0 ? 2 : 1, -1) < 0 && errno != EINTR)
      return;
    if (Wait[1].revents || (Wait[0].revents & (POLLHUP | POLLERR | POLLNVAL)))
      return;
    if (!(Wait[0].revents & POLLIN))
      continue;
    std::fill(Told.begin(), Told.end(), 0);
    std::fill(Answer.begin(), Answer.end(), 0);
    auto &Call = *reinterpret_cast<seccomp_notif *>(Told.data());
    auto &Reply = *reinterpret_cast<seccomp_notif_resp *>(Answer.data());
    if (ioctl(Listener, SECCOMP_IOCTL_NOTIF_RECV, &Call) != 0)
      continue; // the caller has gone
    Reply.id = Call.id;
    if (!Judge(Call, Reply.val))
      Reply.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    ioctl(Listener, SECCOMP_IOCTL_NOTIF_SEND, &Reply);
  }
}

static bool isProbe(const seccomp_notif &Call, int64_t &Value) {
  Value = dr::ProbeAnswer;
  return Call.data.arch == NativeCalls &&
         Call.data.nr == SYS_process_vm_readv && Call.data.args[0] == 0 &&
         Call.data.args[2] == dr::ProbeWord;
}

void CallWatch::answer() {
  answerCalls(Listener, StopEvent,
              [this](const seccomp_notif &Call, auto &Value) {
                int64_t Known = 0;
                if (isProbe(Call, Known)) {
                  Value = Known;
                  return true;
                }
                Reason None = Reason::None;
                if (const Reason Found = judge(Call); Found != None)
                  Seen.compare_exchange_strong(None, Found);
                return false;
              });
}

/// Who answers what outlives this process: each call goes on.
static void leaveAnswering(int Listener) {
  const pid_t Pid = fork();
  if (Pid > 0)
    waitpid(Pid, nullptr, 0);
  if (Pid != 0)
    return;
  if (fork() != 0)
    _exit(0);
  setsid();
  const int Kept = dup2(Listener, STDERR_FILENO + 1);
  close_range(unsigned(Kept) + 1, ~0u, 0);
  for (int Fd = 0; Fd <= STDERR_FILENO; ++Fd)
    close(Fd);
  answerCalls(Kept, -1, [](const seccomp_notif &, auto &) { return false; });
  _exit(0);
}

SeenCalls CallWatch::end() {
  if (Answering.joinable()) {
    const uint64_t One = 1;
    (void)!write(StopEvent, &One, sizeof One);
    Answering.join();
  }
  if (Listener >= 0) {
    pollfd Left = {Listener, 0, 0};
    if (poll(&Left, 1, 0) == 0 || !(Left.revents & POLLHUP))
      leaveAnswering(Listener);
    close(Listener);
    Listener = -1;
  }
  return {Seen, !Watched || Input, Opened};
}

/// "/proc/TASK/NAME".
static std::string ofTask(unsigned Task, const std::string &Name) {
  return fmt::format("/proc/{}/{}", Task, Name);
}

bool CallWatch::isProgram(unsigned Task) const {
  struct stat S;
  return KnowsProgram && stat(ofTask(Task, "exe").c_str(), &S) == 0 &&
         S.st_dev == Program.st_dev && S.st_ino == Program.st_ino;
}

static pid_t processOf(unsigned Task) {
  std::ifstream In(ofTask(Task, "status"));
  for (std::string Line; std::getline(In, Line);)
    if (Line.rfind("Tgid:", 0) == 0)
      return pid_t(strtol(Line.c_str() + 5, nullptr, 10));
  return 0;
}

/// Whether the call was made by the C library in a process that has
/// libecho-dr.so, which has seen it then.
static bool cameByLibrary(const seccomp_notif &Call) {
  std::ifstream In(ofTask(Call.pid, "maps"));
  bool HasEcho = false, IsLibcs = false;
  for (std::string Line; std::getline(In, Line);) {
    char *At = nullptr;
    const uint64_t From = strtoull(Line.c_str(), &At, 16);
    const uint64_t To = strtoull(At + 1, nullptr, 16);
    const size_t Slash = Line.rfind('/');
    const std::string Name = Slash == Line.npos ? "" : Line.substr(Slash + 1);
    HasEcho |= Name == "libecho-dr.so";
    if (const uint64_t Code = Call.data.instruction_pointer;
        From <= Code && Code < To)
      IsLibcs = Name.rfind("libc.so", 0) == 0 || Name.rfind("libc-", 0) == 0 ||
                Name.rfind("libpthread", 0) == 0 ||
                Name.rfind("ld-linux", 0) == 0;
  }
  return HasEcho && IsLibcs;
}

/// The text at \p Address of the task. False: it cannot be read.
static bool readText(unsigned Task, uint64_t Address, std::string &Text) {
  constexpr size_t Page = 4096; // no page of fewer bytes
  char Piece[Page];
  while (Text.size() < Page) {
    const size_t Bytes = Page - Address % Page;
    const iovec Here = {Piece, Bytes};
    const iovec There = {reinterpret_cast<void *>(Address), Bytes}; // NOLINT
    const ssize_t Got = process_vm_readv(pid_t(Task), &Here, 1, &There, 1, 0);
    if (Got <= 0)
      return Got == 0 || errno == EFAULT || errno == ESRCH;
    const size_t Length = strnlen(Piece, size_t(Got));
    Text.append(Piece, Length);
    if (Length < size_t(Got))
      return true;
    Address += uint64_t(Got);
  }
  return true;
}

/// The \p Bytes at \p Address of the task, into \p Out. False: they cannot be
/// read.
static bool readBytes(unsigned Task, uint64_t Address, void *Out,
                      size_t Bytes) {
  const iovec Here = {Out, Bytes};
  const iovec There = {reinterpret_cast<void *>(Address), Bytes}; // NOLINT
  return process_vm_readv(pid_t(Task), &Here, 1, &There, 1, 0) ==
         ssize_t(Bytes);
}

/// What a call of open or its relatives asks for.
struct CallWatch::Opening {
  unsigned Task = 0;
  int Folder = AT_FDCWD;
  std::string Path;   ///< as it was given
  uint64_t Flags = 0; ///< of open(2)

  std::string folder() const;
  std::string whole() const;
};

/// Where the path begins, by a name that leads there for echo-run, too.
std::string CallWatch::Opening::folder() const {
  return Path[0] == '/'       ? ofTask(Task, "root")
         : Folder == AT_FDCWD ? ofTask(Task, "cwd")
                              : ofTask(Task, fmt::format("fd/{}", Folder));
}

/// Where the caller's link \p Name leads to; empty: it is none.
static std::string linkTarget(const std::string &Name) {
  char Target[4096];
  const ssize_t Length = readlink(Name.c_str(), Target, sizeof Target);
  return Length > 0 ? std::string(Target, size_t(Length)) : "";
}

/// The path with the folder where it begins.
std::string CallWatch::Opening::whole() const {
  const std::filesystem::path From = Path[0] == '/' ? "" : linkTarget(folder());
  return (From / Path).lexically_normal().string();
}

/// Where the file lies that is opened as \p Fd, if it is one of the process
/// file system; else empty.
static std::string procFile(int Fd) {
  struct statfs Is;
  return fstatfs(Fd, &Is) == 0 && Is.f_type == PROC_SUPER_MAGIC
             ? linkTarget(fmt::format("/proc/self/fd/{}", Fd))
             : "";
}

/// True if \p Path names a terminal or standard input.
static bool namesInput(const std::string &Path) {
  return Path.starts_with("/dev/tty") || Path.starts_with("/dev/pts/") ||
         Path.starts_with("/dev/console") || Path == "/dev/stdin" ||
         Path.ends_with("/fd/0");
}

/// True if \p Path, or where its links lead to, names one.
static bool leadsToInput(std::filesystem::path Path) {
  constexpr int MostLinks = 40; // as the system has it
  for (int Links = 0; Links != MostLinks && !namesInput(Path); ++Links) {
    std::error_code Error;
    const auto Folder = std::filesystem::canonical(Path.parent_path(), Error);
    const std::string Target = linkTarget((Folder / Path.filename()).string());
    if (namesInput((Folder / Path.filename()).string()))
      return true;
    if (Error || Target.empty())
      return false;
    Path = (Folder / Target).lexically_normal();
  }
  return true;
}

/// True if \p Fd is the file that \p Task, or echo-run, has as its standard
/// input. Where that is /dev/null nobody can tell.
static bool isInputOf(unsigned Task, int Fd) {
  struct stat S, Input;
  if (fstat(Fd, &S) != 0 || (S_ISCHR(S.st_mode) && S.st_rdev == makedev(1, 3)))
    return false;
  const auto Is = [&](int Status) {
    return Status == 0 && S.st_dev == Input.st_dev && S.st_ino == Input.st_ino;
  };
  return Is(stat(ofTask(Task, "fd/0").c_str(), &Input)) ||
         Is(fstat(STDIN_FILENO, &Input));
}

/// What \p Call, one of open's, asks for; false: that cannot be read.
bool CallWatch::readOpening(const seccomp_notif &Call, Opening &O) {
  const auto &Args = Call.data.args;
  const bool HasFolder =
      Call.data.nr == SYS_openat || Call.data.nr == SYS_openat2;
  O.Task = Call.pid;
  O.Folder = HasFolder ? int(Args[0]) : AT_FDCWD;
  O.Flags = Args[HasFolder ? 2 : 1];
#ifdef SYS_creat
  if (Call.data.nr == SYS_creat)
    O.Flags = O_CREAT | O_WRONLY | O_TRUNC;
#endif
  return readText(Call.pid, Args[HasFolder], O.Path) &&
         (Call.data.nr != SYS_openat2 ||
          readBytes(Call.pid, Args[2], &O.Flags, sizeof O.Flags));
}

/// What the program opens past the C library, the profile cannot have.
void CallWatch::keepOpened(const Opening &O) {
  constexpr size_t Most = 10000;
  const uint64_t Access = O.Flags & O_ACCMODE;
  const uint8_t How = Access == O_RDONLY ? dr::FileRead
                      : Access == O_WRONLY
                          ? dr::FileWritten
                          : uint8_t(dr::FileRead | dr::FileWritten);
  if (Opened.size() < Most)
    Opened[O.whole()] |= How;
}

Reason CallWatch::judgeOpen(const seccomp_notif &Call, bool IsProgram) {
  Opening O;
  if (!readOpening(Call, O))
    return Reason::CallsUnseen;
  if (O.Path.empty())
    return Reason::None;
  if (IsProgram && !cameByLibrary(Call))
    keepOpened(O);
  if (leadsToInput(O.whole()))
    Input = true;
  const int Fd = open((O.folder() + "/" + O.Path).c_str(), O_PATH | O_CLOEXEC);
  if (Fd < 0)
    return Reason::None;
  if (isInputOf(Call.pid, Fd))
    Input = true;
  const std::string File = procFile(Fd);
  close(Fd);
  const bool IsMemory = File.size() > 4 && File.ends_with("/mem");
  if (!IsMemory && !File.ends_with("/kcore"))
    return Reason::None;
  // What leads to whoever asks leads to echo-run here.
  const pid_t Whose =
      pid_t(strtol(File.c_str() + strlen("/proc/"), nullptr, 10));
  const bool IsOwn =
      IsMemory && (Whose == getpid() || Whose == processOf(Call.pid));
  if (IsOwn && (!IsProgram || cameByLibrary(Call)))
    return Reason::None;
  return Reason::MemoryFile;
}

/// True if \p Call, one of poll's or select's, may name standard input.
static bool waitsForInput(const seccomp_notif &Call) {
  const auto &Args = Call.data.args;
  const int Number = Call.data.nr;
#ifdef SYS_select
  const bool Selects = Number == SYS_select || Number == SYS_pselect6;
#else
  const bool Selects = Number == SYS_pselect6;
#endif
  if (!Selects) {
    pollfd Each[64];
    const uint64_t Count = Args[1];
    if (Count > std::size(Each) ||
        (Count && !readBytes(Call.pid, Args[0], Each, Count * sizeof *Each)))
      return true;
    return std::any_of(Each, Each + Count,
                       [](const pollfd &P) { return P.fd == STDIN_FILENO; });
  }
  if (int(Args[0]) <= STDIN_FILENO)
    return false;
  for (const uint64_t Set : {Args[1], Args[2], Args[3]}) {
    unsigned char First = 0;
    if (Set && (!readBytes(Call.pid, Set, &First, 1) || First & 1))
      return true;
  }
  return false;
}

/// True if \p Call, of standard input, reads it, copies its descriptor or asks
/// what it is.
static bool usesInput(const seccomp_notif &Call) {
  const auto &Args = Call.data.args;
  switch (Call.data.nr) {
  case SYS_fcntl:
    return Args[1] == F_DUPFD || Args[1] == F_DUPFD_CLOEXEC ||
           Args[1] == F_GETFL || Args[1] == F_GETPIPE_SZ;
  case SYS_mmap:
    return !(Args[3] & MAP_ANONYMOUS);
  default:
    return !isOfDescriptors(Call.data.nr) || waitsForInput(Call);
  }
}

Reason CallWatch::judge(const seccomp_notif &Call) {
  if (Call.data.arch != NativeCalls || Call.data.nr & 0x40000000)
    return Reason::CallsUnseen;
  if (isOfDescriptor(Call.data.nr)) {
    if (usesInput(Call))
      Input = true;
    return Reason::None;
  }
  const bool IsProgram = isProgram(Call.pid);
  // The library has seen what comes through the C library, and judges it.
  const auto Unseen = [&](Reason Why) {
    return IsProgram && cameByLibrary(Call) ? Reason::None : Why;
  };
  switch (Call.data.nr) {
  case SYS_ptrace:
    return Call.data.args[0] == PTRACE_ATTACH ||
                   Call.data.args[0] == PTRACE_SEIZE ||
                   Call.data.args[0] == PTRACE_TRACEME
               ? Reason::Traced
               : Reason::None;
  case SYS_process_vm_readv:
  case SYS_process_vm_writev:
    if (pid_t(Call.data.args[0]) != processOf(Call.pid))
      return Unseen(Reason::OtherProcess);
    return IsProgram ? Unseen(Reason::InlineCall) : Reason::None;
  // These use the memory of who asks for them, whoever has them.
  case SYS_io_uring_setup:
    return IsProgram ? Unseen(Reason::Ring) : Reason::None;
  case SYS_io_setup:
    return IsProgram ? Unseen(Reason::AioContext) : Reason::None;
  case SYS_userfaultfd:
    return IsProgram ? Unseen(Reason::UserFaults) : Reason::None;
  case SYS_vmsplice:
    return IsProgram ? Unseen(Reason::InlineCall) : Reason::None;
  // A descriptor of another process may be its standard input, or any file; so
  // may what a handle stands for.
  case SYS_pidfd_getfd:
  case SYS_open_by_handle_at:
    Input = true;
    return Reason::Received;
  default:
    return judgeOpen(Call, IsProgram);
  }
}

} // namespace echo
