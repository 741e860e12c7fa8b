//===- CallWatch.cpp - System calls that use memory unseen ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CallWatch.h. A call waits while it is judged, and goes on whatever comes
// of it.
//
//===----------------------------------------------------------------------===//
#include "CallWatch.h"
#include "CallFilter.h"
#include "Caller.h"
#include "Opening.h"

#include "runtime/abi/CallWatch.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <optional>
#include <vector>

#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
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
  return {Seen, !Watched || Input, Unkept, Opened};
}

bool CallWatch::isProgram(unsigned Task) const {
  struct stat S;
  return KnowsProgram && stat(ofTask(Task, "exe").c_str(), &S) == 0 &&
         S.st_dev == Program.st_dev && S.st_ino == Program.st_ino;
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

Reason CallWatch::judgeOpen(const seccomp_notif &Call, bool IsUnseen) {
  Opening O;
  if (!O.read(Call))
    return Reason::CallsUnseen;
  if (O.Path.empty())
    return Reason::None;
  if (IsUnseen)
    keepOpened(O);
  const OpenedFile File = O.file();
  if (File.IsInput || (O.Folder == STDIN_FILENO && O.Path[0] != '/'))
    Input = true;
  return !File.IsMemory || (File.IsOwnMemory && !IsUnseen) ? Reason::None
                                                           : Reason::MemoryFile;
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

/// True if \p Call, of an output, asks what that is, or fails by it, where
/// libecho-dr.so does not keep the question.
static bool asksOutput(const seccomp_notif &Call) {
  const auto &Args = Call.data.args;
  const auto Request = static_cast<unsigned long>(Args[1]);
  switch (Call.data.nr) {
  case SYS_ioctl: // the C library looks by itself how to keep what is printed
    return Request != TCGETS && Request != dr::GetTermios2 &&
           Request != TIOCGWINSZ;
  case SYS_fcntl:
    return !dr::asksOfOutput(int(Request)) && Request != F_DUPFD &&
           Request != F_DUPFD_CLOEXEC && Request != F_SETFD;
  case SYS_statx:
  case SYS_epoll_ctl:
    return !cameByLibrary(Call);
  case SYS_mmap:
    return !(Args[3] & MAP_ANONYMOUS);
  default:
    return true;
  }
}

/// What a call of a standard descriptor asks of it.
void CallWatch::judgeDescriptors(const seccomp_notif &Call) {
  const auto Names = [&](int Fd) { return namesDescriptor(Call.data, Fd); };
  if ((isOfDescriptors(Call.data.nr) || Names(STDIN_FILENO)) && usesInput(Call))
    Input = true;
  if ((Names(STDOUT_FILENO) || Names(STDERR_FILENO)) && asksOutput(Call) &&
      isProgram(Call.pid))
    Unkept = "asks what its standard output or standard error is, past what is "
             "recorded";
}

/// Whether names of files may lead elsewhere after \p Call than they do where
/// echo-run compares them with a plan's key; nothing: it is no call that could.
static std::optional<bool> changesNames(const seccomp_data &Call) {
  switch (Call.nr) {
  case SYS_chroot:
  case SYS_pivot_root:
  case SYS_mount:
  case SYS_move_mount:
  case SYS_umount2:
    return true;
  case SYS_unshare:
    return (Call.args[0] & (CLONE_NEWNS | CLONE_FS)) != 0;
  case SYS_setns: // 0: whatever the descriptor is of
    return !Call.args[1] || Call.args[1] & CLONE_NEWNS;
  default:
    return std::nullopt;
  }
}

Reason CallWatch::judge(const seccomp_notif &Call) {
  if (Call.data.arch != NativeCalls || Call.data.nr & 0x40000000)
    return Reason::CallsUnseen;
  const std::optional<bool> Changes = changesNames(Call.data);
  if (Changes.value_or(false))
    Unkept = "changes what names of files lead to (chroot, mount, setns)";
  if (isOfDescriptor(Call.data.nr)) {
    judgeDescriptors(Call);
    return Reason::None;
  }
  if (Changes)
    return Reason::None;
  const bool IsProgram = isProgram(Call.pid);
  // The library has seen what comes through the C library, and judges it.
  const bool IsUnseen = IsProgram && !cameByLibrary(Call);
  const auto Unseen = [&](Reason Why) { return IsUnseen ? Why : Reason::None; };
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
      return IsProgram && !IsUnseen ? Reason::None : Reason::OtherProcess;
    return Unseen(Reason::InlineCall);
  // These use the memory of who asks for them, whoever has them.
  case SYS_io_uring_setup:
    return Unseen(Reason::Ring);
  case SYS_io_setup:
    return Unseen(Reason::AioContext);
  case SYS_userfaultfd:
    return Unseen(Reason::UserFaults);
  case SYS_vmsplice:
    return Unseen(Reason::InlineCall);
  // What these answer is said of the run, and not of the program.
  case SYS_prctl:
    return Call.data.args[0] == PR_GET_SECCOMP ||
                   Call.data.args[0] == PR_GET_PDEATHSIG
               ? Reason::RunAsked
               : Reason::None;
  case SYS_seccomp:
    return Call.data.args[0] == SECCOMP_SET_MODE_FILTER &&
                   Call.data.args[1] & SECCOMP_FILTER_FLAG_NEW_LISTENER
               ? Reason::RunAsked
               : Reason::None;
  // Others may have put something there before, or do so in time.
  case SYS_shmget:
  case SYS_msgget:
  case SYS_semget:
  case SYS_mq_open:
    if (IsProgram &&
        (Call.data.nr == SYS_mq_open || Call.data.args[0] != IPC_PRIVATE))
      Unkept = "shares memory, a queue or semaphores by number or name, which "
               "are not known";
    return Reason::None;
  // A descriptor of another process may be its standard input, or any file; so
  // may what a handle stands for.
  case SYS_pidfd_getfd:
  case SYS_open_by_handle_at:
    Input = true;
    return Reason::Received;
  default:
    return judgeOpen(Call, IsUnseen);
  }
}

} // namespace echo
