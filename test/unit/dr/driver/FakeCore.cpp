//===- FakeCore.cpp - A core that remembers -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands for runtime/dr's core behind the driver interposer. It does nothing
// but remember, and skip a call when the test says so.
//
//===----------------------------------------------------------------------===//
#include "FakeCore.h"
#include "runtime/dr/Core.h"
#include "runtime/dr/Interposers.h"
#include "runtime/dr/Real.h"

#include <stdlib.h>
#include <string.h>

#define VISIBLE extern "C" __attribute__((visibility("default")))

using namespace echo::dr;

static Told Log[256];
static unsigned Count;
static bool SkipNext;
static void *SkipWith;

VISIBLE unsigned fakeCoreTold(Told *Out, unsigned Most) {
  const unsigned N = Count < Most ? Count : Most;
  memcpy(Out, Log, N * sizeof(Told));
  Count = 0;
  return N;
}

VISIBLE void fakeCoreSkip(void *Pointer) {
  SkipNext = true;
  SkipWith = Pointer;
}

void echo::rt::say(const char *, ...) {}

namespace echo::dr {

__thread unsigned Depth __attribute__((tls_model("initial-exec")));

Mode mode() { return getenv("FAKE_CORE_OFF") ? Mode::Off : Mode::Profile; }
bool staysOff() { return mode() == Mode::Off; }
bool verbose() { return false; }
void variableAsked(const char *, const void *) {}
bool isRecorded(const void *) { return false; }
void fileAsked(int, const char *, uint16_t) {}
bool isOwnCode(const void *) { return false; }
void noteCudaCall() {}
void streamUsed(uint64_t) {}
void childUnseen() {}
bool exitBegan() { return false; }
bool runtimeDlsym(void *, const char *, const void *, void *&) { return false; }
Seen seenAt(const void *) { return {}; }
bool registeredInstead(const void *, uint64_t, unsigned) { return false; }
bool unregisteredInstead(const void *) { return false; }
const void *lastObject() { return nullptr; }
void bindFrees(const void *, void *) {}

void dropOut(const void *Pointer, Reason Why) {
  Told T = {};
  T.DroppedOut = true;
  T.R.A = reinterpret_cast<uint64_t>(Pointer);
  T.R.Flags = static_cast<uint8_t>(Why);
  if (Count < 256)
    Log[Count++] = T;
}

Action before(Event &E) {
  ++Depth;
  if (!SkipNext)
    return Action::Run;
  SkipNext = false;
  --Depth;
  E.R.A = reinterpret_cast<uint64_t>(SkipWith);
  return Action::Skip;
}

int after(Event &E, int Status) {
  --Depth;
  Told T = {};
  T.Ended = true;
  T.R = E.R;
  T.R.Status = Status;
  if (Count < 256)
    Log[Count++] = T;
  return Status;
}

} // namespace echo::dr
