//===- CallFilter.cpp - Makes the system ask about calls ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CallFilter.h. Calls of another kind of program (32 bits) have other
// numbers: all of them are asked about. The filter itself never refuses a call.
//
//===----------------------------------------------------------------------===//
#include "CallFilter.h"

#include "runtime/abi/CallWatch.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace echo {

#if defined(__x86_64__)
const uint32_t NativeCalls = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
const uint32_t NativeCalls = AUDIT_ARCH_AARCH64;
#endif

static const uint32_t Asked[] = {
#ifdef SYS_open
    SYS_open,
    SYS_creat,
#endif
    SYS_openat2,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_io_uring_setup,
    SYS_io_setup,
    SYS_userfaultfd,
    SYS_vmsplice,
    SYS_pidfd_getfd,
    SYS_open_by_handle_at,
    SYS_prctl,
    SYS_seccomp,
    SYS_shmget,
    SYS_msgget,
    SYS_semget,
    SYS_mq_open,
    SYS_chroot,
    SYS_pivot_root,
    SYS_mount,
    SYS_move_mount,
    SYS_umount2,
    SYS_unshare,
    SYS_setns};

namespace {
/// A call of which some arguments may be standard descriptors.
struct DescriptorCall {
  uint32_t Number;
  unsigned Arguments = 1; ///< a bit for each: 1 is the first
  /// Asked about where that is an output, too: not what writes, nor what the
  /// library keeps by itself, as the C library asks by it for itself.
  bool OfOutputs = true;
};
} // namespace

/// What writes, waits or changes something fails by what the descriptor is; so
/// it asks as well. A folder may be standard input, too.
static const DescriptorCall OfDescriptor[] = {
#ifdef SYS_dup2
    {SYS_dup2, 1, false},
#endif
#ifdef SYS_renameat
    {SYS_renameat, 1 | 1 << 2},
#endif
#ifdef SYS_epoll_wait
    {SYS_epoll_wait},
#endif
    {SYS_read, 1, false},
    {SYS_readv, 1, false},
    {SYS_pread64},
    {SYS_preadv},
    {SYS_preadv2},
    {SYS_write, 1, false},
    {SYS_writev, 1, false},
    {SYS_pwrite64},
    {SYS_pwritev},
    {SYS_pwritev2},
    {SYS_recvfrom},
    {SYS_recvmsg},
    {SYS_recvmmsg},
    {SYS_sendto},
    {SYS_sendmsg},
    {SYS_sendmmsg},
    {SYS_bind},
    {SYS_connect},
    {SYS_listen},
    {SYS_accept},
    {SYS_accept4},
    {SYS_shutdown},
    {SYS_setsockopt},
    {SYS_getsockopt},
    {SYS_getsockname},
    {SYS_getpeername},
    {SYS_splice, 1 | 1 << 2},
    {SYS_tee, 1 | 1 << 1},
    {SYS_sendfile, 1 | 1 << 1},
    {SYS_copy_file_range, 1 | 1 << 2},
    {SYS_ioctl},
    {SYS_dup, 1, false},
    {SYS_dup3, 1, false},
    {SYS_fcntl},
    {SYS_flock},
    {SYS_lseek, 1, false},
    {SYS_fsync},
    {SYS_fdatasync},
    {SYS_sync_file_range},
    {SYS_syncfs},
    {SYS_ftruncate},
    {SYS_fallocate},
    {SYS_fadvise64},
    {SYS_readahead},
    {SYS_fstat, 1, false},
    {SYS_statx},
    {SYS_newfstatat, 1, false},
    {SYS_fstatfs},
    {SYS_fchmod},
    {SYS_fchown},
    {SYS_utimensat},
    {SYS_fgetxattr},
    {SYS_fsetxattr},
    {SYS_flistxattr},
    {SYS_fremovexattr},
    {SYS_name_to_handle_at},
    {SYS_fchdir},
    {SYS_getdents64},
    {SYS_faccessat},
    {SYS_fchmodat},
    {SYS_fchownat},
    {SYS_readlinkat},
    {SYS_mkdirat},
    {SYS_mknodat},
    {SYS_unlinkat},
    {SYS_symlinkat, 1 << 1},
    {SYS_linkat, 1 | 1 << 2},
    {SYS_renameat2, 1 | 1 << 2},
    {SYS_execveat},
    {SYS_epoll_ctl, 1 | 1 << 2},
    {SYS_epoll_pwait},
    {SYS_inotify_add_watch},
    {SYS_timerfd_settime},
    {SYS_timerfd_gettime},
    {SYS_signalfd4},
    {SYS_setns},
    {SYS_mmap, 1 << 4}};

