//===- IoTest.cpp - System calls that are given a closed buffer -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each call does what it would have done with an open buffer, and is seen.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/validate/Faults.h"
#include "runtime/dr/validate/Pages.h"

#include <aio.h>
#include <catch2/catch.hpp>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <functional>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <thread>
#include <unistd.h>

using namespace echo::dr;

namespace echo::dr {
extern const void *DroppedOut; ///< by the last call of dropOut
extern bool CodeIsOwn;
} // namespace echo::dr

extern "C" ssize_t __read(int Fd, void *P, size_t N); // NOLINT

namespace {

constexpr size_t Bytes = 10000;

/// A closed buffer, and two ends of a connection.
struct Closed {
  unsigned Slot = 0;
  char *H;
  int Ends[2];
  iovec Part;
  mmsghdr Message = {};

  Closed() {
    static const bool Installed = installFaultHandler();
    REQUIRE(Installed);
    H = static_cast<char *>(Watched.allocate(Bytes, 0, Slot));
    REQUIRE(H);
    memset(H, 'h', Bytes);
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, Ends) == 0);
    Part = {H + 100, 3};
    Message.msg_hdr.msg_iov = &Part;
    Message.msg_hdr.msg_iovlen = 1;
    REQUIRE(write(Ends[1], "abc", 3) == 3);
    Watched.set(Slot, Gate::Window);
    DroppedOut = nullptr;
  }
  template <class T> T *as() { return reinterpret_cast<T *>(H + 128); }
  ~Closed() {
    Watched.release(Slot);
    close(Ends[0]);
    close(Ends[1]);
  }
};

} // namespace

TEST_CASE("system calls that use a closed buffer are seen and done") {
  struct Call {
    const char *Name;
    std::function<long(Closed &)> Run;
  };
  const auto Run = GENERATE(values<Call>({
      {"read", [](Closed &C) { return read(C.Ends[0], C.H, 3); }},
      {"write", [](Closed &C) { return write(C.Ends[0], C.H, 3); }},
      {"preadv2",
       [](Closed &C) { return preadv2(C.Ends[0], &C.Part, 1, -1, 0); }},
      {"pwritev2",
       [](Closed &C) { return pwritev2(C.Ends[0], &C.Part, 1, -1, 0); }},
      {"recvmmsg",
       [](Closed &C) {
         return 3L * recvmmsg(C.Ends[0], &C.Message, 1, 0, nullptr);
       }},
      {"sendmmsg",
       [](Closed &C) { return 3L * sendmmsg(C.Ends[0], &C.Message, 1, 0); }},
      {"what comes beside a message",
       [](Closed &C) {
         char Text[3];
         iovec There = {Text, 3};
         msghdr M = {};
         M.msg_iov = &There;
         M.msg_iovlen = 1;
         M.msg_control = C.H;
         M.msg_controllen = 64;
         return recvmsg(C.Ends[0], &M, 0);
       }},
      {"the sender's address",
       [](Closed &C) {
         char Text[3];
         socklen_t Size = sizeof(sockaddr_storage);
         return recvfrom(C.Ends[0], Text, 3, 0, C.as<sockaddr>(), &Size);
       }},
      {"entries of a folder",
       [](Closed &C) {
         const int Fd = open("/", O_RDONLY | O_DIRECTORY);
         off_t At = 0;
         const ssize_t Got = getdirentries(Fd, C.H + 64, 4096, &At);
         close(Fd);
         return Got > 0 ? 3L : Got;
       }},
      {"read by its other name",
       [](Closed &C) { return __read(C.Ends[0], C.H, 3); }},
      {"process_vm_readv",
       [](Closed &C) {
         iovec There = {const_cast<char *>("xyz"), 3};
         return process_vm_readv(getpid(), &C.Part, 1, &There, 1, 0);
       }},
      {"process_vm_writev of what is read there",
       [](Closed &C) {
         char Other[3];
         iovec Here = {Other, 3};
         return process_vm_readv(getpid(), &Here, 1, &C.Part, 1, 0);
       }},
      {"getrandom", [](Closed &C) { return getrandom(C.H, 3, 0); }},
      {"an event's count",
       [](Closed &C) {
         const int Fd = eventfd(5, 0);
         const int Status = eventfd_read(Fd, C.as<eventfd_t>());
         close(Fd);
         return Status + 3L;
       }},
      {"getentropy", [](Closed &C) { return getentropy(C.H, 3) + 3L; }},
      {"setitimer's old one",
       [](Closed &C) {
         itimerval Off = {};
         return setitimer(ITIMER_VIRTUAL, &Off, C.as<itimerval>()) + 3L;
       }},
      {"prlimit's old one",
       [](Closed &C) {
         return prlimit(0, RLIMIT_CORE, nullptr, C.as<rlimit>()) + 3L;
       }},
      {"sigaltstack's old one",
       [](Closed &C) { return sigaltstack(nullptr, C.as<stack_t>()) + 3L; }},
      {"the old mask",
       [](Closed &C) {
         return sigprocmask(SIG_BLOCK, nullptr, C.as<sigset_t>()) + 3L;
       }},
      {"the third of three results",
       [](Closed &C) {
         uid_t Real, Effective;
         return getresuid(&Real, &Effective, C.as<uid_t>()) + 3L;
       }},
      {"mincore",
       [](Closed &C) {
         return mincore(C.H - reinterpret_cast<uintptr_t>(C.H) % 4096, 1,
                        C.as<unsigned char>()) +
                3L;
       }},
      {"the name by prctl",
       [](Closed &C) { return prctl(PR_GET_NAME, C.H, 0, 0, 0) + 3L; }},
      {"a socket's option",
       [](Closed &C) {
         return setsockopt(C.Ends[0], SOL_SOCKET, SO_PASSCRED, C.H, 4) + 3L;
       }},
      {"syscall(read)",
       [](Closed &C) { return syscall(SYS_read, C.Ends[0], C.H, 3L); }},
      {"syscall(preadv2)",
       [](Closed &C) {
         return syscall(SYS_preadv2, C.Ends[0], &C.Part, 1L, -1L, -1L, 0L);
       }},
      {"syscall(getrandom)",
       [](Closed &C) { return syscall(SYS_getrandom, C.H, 3L, 0L); }},
  }));
  Closed C;
  INFO(Run.Name);
  CHECK(Run.Run(C) == 3);
  CHECK(Watched.takeAccess(C.Slot).What == Trap::SystemCall);
  CHECK(C.H[50] == 'h'); // open, and nothing else was touched
}

