//===- Pairs.cpp - Candidate pairs and their buffers ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Pairs.h. Every buffer is in a block of each of its pairs from its first
// byte on, alone until a partner comes, so that what happens before the first
// copy is known when that links the two.
//
//===----------------------------------------------------------------------===//
#include "runtime/check/Pairs.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include <sys/mman.h>

namespace echo::check {

/// Blocks of one pair at a time. With more, which belongs to which is a guess.
static constexpr size_t MaxBlocks = 256;

namespace {
struct State {
  std::vector<std::unique_ptr<Pair>> Pairs;
  std::map<std::tuple<std::string, uint32_t, uint32_t, Slot>, Site> Sites;
  std::unordered_map<const Place *, Site *> ByPlace[2]; ///< by side
  std::map<uintptr_t, Buffer> Buffers;                  ///< by base
  Buffer *Recent[16] = {}; ///< found before, by address
};
} // namespace

std::atomic<uint64_t> Generation{1};

static State &state() {
  static auto *S = new State; // threads outlive destructors
  return *S;
}

//===- Which pages hold buffers -------------------------------------------===//

uint8_t *Watched = nullptr;

/// Without the table nothing is watched, and no pair is said to be safe.
static void makeWatched() {
  void *P = mmap(nullptr, size_t(1) << (AddressBits - PageBits),
                 PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (P != MAP_FAILED)
    Watched = static_cast<uint8_t *>(P);
}

static void watch(const Buffer &B, int Change) {
  if (!Watched)
    return;
  for (uintptr_t P = B.Base >> PageBits; P <= (B.Base + B.Size - 1) >> PageBits;
       ++P) {
    // Buffers too many to be counted stay.
    if (Watched[P] != UINT8_MAX)
      Watched[P] = uint8_t(Watched[P] + Change);
  }
}

Buffer *findBuffer(uintptr_t Address) {
  State &S = state();
  // Loops go through a few buffers in turn.
  Buffer *&Known = S.Recent[Address >> 20 & 15];
  if (Known && Address - Known->Base < Known->Size)
    return Known;
  auto It = S.Buffers.upper_bound(Address);
  if (It == S.Buffers.begin())
    return nullptr;
  Buffer &B = (--It)->second;
  if (Address - B.Base >= B.Size)
    return nullptr;
  return Known = &B;
}

//===- Pairs and sites ----------------------------------------------------===//

const char *Pair::name(Slot S) const {
  const char *Name = S == HostSlot ? Static->hostName : Static->deviceName;
  return Name ? Name : S == HostSlot ? "the host buffer" : "the device buffer";
}

std::string Pair::sentence(const Place *Who, Slot S, bool Write) const {
  return std::string(Who             ? Who->what
                     : S == HostSlot ? "host"
                                     : "device work") +
         (Write ? " writes " : " reads ") + name(S);
}

const std::vector<std::unique_ptr<Pair>> &pairs() { return state().Pairs; }

static Site *siteAt(const Place *P, Slot S) {
  return &state().Sites[{P->file, P->line, P->column, S}];
}

void addUnit(const EchoCheckUnit &Unit) {
  if (!Watched)
    makeWatched();
  for (uint64_t I = 0; I != Unit.numPairs; ++I) {
    const EchoCheckPair &Static = Unit.pairs[I];
    Site *Sites[2] = {siteAt(Static.host, HostSlot),
                      siteAt(Static.device, DeviceSlot)};
    auto Same = [&](const std::unique_ptr<Pair> &P) {
      return P->Sites[0] == Sites[0] && P->Sites[1] == Sites[1];
    };
    auto &All = state().Pairs;
    if (std::any_of(All.begin(), All.end(), Same))
      continue;
    All.push_back(std::make_unique<Pair>());
    Pair &P = *All.back();
    P.Static = &Static;
    if (!Watched)
      P.NotFollowed.push_back(
          {"no address space for the table of watched pages (ulimit -d, -v)",
           Static.host});
    for (unsigned S : {0, 1}) {
      P.Sites[S] = Sites[S];
      const Place *At = S ? Static.device : Static.host;
      Sites[S]->File = At->file;
      Sites[S]->Line = At->line;
      Sites[S]->Column = At->column;
      Sites[S]->OnePath &= (Static.onePath >> S & 1) != 0;
      Sites[S]->Pairs.push_back(&P);
    }
  }
  for (auto &Known : state().ByPlace)
    Known.clear();
}

/// The site of some pair at \p Where that makes buffers of side \p S, or null.
static Site *knownSite(const Place *Where, Slot S) {
  auto [It, New] = state().ByPlace[S].insert({Where, nullptr});
  if (New) {
    auto Found =
        state().Sites.find({Where->file, Where->line, Where->column, S});
    if (Found != state().Sites.end())
      It->second = &Found->second;
  }
  return It->second;
}

//===- Blocks -------------------------------------------------------------===//

static void put(Block &B, Slot S, Buffer &Member, bool Moved = false) {
  ++Generation;
  B.join(S, Member, Moved);
  Member.Blocks.push_back(&B);
}

static Block *newBlock(Pair &P, const Block *Guess = nullptr,
                       Slot Kept = HostSlot) {
  if (P.Blocks.size() >= MaxBlocks) {
    if (P.NotFollowed.empty())
      P.NotFollowed.push_back(
          {"more buffers of one place than are followed", P.Static->host});
    return nullptr;
  }
  P.Blocks.push_back(Guess ? new Block(*Guess, Kept) : new Block(P));
  return P.Blocks.back();
}

static void remove(Block &B) {
  for (Slot S : {HostSlot, DeviceSlot})
    if (Buffer *Member = B.at(S))
      std::erase(Member->Blocks, &B);
  std::erase(B.Owner.Blocks, &B);
  for (Agent *A : allAgents())
    for (Agent::Recent &R : A->Buffers)
      if (std::find(R.Blocks, R.Blocks + R.NumBlocks, &B) !=
          R.Blocks + R.NumBlocks)
        addUp(R);
  B.end();
  ++Generation;
}

void addUp(Agent::Recent &R) {
  for (unsigned I = 0; I != R.NumBlocks; ++I) {
    if (R.Blocks[I]->Ended)
      continue;
    R.Blocks[I]->Seen.Accesses[R.Side] += R.Accesses;
    R.Blocks[I]->Seen.Bytes[R.Side] += R.Bytes;
  }
  R.Accesses = R.Bytes = 0;
}

/// True if the two members of \p K are partners. Two buffers that were there
/// together and had no other partner share a block even if no copy ran; but a
/// buffer that a helper made for one caller may have its partner elsewhere.
static bool arePartners(const Block &K) {
  return K.Confirmed ||
         (K.Owner.Sites[0]->OnePath && K.Owner.Sites[1]->OnePath);
}

/// Takes \p B's results, and forgets it.
static void retire(Block &B) {
  Pair &P = B.Owner;
  if (B.at(HostSlot) && B.at(DeviceSlot) && !arePartners(B)) {
    std::erase(B.at(DeviceSlot)->Blocks, &B);
    B.leave(DeviceSlot, false);
    B.forget(DeviceSlot);
  }
  for (Agent *A : allAgents())
    for (Agent::Recent &R : A->Buffers)
      addUp(R);
  if (B.Met) {
    B.settle();
    P.Total.add(B.counts());
    ++P.NumBlocks;
    if (B.Found && !P.Found)
      P.Found = std::move(B.Found);
  }
  remove(B);
}

/// How many blocks of \p P \p B is in.
static size_t numBlocks(const Buffer &B, const Pair &P) {
  return size_t(std::count_if(B.Blocks.begin(), B.Blocks.end(),
                              [&](const Block *K) { return &K->Owner == &P; }));
}

/// The buffer of \p S was no partner in \p K: the other one goes on without.
static void separate(Block &K, Slot S) {
  Buffer *Left = K.at(Slot(1 - S));
  if (!Left || numBlocks(*Left, K.Owner) > 1) {
    remove(K);
    return;
  }
  std::erase(K.at(S)->Blocks, &K);
  K.leave(S, false);
  K.forget(S);
}

/// The block of \p P in which \p Partner has room for a buffer on side \p S, or
/// could have: it has not met a partner yet, or only guesses. \p Before: one
/// that had a partner before will do, too.
static Block *roomIn(Pair &P, Buffer &Partner, Slot S, bool Before) {
  Block *Guess = nullptr;
  for (Block *B : Partner.Blocks) {
    if (&B->Owner != &P)
      continue;
    if (!B->at(S))
      return B->Met && !Before ? nullptr : B;
    if (B->Confirmed)
      return nullptr;
    Guess = B;
  }
  if (!Guess)
    return nullptr;
  Block *Twin = newBlock(P, Guess, Partner.Side);
  if (Twin)
    Partner.Blocks.push_back(Twin);
  return Twin;
}

/// Finds \p New a place in blocks of \p P: with every buffer of the other site
/// that has no partner yet; if there is none, with those whose partner is gone.
static void enter(Pair &P, Buffer &New) {
  const Slot Mine = New.Side;
  for (bool Before : {false, true}) {
    bool Placed = false;
    for (Buffer *Partner : P.Sites[1 - Mine]->Alive)
      if (Block *B = roomIn(P, *Partner, Mine, Before)) {
        put(*B, Mine, New);
        Placed = true;
      }
    if (Placed)
      return;
  }
  if (Block *Alone = newBlock(P))
    put(*Alone, Mine, New);
}

void addBuffer(uintptr_t Base, size_t Size, bool OnDevice, bool Pinned,
               const Place *Where) {
  const Slot S = OnDevice ? DeviceSlot : HostSlot;
  Site *At = Where && Size ? knownSite(Where, S) : nullptr;
  if (!At)
    return;
  dropBuffer(Base);
  Buffer &B = state().Buffers[Base];
  B.Base = Base;
  B.Size = Size;
  B.Origin = At;
  B.Side = S;
  B.Pinned = Pinned;
  watch(B, 1);
  for (Pair *P : At->Pairs)
    enter(*P, B);
  At->Alive.push_back(&B);
}

void resetDevice() {
  for (auto &P : state().Pairs)
    for (Block *K : P->Blocks)
      if (K->Met)
        K->refute("S4", {{"a reset of the device while " +
                              std::string(P->name(HostSlot)) + " or " +
                              P->name(DeviceSlot) + " is there",
                          echo_check_place}});
}

void dropBuffer(uintptr_t Base) {
  auto It = state().Buffers.find(Base);
  if (It == state().Buffers.end())
    return;
  Buffer &B = It->second;
  std::vector<Block *> Blocks = B.Blocks;
  for (Block *K : Blocks) {
    Buffer *Left = K->at(Slot(1 - B.Side));
    const bool Guess = Left && !K->Confirmed &&
                       (!arePartners(*K) || numBlocks(B, K->Owner) > 1 ||
                        numBlocks(*Left, K->Owner) > 1);
    if (Guess) {
      separate(*K, B.Side);
    } else if (Left) {
      K->settle();
      K->leave(B.Side, false);
      std::erase(B.Blocks, K);
    } else {
      retire(*K);
    }
  }
  ++Generation;
  std::erase(B.Origin->Alive, &B);
  watch(B, -1);
  std::fill(std::begin(state().Recent), std::end(state().Recent), nullptr);
  state().Buffers.erase(It);
}

void moveBuffer(uintptr_t From, uintptr_t To, size_t Size, const Place *Where) {
  auto It = state().Buffers.find(From);
  if (It == state().Buffers.end()) {
    addBuffer(To, Size, false, false, Where);
    return;
  }
  // The program asked for another size of the same buffer.
  Buffer Old = It->second;
  dropBuffer(From);
  addBuffer(To, Size, false, false, Where);
  Buffer *New = findBuffer(To);
  if (New)
    for (Block *K : New->Blocks)
      K->access(HostSlot, 0, std::min(Size, Old.Size), true, Where);
}

//===- Accesses -----------------------------------------------------------===//

/// Lets the next access of this thread find \p B at once.
static void remember(const Buffer &B, uintptr_t Address) {
  Agent::Recent &R = self().Buffers[Address >> 16 & 15];
  if (R.Base == B.Base && R.Generation == Generation)
    return;
  addUp(R);
  R.NumBlocks = 0;
  if (B.Blocks.empty() || B.Blocks.size() > 3)
    return;
  R.Base = B.Base;
  R.Size = B.Size;
  R.Side = B.Side;
  std::copy(B.Blocks.begin(), B.Blocks.end(), R.Blocks);
  R.NumBlocks = unsigned(B.Blocks.size());
  R.Generation = Generation;
}

void accessMemory(uintptr_t Address, size_t Bytes, bool Write,
                  const Place *At) {
  Buffer *B = findBuffer(Address);
  if (!B)
    return;
  size_t Low = Address - B->Base, High = std::min(Low + Bytes, B->Size);
  for (Block *K : B->Blocks)
    K->access(B->Side, Low, High, Write, At);
  remember(*B, Address);
}

/// \p K is linked by a copy: its members are partners, and no others.
static void confirm(Block &K) {
  K.settle();
  K.Confirmed = true;
  for (Slot S : {HostSlot, DeviceSlot}) {
    std::vector<Block *> Others = K.at(S)->Blocks;
    for (Block *O : Others)
      if (O != &K && (&O->Owner == &K.Owner || !K.at(S)->Origin->OnePath) &&
          !O->Confirmed && O->at(HostSlot) && O->at(DeviceSlot))
        separate(*O, S);
  }
}

/// True if \p B has a partner in \p P that a copy linked it with.
static Block *linkedBlock(Buffer &B, Pair &P) {
  for (Block *K : B.Blocks)
    if (&K->Owner == &P && K->Confirmed && K->at(HostSlot) && K->at(DeviceSlot))
      return K;
  return nullptr;
}

/// A copy between two buffers of \p P that are not known as partners: they
/// become some where both are free, and the one may take the place of a buffer
/// that is gone. Where the one has a partner and the other has none, that stays
/// apart, as it does at run time.
static Block *linkStrangers(Pair &P, Buffer &H, Buffer &D, const Place *At) {
  Block *OfHost = linkedBlock(H, P), *OfDevice = linkedBlock(D, P);
  if ((OfHost && OfDevice) || (OfDevice && H.Pinned))
    for (Block *K : {OfHost, OfDevice})
      if (K)
        K->refute("S4", {{"a copy links " + std::string(P.name(HostSlot)) +
                              " and " + P.name(DeviceSlot) +
                              ", of which one has another partner already",
                          At}});
  if (OfHost || OfDevice)
    return nullptr;
  for (Buffer *One : {&H, &D}) {
    Buffer &Other = One == &H ? D : H;
    for (Block *K : One->Blocks)
      if (&K->Owner == &P && !K->at(Other.Side)) {
        put(*K, Other.Side, Other);
        return K;
      }
  }
  return nullptr;
}

void copyMemory(uintptr_t Dst, uintptr_t Src, size_t Bytes, int Parts,
                const Place *At) {
  Buffer *To = findBuffer(Dst), *From = findBuffer(Src);
  std::vector<Block *> Linked;
  if (To && From && To->Side != From->Side) {
    size_t ToLow = Dst - To->Base, FromLow = Src - From->Base;
    Buffer &H = To->Side == HostSlot ? *To : *From;
    Buffer &D = To->Side == HostSlot ? *From : *To;
    bool Known = false;
    for (Block *K : H.Blocks) {
      if (K->at(DeviceSlot) != &D)
        continue;
      Known = true;
      if (ToLow == FromLow)
        Linked.push_back(K);
      else if (ToLow < FromLow + Bytes && FromLow < ToLow + Bytes)
        K->refute("S3", {{"a copy between the two at different offsets, which "
                          "would overlap",
                          At}});
    }
    if (!Known && ToLow == FromLow)
      for (Pair *P : H.Origin->Pairs)
        if (P->Sites[DeviceSlot] == D.Origin)
          if (Block *K = linkStrangers(*P, H, D, At))
            Linked.push_back(K);
    for (Block *K : Linked)
      if (!K->Confirmed)
        confirm(*K);
  }
  auto Access = [&](Buffer *B, uintptr_t Address, bool Write) {
    if (!B)
      return;
    size_t Low = Address - B->Base, High = std::min(Low + Bytes, B->Size);
    for (Block *K : B->Blocks)
      if (std::find(Linked.begin(), Linked.end(), K) == Linked.end())
        K->access(B->Side, Low, High, Write, At);
  };
  if (Parts & ECHO_CHECK_FROM)
    Access(From, Src, false);
  if (!(Parts & ECHO_CHECK_TO))
    return;
  Access(To, Dst, true);
  for (Block *K : Linked) {
    size_t Low = Src - From->Base;
    K->link(From->Side, Low, std::min({Low + Bytes, From->Size, To->Size}));
  }
}

void finish() {
  for (auto &P : state().Pairs)
    while (!P->Blocks.empty())
      retire(*P->Blocks.back());
}

} // namespace echo::check
