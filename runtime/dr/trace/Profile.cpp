//===- Profile.cpp - The mode that records what a program does ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes nothing: each event becomes a record. Allocations under the threshold
// are left out; work and waits never are: little work is waited for as all work
// is. A copy under the threshold is recorded as work, no matter what it copies.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Clock.h"
#include "runtime/dr/Core.h"
#include "runtime/dr/interposers/Polls.h"
#include "runtime/dr/interposers/Surroundings.h"
#include "runtime/dr/trace/Writer.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

namespace echo::dr {

static bool start() {
  if (!prepareTrace())
    return false;
  listenToSites(writeSite);
  recordSurroundings();
  setenv("NVTX_INJECTION64_PATH", ownModule().Path, /*replace=*/0);
  return true;
}

static void armOwnForks() { pthread_atfork(nullptr, processForked, nullptr); }

static bool counts(uint64_t Address) {
  Range Found;
  return findDevice(reinterpret_cast<void *>(Address), Found); // NOLINT
}

/// What is too small to be a copy between buffers is work, on one of them or on
/// other memory.
static void makeSmallWork(TraceRecord &R) {
  R.Kind = static_cast<uint8_t>(Record::Set);
  R.A = counts(R.A) ? R.A : counts(R.B) ? R.B : 0;
  R.B = 0;
}

static bool isKept(Event &E) {
  switch (static_cast<Record>(E.R.Kind)) {
  case Record::HostAlloc:
  case Record::DeviceAlloc:
    return E.R.Status == 0 && E.R.Bytes >= minBytes();
  case Record::Copy:
    if (E.R.Bytes < minBytes())
      makeSmallWork(E.R);
    return true;
  case Record::Set:
    if (!counts(E.R.A))
      E.R.A = 0;
    return true;
  case Record::QueryDone:
    return E.R.Status == 0;
  default:
    return true;
  }
}

/// What programs call most. True if it is recorded by now.
static bool recordAgain(Event &E) {
  if (countLaunch(E.R))
    return true;
  stampLaunch(E);
  return false;
}

static int record(Event &E, int Status) {
  const bool Launches = static_cast<Record>(E.R.Kind) == Record::Launch;
  if (Launches && recordAgain(E)) {
    noteGpuWork();
    return Status;
  }
  if (E.Ops && Status == 0) {
    writeDevice(*E.Ops);
    writeSurroundings();
    if (Launches || static_cast<Record>(E.R.Kind) == Record::Copy)
      noteGpuWork();
  }
  if (Launches) {
    writeModuleOf(E.R.B);
    if (E.Ops && Status == 0 && !(E.R.Flags & LaunchGraph))
      writeKernel(E.R, *E.Ops);
  }
  if (isKept(E))
    writeRecord(E.R);
  return Status;
}

static void recordDropOut(const void *Pointer, Reason Why) {
  // One that is not known is smaller than what counts.
  Range Found;
  if (Pointer && !findHost(Pointer, Found) && !findDevice(Pointer, Found))
    return;
  TraceRecord R;
  R.Kind = static_cast<uint8_t>(Record::Ineligible);
  R.Flags = static_cast<uint8_t>(Why);
  R.A = reinterpret_cast<uintptr_t>(Pointer);
  R.Begin = R.End = clockNs();
  writeRecord(R);
}

/// The libraries that are loaded by now: each is a part of the plan's key.
static void recordModules() {
  if (!surroundingsWritten()) // no trace will be left
    return;
  forEachModule(
      [](const ModuleInfo &Info, void *) {
        writeModule(Info);
        return true;
      },
      nullptr);
}

static void forked() {
  traceForked();
  surroundingsForked();
}

static void childPastFork() { processStarted("a process past fork"); }

static void finish() {
  recordModules();
  TraceRecord R;
  R.Kind = static_cast<uint8_t>(Record::Exit);
  writeRecord(R);
  finishTrace();
}

const Handlers ProfileHandlers = {.start = start,
                                  .before = nullptr,
                                  .after = record,
                                  .dropOut = recordDropOut,
                                  .forked = forked,
                                  .finish = finish,
                                  .WantsCallers = true,
                                  .GuardsLaunches = true,
                                  .armForks = armOwnForks,
                                  .childUnseen = childPastFork};

} // namespace echo::dr