TEST_CASE("a system call that does not use a closed buffer is not seen") {
  Closed C;
  char Other[8];
  errno = 77;
  CHECK(syscall(SYS_getpid) == getpid());
  CHECK(syscall(SYS_read, C.Ends[0], Other, 1L) == 1);
  CHECK(read(C.Ends[0], Other, 1) == 1);
  CHECK(errno == 77);
  CHECK(read(-1, Other, 1) == -1);
  CHECK(errno == EBADF);
  CHECK(Watched.takeAccess(C.Slot).What == Trap::None);
}

TEST_CASE("a word of a call that nobody gave is no use where Echo calls") {
  Closed C;
  CodeIsOwn = GENERATE(true, false);
  const bool Seen = !CodeIsOwn;
  CHECK(syscall(SYS_getpid, 0, 0, 0, 0, 0, C.H) == getpid());
  CodeIsOwn = false;
  CHECK((Watched.takeAccess(C.Slot).What == Trap::SystemCall) == Seen);
  CHECK((Watched.gate(C.Slot) == Gate::Open) == Seen);
}

TEST_CASE("a buffer that is closed while the call waits") {
  Closed C;
  char Other[3];
  REQUIRE(read(C.Ends[0], Other, 3) == 3);
  Watched.set(C.Slot, Gate::Open);
  std::thread Reader([&C] { (void)!read(C.Ends[0], C.H, 3); });
  usleep(20000); // most often it waits by then; it is seen either way
  Watched.set(C.Slot, Gate::Window);
  REQUIRE(write(C.Ends[1], "abc", 3) == 3);
  Reader.join();
  CHECK(Watched.takeAccess(C.Slot).What == Trap::SystemCall);
  // The failure shows though the buffer is open by then.
  Watched.set(C.Slot, Gate::Open);
  const bool Failed = GENERATE(false, true);
  Watched.accessedRange(C.H, 3, 0, Failed);
  CHECK((Watched.takeAccess(C.Slot).What == Trap::SystemCall) == Failed);
}

TEST_CASE("pages that the program itself closes fault in its own handler") {
  Closed C;
  Watched.set(C.Slot, Gate::Open);
  REQUIRE(pkey_mprotect(C.H, Bytes, PROT_NONE, -1) == 0);
  static sigjmp_buf Back;
  signal(SIGSEGV, [](int) { siglongjmp(Back, 1); });
  static bool Seen;
  Seen = sigsetjmp(Back, 1) != 0;
  if (!Seen)
    *static_cast<volatile char *>(C.H) = 1;
  CHECK(Seen);
  signal(SIGSEGV, SIG_DFL);
}

TEST_CASE("what the kernel uses for longer drops out") {
  Closed C;
  SECTION("a pipe of pages") {
    int Pipe[2];
    REQUIRE(pipe(Pipe) == 0);
    CHECK(vmsplice(Pipe[1], &C.Part, 1, 0) == 3);
    CHECK(DroppedOut == C.Part.iov_base);
    close(Pipe[0]);
    close(Pipe[1]);
  }
  SECTION("asynchronous I/O") {
    aiocb A = {};
    A.aio_fildes = C.Ends[0];
    A.aio_buf = C.H;
    A.aio_nbytes = 3;
    const aiocb *List[] = {&A};
    REQUIRE(aio_write(&A) == 0);
    CHECK(DroppedOut == C.H);
    REQUIRE(aio_suspend(List, 1, nullptr) == 0);
    CHECK(aio_return(&A) == 3);
  }
  SECTION("a message without a copy") {
    (void)!send(C.Ends[0], C.H, 3, 0x4000000 /* MSG_ZEROCOPY */);
    CHECK(DroppedOut == C.H);
  }
  SECTION("a message with a copy") {
    CHECK(send(C.Ends[0], C.H, 3, 0) == 3);
    CHECK(DroppedOut == nullptr);
  }
}
