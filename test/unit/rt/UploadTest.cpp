//===- UploadTest.cpp - Uploads that go on behind their return ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which uploads echort queues, each with what keeps it from that; and that no
// memory is given away that one may still read.
//
//===----------------------------------------------------------------------===//
#include "FakeCuda.h"
#include "Fresh.h"
#include "runtime/abi/EchoRt.h"
#include "runtime/rt/Site.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

static constexpr size_t Mi = 1 << 20;
static EchoGroup G = makeGroup();
static char Device[64]; ///< stands for the program's device buffer

static void discrete() {
  fake::script().Attributes = {{18, 0}, {88, 0}, {89, 1}, {99, 1}, {100, 0}};
}
static char *host(size_t Bytes = Mi) {
  return static_cast<char *>(
      echort_acquire(&G, ECHO_HOST, Bytes, nullptr, false));
}
static void copies(void *Host, int N, size_t Bytes = Mi,
                   uint32_t Flags = ECHO_COPY_WAITED) {
  for (int I = 0; I != N; ++I) {
    realCopy(G, Host, Bytes, Flags);
  }
}
/// Part \p Offset of \p Host is copied to \p To. More than 0 if that is queued.
static int32_t upload(char *Host, size_t Offset = 0, size_t Bytes = Mi,
                      void *To = Device) {
  uint32_t Order =
      unsigned(ECHO_COPY_H2D_SYNC) | ECHO_COPY_PAGEABLE | ECHO_COPY_MAY_QUEUE;
  return echort_linking_part(&G, Order, nullptr, To, Host + Offset, Bytes,
                             nullptr, 0, Host);
}
/// A pinned host buffer whose copies were measured.
static char *ready() {
  discrete();
  char *H = host();
  copies(H, 8);
  EXPECT(fake::registered() == 1);
  return H;
}
static unsigned queued() { return fake::calls("cudaMemcpyAsync"); }

TEST_CASE("an upload is queued once its buffer is pinned and measured") {
  FRESH({}, [] {
    discrete();
    char *H = host();
    for (int I = 0; I != 8; ++I) {
      EXPECT(upload(H) == 0);
      copyEnds(ECHO_COPY_WAITED);
    }
    EXPECT(queued() == 0);
    EXPECT(upload(H) == 1);
    EXPECT(queued() == 1);
    // Of another size nothing was measured.
    EXPECT(upload(H, 0, Mi / 2) == 0);
  });
}

static uint64_t Time;

TEST_CASE("uploads are queued as long as that is not slower") {
  for (bool Slower : {false, true})
    FRESH({}, [Slower] {
      echo::rt::Clock = [] { return Time += 1000; };
      char *H = ready();
      int Queued = 0;
      for (int I = 0; I != 20; ++I) {
        bool Queues = upload(H) == 1;
        Queued += Queues;
        if (!Queues)
          copyEnds(ECHO_COPY_WAITED);
        Time += Queues == Slower ? 12000 : 8000;
      }
      EXPECT(Queued == (Slower ? 4 : 16));
      EXPECT(queued() == unsigned(Queued));
    });
}

TEST_CASE("forced, the first upload of pinned memory is queued") {
  FRESH({{"ECHO_BACKING", "pinned-split"}}, [] {
    char *H = host();
    EXPECT(upload(H) == 0); // pinned with its first copy
    copies(H, 1);
    EXPECT(upload(H) == 1);
  });
}

TEST_CASE("work in flight, an error or a second device keep it as written") {
  for (int Case : {0, 1, 2, 3, 4})
    FRESH({}, [Case] {
      char *H = ready();
      if (Case == 1)
        fake::script().Busy = true;
      if (Case == 2)
        fake::setLastError(700);
      if (Case == 3)
        fake::script().Devices = 2;
      if (Case == 4)
        fake::script().SyncError = 719;
      EXPECT(upload(H) == (Case == 0 ? 1 : 0));
      // The error is the program's: what the copy finds it tells.
      EXPECT(fake::lastError() == (Case == 2 ? 700 : 0));
    });
}

TEST_CASE("only bytes of the block are queued") {
  FRESH({}, [] {
    char *H = ready();
    EXPECT(upload(H, 1) == 0);
    EXPECT(upload(H, 0, 0) == 0);
    EXPECT(upload(H, Mi + 1, 1) == 0);
    EXPECT(upload(Device, 1, 8) == 0);
    EXPECT(upload(H) == 1);
  });
}

TEST_CASE("its own error is the copy's") {
  FRESH({}, [] {
    char *H = ready();
    EXPECT(upload(H, 0, Mi, nullptr) == 2);
    EXPECT(fake::lastError() == 1);
  });
}

TEST_CASE("a free waits for nothing, and what is read is not handed out") {
  FRESH({{"ECHO_BACKING", "pinned-split"}}, [] {
    char *H = ready();
    EXPECT(upload(H) == 1);
    fake::script().Busy = true;
    fake::takeLog();
    EXPECT(echort_release(ECHO_DEVICE, Device) == 0);
    EXPECT(echort_release(ECHO_HOST, H) == 1);
    EXPECT(fake::takeLog().empty());
    EXPECT(host() != H);
    // Nor is an idle device asked while a stream is being captured.
    fake::script().Busy = false;
    fake::script().CaptureInProgress = true;
    fake::takeLog();
    EXPECT(host() != H);
    EXPECT(fake::takeLog().empty());
    fake::script().CaptureInProgress = false;
    EXPECT(fake::lastError() == 0);
    EXPECT(host() == H);
    EXPECT(fake::lastError() == 0);
  });
}

TEST_CASE("a copy that waited, or the next upload, says what has ended") {
  for (int Case : {0, 1, 2, 3, 4})
    FRESH({{"ECHO_BACKING", "pinned-split"}}, [Case] {
      char *H = ready();
      EXPECT(upload(H) == 1);
      if (Case == 1) // failed
        fake::setLastError(1);
      if (Case == 4)
        EXPECT(upload(H) == 1); // only the one before has ended
      else                      // of no bytes, or one that does not wait
        copies(H, 1, Case == 2 ? 0 : Mi, Case == 3 ? 0 : ECHO_COPY_WAITED);
      fake::setLastError(0);
      EXPECT(echort_release(ECHO_HOST, H) == 1);
      fake::script().Busy = true;
      EXPECT((host() == H) == (Case == 0));
    });
}

TEST_CASE("a child does not queue") {
  FRESH({}, [] {
    char *H = ready();
    EXPECT(upload(H) == 1);
    pid_t Child = fork();
    if (!Child) {
      fake::takeLog();
      bool Good = upload(H) == 0 && echort_release(ECHO_HOST, H) == 1 &&
                  fake::takeLog().empty();
      _exit(Good ? 0 : 1);
    }
    int Status = 0;
    waitpid(Child, &Status, 0);
    EXPECT(WIFEXITED(Status) && WEXITSTATUS(Status) == 0);
    EXPECT(echort_release(ECHO_HOST, H) == 1);
  });
}
