//===- Project.cpp - What the files of one project hold together ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every copy from host to device or back links the two buffers that it names,
// in each caller that passes them. A copy whose direction the source does not
// show links buffers whose allocations do.
//
//===----------------------------------------------------------------------===//
#include "parse/Project.h"

#include "facts/Origins.h"

#include <algorithm>

namespace echo::survey {

const char *wordOf(Coverage C) {
  static const char *const Words[] = {"full", "partial", "unclear"};
  return Words[size_t(C)];
}

const char *wordOf(PairClass C) {
  static const char *const Words[] = {"candidate", "open", "value", "shared"};
  return Words[size_t(C)];
}

static Group groupOf(Idiom Id) { return infoOf(Id).In; }

static bool isDeviceMemory(Idiom Id) {
  return groupOf(Id) == Group::DeviceMemory ||
         groupOf(Id) == Group::DeviceLibrary;
}

PairClass Pair::kind() const {
  const Group H = groupOf(HostMemory), D = groupOf(DeviceMemory);
  if (H == Group::SharedMemory || D == Group::SharedMemory)
    return PairClass::Shared;
  if (H == Group::OneValue)
    return PairClass::Value;
  const bool HostSeen = H == Group::Heap || H == Group::Container ||
                        H == Group::PinnedHost || H == Group::Array;
  return HostSeen && isDeviceMemory(DeviceMemory) ? PairClass::Candidate
                                                  : PairClass::Open;
}

unsigned Project::countOf(Idiom Id) const {
  auto It = Idioms.find(Id);
  return It == Idioms.end() ? 0 : It->second;
}

unsigned Project::pairs(PairClass C) const {
  return unsigned(std::count_if(Pairs.begin(), Pairs.end(),
                                [C](const Pair &P) { return P.kind() == C; }));
}

bool Project::copiesExplicitly() const {
  return countOf(Idiom::CopyH2D) || countOf(Idiom::CopyD2H);
}

bool Project::sharesMemory() const {
  return countOf(Idiom::Managed) || countOf(Idiom::Mapped);
}

namespace {
class Joiner {
  const std::vector<FileFacts> &Files;
  Project &Result;
  Origins From;
  std::map<std::pair<std::string, std::string>, Pair> Pairs;
  std::set<std::pair<Idiom, Place>> Counted;

