//===- BypassTest.cpp - What uses memory past page protection -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of descriptors and mappings, the looks at this process itself, and
// pages that the system refuses to close. Each with a twin that is harmless.
//
//===----------------------------------------------------------------------===//
#include "RulesProgram.h"

#include "runtime/dr/validate/Bypass.h"

#include <fcntl.h>
#include <functional>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace echo::dr;

namespace {

Reason look(bool All, int *Replaced = nullptr) {
  return findBypass(
      All,
      [](unsigned Slot, void *Data) {
        if (Data)
          *static_cast<int *>(Data) = static_cast<int>(Slot);
      },
      Replaced);
}

/// What \p Body returns in a child of its own, which may spoil its process.
int inChild(const std::function<int()> &Body) {
  const pid_t Child = fork();
  if (!Child)
    _exit(Body());
  int Status = 0;
  waitpid(Child, &Status, 0);
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : -1;
}

/// mprotect is answered with \p Error, 0 for success, from here on.
void refuseProtection(unsigned Error) {
  sock_filter F[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
                     BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 1),
                     BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | Error),
                     BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  sock_fprog P = {4, F};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &P);
}

/// Writes \p Text over \p At without a fault.
void writePast(void *At, const char *Text) {
  const int Memory = open("/proc/self/mem", O_RDWR);
  REQUIRE(pwrite(Memory, Text, strlen(Text),
                 static_cast<off_t>(reinterpret_cast<uintptr_t>(At))) > 0);
  close(Memory);
}

} // namespace

TEST_CASE("names of descriptors and mappings") {
  struct Named {
    const char *Path;
    Reason What;
  };
  const auto N = GENERATE(values<Named>({
      {"anon_inode:[io_uring]", Reason::Ring},
      {"anon_inode:[userfaultfd]", Reason::UserFaults},
      {"/[aio] (deleted)", Reason::AioContext},
      {"/proc/12/mem", Reason::MemoryFile},
      {"/proc/12/task/13/mem", Reason::MemoryFile},
      {"/dev/infiniband/uverbs0", Reason::DirectDevice},
      {"/dev/nvidia-fs3", Reason::DirectDevice},
      {"/dev/xpmem", Reason::DirectDevice},
      {"/dev/vfio/12", Reason::DirectDevice},
      {"anon_inode:[vfio-device]", Reason::DirectDevice},
      {"/dev/video0", Reason::DirectDevice},
      {"/dmabuf:", Reason::DirectDevice},
      {"anon_inode:[eventpoll]", Reason::None},
      {"anon_inode:[eventfd]", Reason::None},
      {"/proc/12/maps", Reason::None},
      {"/home/user/mem", Reason::None},
      {"/proc/12/cwd/mem.txt", Reason::None},
      {"/dev/nvidia0", Reason::None},
      {"/dev/nvidia-uvm", Reason::None},
      {"/dev/nvidia-caps/nvidia-cap1", Reason::None},
      {"/dev/null", Reason::None},
      {"/dev/pts/3", Reason::None},
      {"/dev/shm/queue", Reason::None},
      {"/dev/zero (deleted)", Reason::None}, // shared anonymous memory
      {"/dev/shm/queue (deleted)", Reason::None},
      {"/memfd:pool (deleted)", Reason::None},
      {"/dev/infiniband/uverbs0 (deleted)", Reason::DirectDevice},
      {"/proc/12/mem (deleted)", Reason::MemoryFile},
      {"socket:[77]", Reason::None},
      {"/home/user/data [io] (deleted)", Reason::None},
  }));
  INFO(N.Path);
  CHECK(bypassNamed(N.Path) == N.What);
}

