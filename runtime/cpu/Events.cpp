//===- Events.cpp - What an event stands for ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps events. See Events.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Events.h"
#include "runtime/cpu/HandlePool.h"
#include "runtime/cpu/Sanitizer.h"
#include "runtime/cpu/Scheduler.h"

namespace echo::cpu {

static HandlePool<Event> &pool() {
  static auto *P = new HandlePool<Event>;
  return *P;
}

Event *makeEvent(unsigned Flags) {
  Event *E = pool().take();
  E->Flags = Flags;
  E->Recorded = false;
  E->Magic.store(Event::AliveMagic, std::memory_order_release);
  return E;
}

static void dropCapture(Event &E) {
  E.OfCapture.store(false, std::memory_order_release);
  E.CapturedIn = nullptr;
  E.CapturedAt.clear();
}

void dropEvent(Event *E) {
  {
    HideSync Hide;
    std::lock_guard<std::mutex> Guard(E->Mutex);
    E->Magic.store(0);
    E->Marker = OpRef();
    dropCapture(*E);
  }
  pool().put(E);
}

Event *findEvent(cudaEvent_t Handle) {
  auto *E = reinterpret_cast<Event *>(Handle);
  if (!E || reinterpret_cast<uintptr_t>(E) % alignof(Event) ||
      E->Magic.load(std::memory_order_acquire) != Event::AliveMagic)
    return nullptr;
  return E;
}

Moment momentOf(Event &E) {
  HideSync Hide;
  std::lock_guard<std::mutex> Guard(E.Mutex);
  return {E.Recorded, E.timed(), E.Marker, E.Time};
}

void setMoment(Event &E, OpRef Marker) {
  HideSync Hide;
  std::lock_guard<std::mutex> Guard(E.Mutex);
  if (!Marker && E.timed())
    E.Time = nowNs();
  E.Marker = std::move(Marker);
  E.Recorded = true;
  dropCapture(E);
}

std::shared_ptr<Sequence> captureOf(Event &E, std::vector<GraphNode *> &At) {
  HideSync Hide;
  std::lock_guard<std::mutex> Guard(E.Mutex);
  At = E.CapturedAt;
  return E.CapturedIn;
}

void setCaptured(Event &E, std::shared_ptr<Sequence> In,
                 std::vector<GraphNode *> At) {
  HideSync Hide;
  std::lock_guard<std::mutex> Guard(E.Mutex);
  E.CapturedIn = std::move(In);
  E.CapturedAt = std::move(At);
  E.OfCapture.store(true, std::memory_order_release);
}

} // namespace echo::cpu
