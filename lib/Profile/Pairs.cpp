//===- Pairs.cpp - Pairs of buffers that copies link ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Pairs.h.
//
//===----------------------------------------------------------------------===//
#include "Profile/Pairs.h"

#include <algorithm>
#include <tuple>

namespace echo::drtool {

using dr::How;
using dr::Reason;

namespace {

using Closes::Both;
using Closes::Merging;

struct ObstacleRow {
  const char *Id, *Text;
  Closes What;
};
const ObstacleRow Obstacles[] = {
#define DR_OBSTACLE(Enum, id, closes, text) {id, text, closes},
#include "Profile/Obstacles.def"
};

using PairKey = std::tuple<uint64_t, uint64_t, uint64_t>;
PairKey keyOf(const Pair &P) { return {P.HostSite, P.DeviceSite, P.Bytes}; }

bool isPageable(How Kind) {
  return Kind == How::Malloc || Kind == How::Calloc || Kind == How::Realloc ||
         Kind == How::Memalign || Kind == How::New || Kind == How::Mmap;
}

/// One trace's pairs while they grow.
class Collector {
  const Trace &T;
  const BufferHistory &H;
  const Loop &L;
  std::map<PairKey, size_t> Places;
  std::vector<Pair> Pairs;
  struct Seen {
    std::set<size_t> Host, Device, Fresh;
  };
  std::vector<Seen> Used;

  void judgeHost(Pair &P, const Buffer &B) {
    P.HostKind = B.Kind;
    if (B.OnDevice || !isPageable(B.Kind))
      P.Obstacles.insert(B.Kind == How::Pinned ? Obstacle::AlreadyPinned
                                               : Obstacle::HostManaged);
    else if (B.Kind == How::Realloc || B.Kind == How::Mmap)
      P.Obstacles.insert(Obstacle::HostOfOtherKind);
    for (unsigned R = 1; R < 64; ++R)
      if (B.Reasons >> R & 1)
        P.HostReasons.insert(static_cast<Reason>(R));
  }

  void judgeDevice(Pair &P, const Buffer &B) {
    P.DeviceKind = B.Kind;
    if (B.Kind != How::Device)
      P.Obstacles.insert(Obstacle::DeviceOfOtherKind);
    for (unsigned R = 1; R < 64; ++R)
      if (B.Reasons >> R & 1)
        P.DeviceReasons.insert(static_cast<Reason>(R));
  }

  /// The pair of a copy, with what its two buffers have against it.
  size_t place(const TracedCopy &C) {
    Pair P;
    const Buffer *Host =
        C.Host == TracedCopy::Nothing ? nullptr : &H.Buffers[C.Host];
    const Buffer *Device =
        C.Device == TracedCopy::Nothing ? nullptr : &H.Buffers[C.Device];
    if (Host) {
      P.HostSite = Host->Site;
      P.Bytes = Host->Bytes;
    }
    bool IsWhole = Host && Device && Host->Bytes == Device->Bytes;
    if (IsWhole) {
      P.DeviceSite = Device->Site;
      P.DeviceBytes = Device->Bytes;
    }
    auto [It, IsNew] = Places.insert({keyOf(P), Pairs.size()});
    if (IsNew) {
      Pairs.push_back(P);
      Used.emplace_back();
    }
    Pair &Q = Pairs[It->second];
    if (!Host || !Host->Site)
      Q.Obstacles.insert(Obstacle::HostUnseen);
    if (Host)
      judgeHost(Q, *Host);
    if (Device)
      judgeDevice(Q, *Device);
    if (!Device || !Device->Site)
      Q.Obstacles.insert(Obstacle::DeviceUnseen);
    else if (Host && !IsWhole)
      Q.Obstacles.insert(C.DeviceOffset ? Obstacle::DevicePart
                         : C.HostOffset ? Obstacle::HostPart
                         : Device->Bytes > 2 * Host->Bytes
                             ? Obstacle::DevicePart
                             : Obstacle::SizesDiffer);
    if (IsWhole && C.HostOffset != C.DeviceOffset)
      Q.Obstacles.insert(Obstacle::Displaced);
    if (IsWhole && Host->Ordinal != Device->Ordinal)
      Q.Obstacles.insert(Obstacle::OrderDiffers);
    return It->second;
  }

  static CopySite &siteOf(Pair &P, uint64_t Site, const TracedCopy &C) {
    for (CopySite &S : P.Copies)
      if (S.Site == Site && S.ToDevice == C.ToDevice && S.Async == C.Async)
        return S;
    CopySite &S = P.Copies.emplace_back();
    S.Site = Site;
    S.ToDevice = C.ToDevice;
    S.Async = C.Async;
    return S;
  }

public:
  Collector(const Trace &T, const BufferHistory &H, const Loop &L)
      : T(T), H(H), L(L) {}

  void add(const TracedCopy &C, const CopyOrder &Order, double Ns) {
    const TraceRecord &R = T.Events[C.Event];
    size_t I = place(C);
    CopySite &S = siteOf(Pairs[I], R.Site, C);
    ++S.Count;
    S.Needed = std::max(S.Needed, Order.Needed);
    S.Bytes = R.Bytes;
    S.Least = S.Count == 1 ? R.Bytes : std::min(S.Least, R.Bytes);
    S.Most = std::max(S.Most, R.Bytes);
    Used[I].Host.insert(C.Host);
    Used[I].Device.insert(C.Device);
    if (!L.contains(R.Begin))
      return;
    ++S.Steady;
    S.SteadyBytes += R.Bytes;
    S.Ns += Ns;
    if (C.Host != TracedCopy::Nothing && L.contains(H.Buffers[C.Host].From))
      Used[I].Fresh.insert(C.Host);
  }