TEST_CASE("a process that has something open is seen, and so is its end") {
  REQUIRE(look(true) == Reason::None);
  SECTION("a ring") {
    io_uring_params P = {};
    const int Ring = static_cast<int>(syscall(SYS_io_uring_setup, 4, &P));
    if (Ring < 0)
      return; // forbidden here
    CHECK(bypassOf(Ring) == Reason::Ring);
    CHECK(look(false) == Reason::Ring);
    close(Ring);
  }
  SECTION("its memory") {
    const int Memory = open("/proc/self/mem", O_RDONLY);
    CHECK(bypassOf(Memory) == Reason::MemoryFile);
    CHECK(look(false) == Reason::MemoryFile);
    close(Memory);
  }
  SECTION("a context of asynchronous I/O") {
    unsigned long Context = 0;
    REQUIRE(syscall(SYS_io_setup, 4, &Context) == 0);
    CHECK(look(false) == Reason::AioContext);
    syscall(SYS_io_destroy, Context);
  }
  SECTION("an ordinary file") {
    const int File = open("/proc/self/status", O_RDONLY);
    CHECK(bypassOf(File) == Reason::None);
    CHECK(look(false) == Reason::None);
    close(File);
  }
  CHECK(look(true) == Reason::None);
}

TEST_CASE("shared anonymous memory, which CUDA's driver maps, is no device") {
  const auto Map = [](int Flags) {
    return mmap(nullptr, 4096, PROT_READ | PROT_WRITE, Flags, -1, 0);
  };
  void *Shared = Map(MAP_SHARED | MAP_ANONYMOUS);
  REQUIRE(Shared != MAP_FAILED);
  CHECK(look(true) == Reason::None);
  munmap(Shared, 4096);
}

TEST_CASE("another mapping over a buffer's pages is seen") {
  unsigned Slot = 0;
  auto *H = static_cast<char *>(Watched.allocate(1 << 16, 0, Slot));
  REQUIRE(H);
  const bool Over = GENERATE(true, false), Shared = GENERATE(true, false);
  char *At = Over ? H + 8192 : nullptr;
  const int File = memfd_create("other", 0);
  REQUIRE(ftruncate(File, 4096) == 0);
  void *M = mmap(At, 4096, PROT_READ | PROT_WRITE,
                 (Shared ? MAP_SHARED : MAP_PRIVATE) | (Over ? MAP_FIXED : 0),
                 File, 0);
  REQUIRE(M != MAP_FAILED);
  int Replaced = -1;
  CHECK(look(true, &Replaced) == Reason::None);
  CHECK(Replaced == (Over ? static_cast<int>(Slot) : -1));
  if (!Over)
    munmap(M, 4096);
  close(File);
  Watched.release(Slot);
}

