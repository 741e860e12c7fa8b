//===- Context.cpp - Whether a plan is for this process -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything must be as it was when the plan was made; a mismatch is a line,
// and the program runs as written.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/optimize/Context.h"
#include "runtime/abi/Machine.h"
#include "runtime/dr/DeviceUuid.h"
#include "runtime/dr/OwnProcess.h"
#include "runtime/dr/Sites.h"
#include "runtime/dr/trace/Writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace echo::dr {

static const PlanFile *ThePlan;
/// Why this process is none that was validated; null: it is one.
static const char *NotValidated;

static const PlanFile *refuse(const char *Why) {
  say("the plan is not used: %s; the program runs unchanged", Why);
  return nullptr;
}

const PlanFile *planOfThisProcess() {
  const char *Path = getenv("ECHO_DR_PLAN");
  if (!Path || !*Path)
    return refuse("ECHO_DR_PLAN names no file");
  const char *Why = nullptr;
  const char *Compared = getenv("ECHO_DR_COMPARED");
  const PlanFile *Plan =
      readPlan(Path, Why, Compared ? strtoull(Compared, nullptr, 10) : 0);
  if (!Plan)
    return refuse(Why ? Why : "it cannot be read");
  if (Plan->ExecutableHash != executableModule().Hash) {
    if (verbose())
      refuse("it is for another program");
    return nullptr;
  }
  if (!Plan->Enabled)
    return refuse("it is not enabled");
  if (Plan->Interposer != ownModule().Hash)
    return refuse("it was made with another version of libecho-dr.so");
  char Host[sizeof Plan->Host] = {};
  gethostname(Host, sizeof Host - 1);
  if (!Plan->Portable && (Plan->Machine ? Plan->Machine != machineHash()
                                        : strcmp(Plan->Host, Host) != 0))
    return refuse("it was made on another host");
  const char *Visible = getenv("CUDA_VISIBLE_DEVICES");
  if (strncmp(Plan->VisibleDevices, Visible ? Visible : "",
              sizeof Plan->VisibleDevices))
    return refuse("CUDA_VISIBLE_DEVICES is not what it was");
  static char Text[320];
  NotValidated = whyNotValidated(*Plan, ownProcess(), Text, sizeof Text);
  if (!NotValidated && Plan->Changed[0]) {
    snprintf(Text, sizeof Text, "%s was changed after it was compared",
             Plan->Changed);
    NotValidated = Text;
  }
  return ThePlan = Plan;
}

bool processHolds() {
  static bool Said; // atomic
  if (NotValidated && !__atomic_exchange_n(&Said, true, __ATOMIC_ACQ_REL))
    say("this process is none that was validated: %s; no buffers are made one; "
        "'echo-run prepare' looks again",
        NotValidated);
  return !NotValidated;
}

static bool compareDevice(const DeviceOps &Ops) {
  int Driver = 0, Runtime = 0, Device = 0;
  char Name[sizeof ThePlan->Device] = {}, Uuid[UuidBytes] = {};
  const char *Why = nullptr;
  if (!Ops.versions || Ops.versions(&Driver, &Runtime) || !Ops.currentDevice ||
      Ops.currentDevice(&Device) || !Ops.deviceName ||
      Ops.deviceName(Name, sizeof Name, Device))
    Why = "the device cannot be asked";
  else if (strcmp(Name, ThePlan->Device))
    Why = "it was made on another device";
  else if (currentUuid(Ops, Uuid),
           *ThePlan->Uuid && strcmp(Uuid, ThePlan->Uuid) != 0)
    Why = "it was made on another GPU of the same name";
  else if (static_cast<uint64_t>(Driver) != ThePlan->Driver)
    Why = "it was made with another driver";
  else if (Runtime && ThePlan->Runtime && // 0: the driver was asked
           static_cast<uint64_t>(Runtime) != ThePlan->Runtime)
    Why = "it was made with another version of the CUDA runtime";
  if (Why)
    refuse(Why);
  return !Why;
}