  std::vector<Pair> take() {
    for (size_t I = 0; I < Pairs.size(); ++I) {
      Pairs[I].HostBuffers = Used[I].Host.size();
      Pairs[I].DeviceBuffers = Used[I].Device.size();
      Pairs[I].HostMayChange = Used[I].Fresh.size() >= 2;
    }
    std::erase_if(Pairs, [](const Pair &P) {
      return std::none_of(
          P.Copies.begin(), P.Copies.end(),
          [](const CopySite &S) { return S.Count >= 2 && S.Steady >= 1; });
    });
    return std::move(Pairs);
  }
};

void sortPairs(std::vector<Pair> &Pairs) {
  std::sort(Pairs.begin(), Pairs.end(), [](const Pair &L, const Pair &R) {
    double A = L.steadyNs(), B = R.steadyNs();
    return A != B ? A > B : keyOf(L) < keyOf(R);
  });
}

} // namespace

const char *obstacleId(Obstacle O) { return Obstacles[unsigned(O)].Id; }
const char *obstacleText(Obstacle O) { return Obstacles[unsigned(O)].Text; }
Closes whatCloses(Obstacle O) { return Obstacles[unsigned(O)].What; }

const char *reasonText(Reason R) {
  switch (R) {
#define DR_REASON(name, number, text)                                          \
  case Reason::name:                                                           \
    return text;
#include "runtime/abi/DrTrace.def"
  default:
    return "dropped out for a reason that this version does not know";
  }
}

Closes whatCloses(Reason R) {
  switch (R) {
#define DR_REASON_CLOSES(Name, closes)                                         \
  case Reason::Name:                                                           \
    return closes;
#include "Profile/Obstacles.def"
  default:
    return Both;
  }
}

double Pair::steadyNs() const {
  double Ns = 0;
  for (const CopySite &S : Copies)
    Ns += S.Ns;
  return Ns;
}

uint64_t Pair::steadyCopies() const {
  uint64_t Count = 0;
  for (const CopySite &S : Copies)
    Count += S.Steady;
  return Count;
}

std::vector<Choice> Pair::open() const {
  for (Obstacle O : Obstacles)
    if (whatCloses(O) == Both)
      return {};
  for (Reason R : HostReasons)
    if (whatCloses(R) == Both)
      return {};
  std::vector<Choice> Out = {Choice::PinnedSplit};
  if (Obstacles.empty() && HostReasons.empty() && DeviceReasons.empty())
    Out.insert(Out.end(), {Choice::Mapped, Choice::Managed, Choice::System});
  return Out;
}

std::vector<Pair> findPairs(const Trace &T, const BufferHistory &H,
                            const std::vector<CopyOrder> &Orders,
                            const Loop &L) {
  const std::vector<double> Times = copyTimes(T, H, Orders);
  Collector C(T, H, L);
  for (size_t I = 0; I < H.Copies.size(); ++I)
    if (T.Events[H.Copies[I].Event].Bytes >= T.MinBytes)
      C.add(H.Copies[I], Orders[I], Times[I]);
  std::vector<Pair> Out = C.take();
  sortPairs(Out);
  return Out;
}

void joinPairs(std::vector<Pair> &Into, const std::vector<Pair> &From) {
  for (const Pair &P : From) {
    auto It = std::find_if(Into.begin(), Into.end(),
                           [&](const Pair &Q) { return keyOf(Q) == keyOf(P); });
    if (It == Into.end()) {
      Into.push_back(P);
      continue;
    }
    It->HostBuffers += P.HostBuffers;
    It->DeviceBuffers += P.DeviceBuffers;
    It->HostMayChange |= P.HostMayChange;
    It->Obstacles.insert(P.Obstacles.begin(), P.Obstacles.end());
    It->HostReasons.insert(P.HostReasons.begin(), P.HostReasons.end());
    It->DeviceReasons.insert(P.DeviceReasons.begin(), P.DeviceReasons.end());
    for (const CopySite &S : P.Copies) {
      auto Same = std::find_if(
          It->Copies.begin(), It->Copies.end(), [&](const CopySite &O) {
            return O.Site == S.Site && O.ToDevice == S.ToDevice &&
                   O.Async == S.Async;
          });
      if (Same == It->Copies.end()) {
        It->Copies.push_back(S);
        continue;
      }
      Same->Needed = std::max(Same->Needed, S.Needed);
      Same->Count += S.Count;
      Same->Steady += S.Steady;
      Same->Least = std::min(Same->Least, S.Least);
      Same->Most = std::max(Same->Most, S.Most);
      Same->SteadyBytes += S.SteadyBytes;
      Same->Ns += S.Ns;
    }
  }
  sortPairs(Into);
}

void settleRivals(std::vector<Pair> &Pairs) {
  std::set<std::pair<uint64_t, uint64_t>> Taken[2];
  for (Pair &P : Pairs) {
    if (P.Copies.size() > drplan::MostCopies)
      P.Obstacles.insert(Obstacle::ManySites);
    if (P.open().size() < 2)
      continue;
    const std::pair<uint64_t, uint64_t> Host = {P.HostSite, P.Bytes},
                                        Device = {P.DeviceSite, P.Bytes};
    if (Taken[0].count(Host) || Taken[1].count(Device)) {
      P.Obstacles.insert(Obstacle::Rival);
      continue;
    }
    Taken[0].insert(Host);
    Taken[1].insert(Device);
  }
}

} // namespace echo::drtool