TEST_CASE("pages that the system does not close are open, and that is told") {
  // 1 and 0: set() answers so; the gate is what it says.
  const auto Closes = [] {
    unsigned Slot = 0;
    if (!Watched.allocate(Bytes, 0, Slot))
      return 3;
    const bool Told = Watched.set(Slot, Gate::Window);
    const bool Shut = Watched.gate(Slot) == Gate::Window;
    return Told == Shut ? int(Told) : 2;
  };
  CHECK(inChild(Closes) == 1);
  SECTION("refused") {
    CHECK(inChild([&] { return refuseProtection(EPERM), Closes(); }) == 0);
  }
  SECTION("not done, and said to be") {
    CHECK(inChild([&] { return refuseProtection(0), Closes(); }) == 0);
  }
  SECTION("there are as many mappings as there may be") {
    const auto Fill = [] {
      int Kind = 0;
      while (mmap(nullptr, 4096, ++Kind & 1 ? PROT_READ : PROT_NONE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) {
      }
    };
    const int Most = inChild([&] {
      unsigned A = 0, B = 0;
      // Side by side, so that one of them cannot be closed without the other.
      if (!Watched.allocate(Bytes, 0, A) || !Watched.allocate(Bytes, 0, B))
        return 3;
      Fill();
      const bool Closed = Watched.set(A, Gate::Window);
      return Closed == (Watched.gate(A) == Gate::Window) ? int(Closed) : 2;
    });
    CHECK(Most < 2);
    // What was closed before opens all the same.
    CHECK(inChild([&] {
            unsigned A = 0, B = 0;
            auto *H = static_cast<char *>(Watched.allocate(Bytes, 0, A));
            if (!H || !Watched.allocate(Bytes, 0, B))
              return 3;
            Watched.set(A, Gate::Window);
            Watched.set(B, Gate::Window);
            Fill();
            Watched.set(A, Gate::Open);
            H[5] = 1;
            return int(H[5]);
          }) == 1);
  }
}

TEST_CASE("pages that somebody else opened are no closed ones") {
  unsigned Slot = 0;
  auto *H = static_cast<char *>(Watched.allocate(Bytes, 0, Slot));
  REQUIRE(Watched.set(Slot, Gate::Window));
  CHECK(Watched.isShut(Slot));
  CHECK(Watched.letRead(Slot));
  CHECK(Watched.isShut(Slot)); // Echo itself reads
  REQUIRE(Watched.set(Slot, Gate::Window));
  CHECK(Watched.isShut(Slot));
  REQUIRE(mprotect(H, 4096, PROT_READ | PROT_WRITE) == 0);
  CHECK_FALSE(Watched.isShut(Slot));
  Watched.release(Slot);
}

TEST_CASE("what changes in a window without an access rejects its pair") {
  Program P;
  char *H = P.host(InHost), *D = P.device(InDevice);
  char *O = P.host(OutHost), *E = P.device(OutDevice);
  // Neither, the input, the output; the input while it is copied.
  const int Which = GENERATE(0, 1, 2, 3);
  for (int I = 0; I != 4; ++I) {
    memset(H, I, Bytes);
    P.copy(D, H, CopyH2D, Bytes, 0, [&] {
      if (Which == 3 && I == 2)
        writePast(H + 100, "xyz");
    });
    P.launch([&] { memset(E, D[1] + 1, Bytes); });
    if (Which && Which != 3 && I == 2)
      writePast(Which == 1 ? H + 100 : O + 100, "xyz");
    P.copy(O, E, CopyD2H);
    CHECK(O[7] == I + 1);
    P.sync();
  }
  const bool InChanged = Which == 1 || Which == 3;
  CHECK(P.in() == (InChanged ? Trap::DroppedOut : Trap::None));
  CHECK(P.out() == (Which == 2 ? Trap::DroppedOut : Trap::None));
  CHECK(P.passes(0) == !InChanged);
  CHECK(P.passes(1) == (Which != 2));
}

TEST_CASE("a program that watches the GPU at work") {
  Program P;
  char *H = P.host(InHost), *D = P.device(InDevice);
  bool Polls = true;
  Event E;
  SECTION("by a query") { E = P.make(Record::QueryDone, 0, 0, 0, 0x50); }
  SECTION("by a host function") { E = P.make(Record::HostFunc); }
  SECTION("by a small piece of pinned memory") {
    E = P.make(Record::HostAlloc, 0, 0, 4);
    E.R.Flags = static_cast<uint8_t>(How::Pinned);
  }
  SECTION("by memory that is to be mapped") {
    E = P.make(Record::HostAlloc, 0, 0, 4 * Bytes);
    E.R.Flags = static_cast<uint8_t>(How::Pinned);
    E.Special = true;
  }
  SECTION("by a small piece of managed memory") {
    E = P.make(Record::DeviceAlloc, 0, 0, 4);
    E.R.Flags = static_cast<uint8_t>(How::Managed);
  }
  SECTION("or not: large pinned memory") {
    E = P.make(Record::HostAlloc, 0, 0, 4 * Bytes);
    E.R.Flags = static_cast<uint8_t>(How::Pinned);
    Polls = false;
  }
  SECTION("or not: an event") {
    E = P.make(Record::EventRecord, 5);
    Polls = false;
  }
  if (static_cast<Record>(E.R.Kind) != Record::HostAlloc || P.R->concerns(E))
    P.run(E);
  for (int I = 0; I != 3; ++I) {
    memset(H, I, Bytes);
    P.copy(D, H, CopyH2D);
    P.launch([] {});
    P.sync();
  }
  CHECK(P.in() == (Polls ? Trap::DroppedOut : Trap::None));
  CHECK(P.passes(0) == !Polls);
}
