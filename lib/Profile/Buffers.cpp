//===- Buffers.cpp - Which buffers a trace's copies go between ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Buffers.h. An allocation takes effect when it returns, all else when it
// is called: so a block that one thread frees while another is about to get it
// has one owner at any time.
//
//===----------------------------------------------------------------------===//
#include "Profile/Buffers.h"

#include <algorithm>

namespace echo::drtool {

using dr::How;
using dr::Record;

namespace {

class Replay {
  const Trace &T;
  BufferHistory Out;
  std::map<uint64_t, size_t> Live[2]; ///< base to buffer; host, device
  std::map<std::pair<bool, std::pair<uint64_t, uint64_t>>, uint64_t> Ordinals;

  size_t find(bool OnDevice, uint64_t Pointer, uint64_t Bytes) const {
    auto It = Live[OnDevice].upper_bound(Pointer);
    if (It == Live[OnDevice].begin())
      return TracedCopy::Nothing;
    const Buffer &B = Out.Buffers[(--It)->second];
    uint64_t Offset = Pointer - B.Base;
    return Offset < B.Bytes && Bytes <= B.Bytes - Offset ? It->second
                                                         : TracedCopy::Nothing;
  }

  void end(bool OnDevice, uint64_t Base, uint64_t When) {
    auto It = Live[OnDevice].find(Base);
    if (It == Live[OnDevice].end())
      return;
    Out.Buffers[It->second].Until = When;
    Live[OnDevice].erase(It);
  }

  void begin(bool OnDevice, const TraceRecord &R) {
    if (!R.A || !R.Bytes || R.Bytes > ~uint64_t(0) - R.A)
      return;
    if (static_cast<How>(R.Flags) == How::Registered) {
      // The memory was there before; the program pins it.
      if (size_t I = find(OnDevice, R.A, 1); I != TracedCopy::Nothing)
        Out.Buffers[I].Reasons |= uint64_t(1)
                                  << unsigned(dr::Reason::PinnedByProgram);
      return;
    }
    // What lies there was freed where nobody saw it.
    std::vector<uint64_t> Gone;
    auto It = Live[OnDevice].lower_bound(R.A);
    if (It != Live[OnDevice].begin() &&
        find(OnDevice, R.A, 1) != TracedCopy::Nothing)
      --It;
    for (; It != Live[OnDevice].end() && It->first < R.A + R.Bytes; ++It)
      Gone.push_back(It->first);
    for (uint64_t Base : Gone)
      end(OnDevice, Base, R.End);
    Buffer B;
    B.OnDevice = OnDevice;
    B.Base = R.A;
    B.Bytes = R.Bytes;
    B.Site = R.Site;
    B.Kind = static_cast<How>(R.Flags);
    B.From = R.End;
    B.Ordinal = Ordinals[{OnDevice, {R.Site, R.Bytes}}]++;
    Live[OnDevice][R.A] = Out.Buffers.size();
    Out.Buffers.push_back(B);
  }

  void named(uint64_t Address) {
    for (const bool OnDevice : {false, true})
      if (const size_t I = find(OnDevice, Address, 1); I != TracedCopy::Nothing)
        Out.Buffers[I].Copied = true;
  }

  void copy(size_t Event) {
    const TraceRecord &R = T.Events[Event];
    named(R.A);
    named(R.B);
    unsigned Direction = R.Flags & dr::CopyDirection;
    bool IsCertain = true;
    if (Direction == 0) {
      // cudaMemcpyDefault: by what the pointers are.
      bool FromDevice = find(true, R.B, R.Bytes) != TracedCopy::Nothing;
      bool ToDevice = find(true, R.A, R.Bytes) != TracedCopy::Nothing;
      if (FromDevice == ToDevice)
        return;
      Direction = ToDevice ? dr::CopyH2D : dr::CopyD2H;
      const size_t Device = find(true, ToDevice ? R.A : R.B, R.Bytes);
      IsCertain = dr::liesOnDevice(Out.Buffers[Device].Kind);
    }
    if (Direction != dr::CopyH2D && Direction != dr::CopyD2H)
      return;
    TracedCopy C;
    C.Event = Event;
    C.ToDevice = Direction == dr::CopyH2D;
    C.Async = R.Flags & dr::CopyAsync;
    C.IsCertain = IsCertain;
    uint64_t HostPointer = C.ToDevice ? R.B : R.A;
    uint64_t DevicePointer = C.ToDevice ? R.A : R.B;
    C.Host = find(false, HostPointer, R.Bytes);
    C.Device = find(true, DevicePointer, R.Bytes);
    if (C.Host != TracedCopy::Nothing)
      C.HostOffset = HostPointer - Out.Buffers[C.Host].Base;
    if (C.Device != TracedCopy::Nothing)
      C.DeviceOffset = DevicePointer - Out.Buffers[C.Device].Base;
    Out.Copies.push_back(C);
  }

  void dropOut(const TraceRecord &R) {
    if (R.Flags >= 64)
      return;
    for (bool OnDevice : {false, true}) {
      if (R.A == 0) {
        for (const auto &[Base, I] : Live[OnDevice])
          Out.Buffers[I].Reasons |= uint64_t(1) << R.Flags;
      } else if (size_t I = find(OnDevice, R.A, 1); I != TracedCopy::Nothing) {
        Out.Buffers[I].Reasons |= uint64_t(1) << R.Flags;
      }
    }
  }

public:
  explicit Replay(const Trace &T) : T(T) {}

  void add(size_t Event) {
    const TraceRecord &R = T.Events[Event];
    if (R.Status != 0)
      return;
    switch (static_cast<Record>(R.Kind)) {
    case Record::HostAlloc:
      return begin(false, R);
    case Record::HostFree:
      return end(false, R.A, R.Begin);
    case Record::DeviceAlloc:
      return begin(true, R);
    case Record::DeviceFree:
      return end(true, R.A, R.Begin);
    case Record::Copy:
      return copy(Event);
    case Record::Set: // and small copies
      return named(R.A);
    case Record::Ineligible:
      return dropOut(R);
    case Record::Reset:
      while (!Live[1].empty())
        end(true, Live[1].begin()->first, R.Begin);
      return;
    default:
      return;
    }
  }

  BufferHistory take() { return std::move(Out); }
};

} // namespace

BufferHistory followBuffers(const Trace &T) {
  auto Effect = [&](size_t I) {
    const TraceRecord &R = T.Events[I];
    const Record Kind = static_cast<Record>(R.Kind);
    return Kind == Record::HostAlloc || Kind == Record::DeviceAlloc ? R.End
                                                                    : R.Begin;
  };
  std::vector<size_t> Order(T.Events.size());
  for (size_t I = 0; I < Order.size(); ++I)
    Order[I] = I;
  std::stable_sort(Order.begin(), Order.end(),
                   [&](size_t L, size_t R) { return Effect(L) < Effect(R); });
  Replay R(T);
  for (size_t I : Order)
    R.add(I);
  BufferHistory Out = R.take();
  std::sort(Out.Copies.begin(), Out.Copies.end(),
            [](const TracedCopy &L, const TracedCopy &R) {
              return L.Event < R.Event;
            });
  return Out;
}

} // namespace echo::drtool