  void count(Idiom Id, const Place &At) {
    if (!Counted.insert({Id, At}).second)
      return;
    ++Result.Idioms[Id];
    ++Result.ByFile[At.File][Id];
  }
  void countBuffer(const Buffer &B, Idiom Memory) {
    const Group G = groupOf(Memory);
    if (G == Group::Array || G == Group::OneValue || G == Group::Container ||
        G == Group::DeviceLibrary)
      count(Memory, B.At);
  }
  void countCopy(const Copy &C);
  void link(const Copy &C, const CopyInstance &I);

public:
  Joiner(const std::vector<FileFacts> &Files, Project &Result)
      : Files(Files), Result(Result), From(Files) {}
  void run();
};
} // namespace

/// The kind of memory that several allocations of one buffer make; shared and
/// pinned ones come first.
static Idiom memoryOf(const std::vector<Origin> &All, const std::string &Key) {
  if (All.empty())
    return isParameter(Key) ? Idiom::PassedIn : Idiom::Unknown;
  for (Group First : {Group::SharedMemory, Group::PinnedHost})
    for (const Origin &O : All)
      if (groupOf(O.Memory) == First)
        return O.Memory;
  return All.front().Memory;
}

static bool anyEquals(const std::vector<Origin> &All, const Extent &Size) {
  return std::any_of(All.begin(), All.end(),
                     [&](const Origin &O) { return O.Size.equals(Size); });
}
static bool anyComparable(const std::vector<Origin> &All, const Extent &Size) {
  return std::any_of(All.begin(), All.end(),
                     [&](const Origin &O) { return Size.isPartOf(O.Size); });
}

/// Whether a copy of \p Size covers what \p Host and \p Device allocate.
static Coverage coverageOf(const Extent &Size, bool Offset,
                           const std::string &HostKey,
                           const std::vector<Origin> &Host,
                           const std::vector<Origin> &Device) {
  if (Offset)
    return Coverage::Partial;
  const auto &Factors = Size.Factors;
  // "v.size() * sizeof(T)" is all of v.
  const bool AllOfHost = std::find(Factors.begin(), Factors.end(),
                                   "size(" + HostKey + ")") != Factors.end();
  bool OfDevice = anyEquals(Device, Size);
  if (AllOfHost)
    for (const Origin &O : Host)
      OfDevice |= anyEquals(Device, O.Size);
  const bool OfHost = AllOfHost || anyEquals(Host, Size);
  if (OfHost && OfDevice)
    return Coverage::Full;
  return (!OfHost && anyComparable(Host, Size)) ||
                 (!OfDevice && anyComparable(Device, Size))
             ? Coverage::Partial
             : Coverage::Unclear;
}

void Joiner::countCopy(const Copy &C) {
  count(C.Direction, C.At);
  if (C.Async)
    count(Idiom::CopyAsync, C.At);
  if (C.Rows)
    count(Idiom::CopyRows, C.At);
  if (C.InLoop)
    count(Idiom::CopyInLoop, C.At);
}

void Joiner::link(const Copy &C, const CopyInstance &I) {
  std::vector<Origin> To = From.of(I.To), Source = From.of(I.From);
  bool ToDevice = C.Direction == Idiom::CopyH2D;
  if (C.Direction == Idiom::CopyUnknown) {
    const bool A = isDeviceMemory(memoryOf(To, I.To));
    const bool B = isDeviceMemory(memoryOf(Source, I.From));
    if (A == B || To.empty() || Source.empty())
      return;
    ToDevice = A;
  } else if (C.Direction != Idiom::CopyH2D && C.Direction != Idiom::CopyD2H) {
    return;
  }
  if (I.To.empty() || I.From.empty())
    return;
  // Sizes in the functions of the copy, as its callers see them.
  for (const Call *By : I.Through)
    for (auto *All : {&To, &Source})
      for (Origin &O : *All)
        O.Size = O.Size.replaced(argumentsOf(*By));
  const std::string HostKey = From.rootOf(ToDevice ? I.From : I.To);
  const std::string DeviceKey = From.rootOf(ToDevice ? I.To : I.From);
  const auto &Host = ToDevice ? Source : To, &Device = ToDevice ? To : Source;
  auto [It, New] = Pairs.try_emplace({HostKey, DeviceKey});
  Pair &P = It->second;
  if (New) {
    P.Host = From.bufferOf(HostKey);
    P.Device = From.bufferOf(DeviceKey);
    P.HostMemory = memoryOf(Host, HostKey);
    P.DeviceMemory = memoryOf(Device, DeviceKey);
    P.Size = !Device.empty() ? Device.front().Size
             : !Host.empty() ? Host.front().Size
                             : Extent::unknown();
    countBuffer(P.Host, P.HostMemory);
    countBuffer(P.Device, P.DeviceMemory);
  }
  const Coverage Now = coverageOf(I.Size, C.To.Offset || C.From.Offset,
                                  ToDevice ? I.From : I.To, Host, Device);
  P.Covers = New ? Now : std::min(P.Covers, Now);
  (ToDevice ? P.H2D : P.D2H) = true;
  P.Async |= C.Async;
  P.InLoop |= C.InLoop;
  P.Rows |= C.Rows;
  P.PassedIn |=
      !I.Through.empty() || isParameter(HostKey) || isParameter(DeviceKey);
  P.Copies.insert(C.At);
}

void Joiner::run() {
  std::set<Place> Seen;
  for (const FileFacts &F : Files) {
    ++Result.Files;
    Result.FilesWithErrors += F.Errors > 0;
    Result.MissingHeaders.insert(F.MissingHeaders.begin(),
                                 F.MissingHeaders.end());
    Result.ByFile[F.File];
    for (const Allocation &A : F.Allocations)
      if (groupOf(A.Memory) != Group::Container)
        count(A.Memory, A.At);
    for (const Use &U : F.Uses)
      count(U.What, U.At);
    for (const Copy &C : F.Copies) {
      countCopy(C);
      if (Seen.insert(C.At).second)
        for (const CopyInstance &I : From.instancesOf(C))
          link(C, I);
    }
  }
  std::set<Place> Linked;
  for (auto &[Key, P] : Pairs) {
    Linked.insert(P.Copies.begin(), P.Copies.end());
    Result.Pairs.push_back(std::move(P));
  }
  Result.LinkedCopies = unsigned(Linked.size());
  std::sort(Result.Pairs.begin(), Result.Pairs.end(),
            [](const Pair &A, const Pair &B) {
              return *A.Copies.begin() < *B.Copies.begin();
            });
}

Project joinProject(std::string Name, const std::vector<FileFacts> &Files) {
  Project Result;
  Result.Name = std::move(Name);
  Joiner(Files, Result).run();
  return Result;
}

} // namespace echo::survey