/// Calls that name descriptors in memory.
static const uint32_t OfDescriptors[] = {
#ifdef SYS_poll
    SYS_poll,
#endif
#ifdef SYS_select
    SYS_select,
#endif
    SYS_ppoll, SYS_pselect6};

template <class T> static bool isIn(const T &Numbers, int Number) {
  return std::find(std::begin(Numbers), std::end(Numbers), uint32_t(Number)) !=
         std::end(Numbers);
}

bool isOfDescriptor(int Number) {
  return isOfDescriptors(Number) ||
         std::any_of(
             std::begin(OfDescriptor), std::end(OfDescriptor),
             [&](const auto &Row) { return int(Row.Number) == Number; });
}

bool isOfDescriptors(int Number) { return isIn(OfDescriptors, Number); }

bool namesDescriptor(const seccomp_data &Call, int Fd) {
  for (const DescriptorCall &Row : OfDescriptor)
    for (unsigned Argument = 0; Argument != 6; ++Argument)
      if (int(Row.Number) == Call.nr && Row.Arguments & 1u << Argument &&
          int(Call.args[Argument]) == Fd)
        return true;
  return false;
}

/// The filter's program. Each test jumps over one answer, or does not.
static std::vector<sock_filter> program() {
  const sock_filter Ask = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
  const sock_filter Allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  auto Load = [](size_t At) -> sock_filter {
    return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(At));
  };
  auto Unless = [](uint16_t Test, uint32_t Value) -> sock_filter {
    return BPF_JUMP(static_cast<uint16_t>(BPF_JMP | Test | BPF_K), Value, 0, 1);
  };
  auto If = [](uint16_t Test, uint32_t Value) -> sock_filter {
    return BPF_JUMP(static_cast<uint16_t>(BPF_JMP | Test | BPF_K), Value, 1, 0);
  };
  constexpr uint32_t OtherNumbers = 0x40000000; // of programs for x32
  std::vector<sock_filter> P = {
      Load(offsetof(seccomp_data, arch)), If(BPF_JEQ, NativeCalls),      Ask,
      Load(offsetof(seccomp_data, nr)),   Unless(BPF_JGE, OtherNumbers), Ask};
  for (const uint32_t Number : Asked) {
    P.push_back(Unless(BPF_JEQ, Number));
    P.push_back(Ask);
  }
  constexpr size_t Mark = offsetof(seccomp_data, args) + 4 * sizeof(uint64_t);
  for (const DescriptorCall &Call : OfDescriptor) {
    constexpr uint8_t Rest = 5; // what follows the tests of arguments
    auto Left = static_cast<uint8_t>(2 * __builtin_popcount(Call.Arguments));
    P.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, Call.Number, 0,
                         static_cast<uint8_t>(Left + Rest)));
    for (unsigned Argument = 0; Argument != 6; ++Argument) {
      if (!(Call.Arguments & 1u << Argument))
        continue;
      P.push_back(
          Load(offsetof(seccomp_data, args) + Argument * sizeof(uint64_t)));
      Left = static_cast<uint8_t>(Left - 2);
      // AT_FDCWD and -1 are large numbers.
      P.push_back(
          BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K,
                   uint32_t(Call.OfOutputs ? STDERR_FILENO : STDIN_FILENO), 0,
                   static_cast<uint8_t>(Left + 1)));
    }
    P.push_back(Allow);
    P.push_back(Load(Mark));
    P.push_back(If(BPF_JEQ, dr::OwnCall));
    P.push_back(Ask);
    P.push_back(Allow);
  }
  for (const uint32_t Number : OfDescriptors) {
    P.push_back(Unless(BPF_JEQ, Number));
    P.push_back(Ask);
  }
  P.push_back(If(BPF_JEQ, SYS_openat));
  P.push_back(Allow);
  P.push_back(Load(Mark));
  P.push_back(Unless(BPF_JEQ, dr::OwnCall));
  P.push_back(Allow);
  P.push_back(Ask);
  return P;
}

int setCallFilter() {
  std::vector<sock_filter> Code = program();
  const sock_fprog P = {static_cast<unsigned short>(Code.size()), Code.data()};
  // A program does not get slower by being asked (before Linux 5.16), and a
  // signal that does not end it does not interrupt a call (since 5.19).
  constexpr unsigned WaitKillable = 1 << 5;
  constexpr unsigned Listen =
      SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
  for (const bool MayGainRights : {true, false}) {
    // Without the right to set filters, no program may gain rights.
    if (!MayGainRights && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
      return -1;
    for (const unsigned Flags : {Listen | WaitKillable, Listen}) {
      const long Fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, Flags, &P);
      if (Fd >= 0)
        return static_cast<int>(Fd);
    }
  }
  return -1;
}

} // namespace echo