bool contextHolds(const DeviceOps &Ops) {
  enum { Unread, Busy, Holds, Fails };
  static int State; // atomic
  int Now = __atomic_load_n(&State, __ATOMIC_ACQUIRE);
  if (Now == Unread && Ops.isThere && !Ops.isThere())
    return false;
  int Expected = Unread;
  if (Now == Unread &&
      __atomic_compare_exchange_n(&State, &Expected, static_cast<int>(Busy),
                                  false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    Now = compareDevice(Ops) ? Holds : Fails;
    notePlanFits(Now == Holds);
    __atomic_store_n(&State, Now, __ATOMIC_RELEASE);
  }
  // While another thread asks, or finds out how, nothing is changed.
  return Now == Holds;
}

static bool has(const DeviceOps &Ops, int Attribute, int Device) {
  int Value = 0;
  return Ops.attribute && !Ops.attribute(&Value, Attribute, Device) && Value;
}

bool deviceFits(const DeviceOps &Ops, drplan::Choice C) {
  // CUdevice_attribute.
  enum {
    CanMapHost = 19,
    ManagedMemory = 83,
    Pageable = 88,
    Concurrent = 89,
    RegisterSupported = 99,
    HostTables = 100
  };
  int Device = 0;
  if (!contextHolds(Ops) || Ops.currentDevice(&Device))
    return false;
  switch (C) {
  case drplan::Choice::System:
    return has(Ops, HostTables, Device);
  case drplan::Choice::Managed:
    return has(Ops, ManagedMemory, Device) && has(Ops, Concurrent, Device);
  case drplan::Choice::Mapped:
    return has(Ops, CanMapHost, Device) && has(Ops, RegisterSupported, Device);
  case drplan::Choice::PinnedSplit:
  case drplan::Choice::PinnedQueued:
    // Where the GPU reaches pageable memory by moving it, pinned memory is
    // another kind to kernels that use the host buffer itself.
    return has(Ops, RegisterSupported, Device) &&
           (!has(Ops, Pageable, Device) || has(Ops, HostTables, Device));
  case drplan::Choice::Leave:
    break;
  }
  return false;
}

static bool wasValidated(const ModuleInfo &Info, void *Unknown) {
  const uint64_t AtPath = moduleAt(Info.Hash, Info.Path);
  for (unsigned I = 0; I != ThePlan->NumModules; ++I)
    if (ThePlan->Modules[I] == AtPath || ThePlan->Modules[I] == Info.Hash)
      return true;
  *static_cast<const char **>(Unknown) = Info.Path;
  return false;
}

bool modulesHold() {
  static uint64_t Seen; // loads so far, all of them known; atomic
  static bool Failed;   // atomic
  if (!ThePlan->NumModules)
    return true;
  const uint64_t Now = modulesLoaded();
  if (__atomic_load_n(&Failed, __ATOMIC_ACQUIRE))
    return false;
  if (Now == __atomic_load_n(&Seen, __ATOMIC_ACQUIRE))
    return true;
  const char *Unknown = "a library";
  if (forEachModule(wasValidated, &Unknown)) {
    __atomic_store_n(&Seen, Now, __ATOMIC_RELEASE);
    return true;
  }
  if (!__atomic_exchange_n(&Failed, true, __ATOMIC_ACQ_REL))
    say("%s is not what it was when the plan was validated: no buffers are "
        "made "
        "one; 'echo-run prepare' looks again",
        Unknown);
  return false;
}

bool mayPin(const DeviceOps &Ops) {
  static int Answer; // 0: not asked yet, 1: no, 2: yes; atomic
  int Known = __atomic_load_n(&Answer, __ATOMIC_ACQUIRE);
  if (!Known && contextHolds(Ops)) {
    Known = deviceFits(Ops, drplan::Choice::PinnedSplit) ? 2 : 1;
    __atomic_store_n(&Answer, Known, __ATOMIC_RELEASE);
    if (Known == 1 && verbose())
      say("nothing is pinned: the device is none that it is made for");
  }
  return Known == 2;
}

const char *reasonText(Reason Why) {
  switch (Why) {
#define DR_REASON(name, number, text)                                          \
  case Reason::name:                                                           \
    return text;
#include "runtime/abi/DrTrace.def"
  case Reason::None:
    break;
  }
  return "it is used in a way that is not followed";
}

} // namespace echo::dr
