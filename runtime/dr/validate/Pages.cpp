//===- Pages.cpp - Host buffers on pages of their own ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gate's state and the pages' protection change together under the
// buffer's spin lock, so an access that was under way while a gate closed or
// opened sees one of both and never neither.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/validate/Pages.h"

#include "runtime/dr/Core.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace echo::dr {

constinit Pages Watched;

/// A lock on a buffer. No handler of a signal comes in between: it may use the
/// buffer, hand over to another thread, or never return.
class Pages::Hold {
public:
  explicit Hold(Page &P) : P(P) {
    constexpr uint64_t AllButFaults =
        ~(uint64_t(1) << (SIGSEGV - 1) | uint64_t(1) << (SIGBUS - 1));
    setMask(&AllButFaults, &Was);
    while (__atomic_exchange_n(&P.Lock, 1, __ATOMIC_ACQUIRE))
      sched_yield();
  }
  ~Hold() {
    __atomic_store_n(&P.Lock, 0, __ATOMIC_RELEASE);
    setMask(&Was, nullptr);
  }
  Hold(const Hold &) = delete;
  Hold &operator=(const Hold &) = delete;

private:
  /// The kernel's sets have 64 signals.
  static void setMask(const uint64_t *To, uint64_t *Old) {
    const int Error = errno;
    systemCall(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(To),
               reinterpret_cast<long>(Old), sizeof *To, 0);
    errno = Error;
  }

  Page &P;
  uint64_t Was = 0;
};

static long pageBytes() { return sysconf(_SC_PAGESIZE); }
/// Buffers from half a huge page on, up to where pages that nobody uses would
/// weigh, lie on huge pages where there are some: opening and closing these
/// takes a hundredth of the time. The first few do from an eighth on.
static constexpr size_t HugeBytes = size_t(2) << 20, MostHugeBytes = size_t(64)
                                                                     << 20;
static constexpr unsigned First = 64;
static size_t leastHuge() {
  return HugeBytes / (Watched.used() < First ? 8 : 2);
}
static bool onHugePages(size_t Bytes) {
  return Bytes >= leastHuge() && Bytes <= MostHugeBytes;
}

/// Room for \p Bytes; a rest that would lie on huge pages by itself gets one.
static size_t roomFor(size_t Bytes, size_t PageBytes) {
  const size_t Pages = (Bytes + PageBytes - 1) / PageBytes * PageBytes;
  if (!onHugePages(Bytes) || Pages % HugeBytes < leastHuge())
    return Pages;
  return (Pages + HugeBytes - 1) / HugeBytes * HugeBytes;
}
static void keepSpare();

/// Enters a buffer at a free place.
bool Pages::enterFree(unsigned &Slot, void *Mapping, size_t MappedBytes,
                      uintptr_t Base, size_t Bytes) {
  keepSpare();
  unsigned I = 0;
  while (I != MaxPages && live(I))
    ++I;
  if (I == MaxPages)
    return false;
  Page &P = All[I];
  P.Bytes = Bytes;
  P.MappedBytes = MappedBytes;
  P.Mapped = Mapping;
  P.State = static_cast<uint8_t>(Gate::Open);
  P.Touched = false;
  P.Readable = false;
  notePassed(P, false);
  P.Uses = 0;
  P.Instead = nullptr;
  P.First = Access();
  noteNews(P);
  __atomic_store_n(&P.Base, Base, __ATOMIC_RELEASE);
  if (I >= used())
    __atomic_store_n(&Used, I + 1, __ATOMIC_RELEASE);
  Slot = I;
  return true;
}

void *Pages::allocate(size_t Bytes, size_t Align, unsigned &Slot) {
  const auto PageBytes = static_cast<size_t>(pageBytes());
  if (Bytes > SIZE_MAX / 4 || Align > SIZE_MAX / 4)
    return nullptr;
  const bool Huge = onHugePages(Bytes + HostSlack);
  if (Huge && Align < HugeBytes)
    Align = HugeBytes;
  const size_t Extra = Align > PageBytes ? Align : 0;
  const size_t Mapped = roomFor(Bytes + HostSlack, PageBytes) + Extra;
  void *M = mmap(nullptr, Mapped, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (M == MAP_FAILED)
    return nullptr;
  auto Base = reinterpret_cast<uintptr_t>(M);
  if (Extra)
    Base = (Base + Align - 1) / Align * Align;
  if (Huge)
    systemCall(SYS_madvise, reinterpret_cast<long>(M),
               static_cast<long>(Mapped), MADV_HUGEPAGE, 0, 0);
  if (enterFree(Slot, M, Mapped, Base, Bytes))
    return base(Slot);
  munmap(M, Mapped);
  return nullptr;
}

bool Pages::adopt(void *Mapping, size_t MappedBytes, size_t Bytes,
                  unsigned &Slot) {
  return enterFree(Slot, Mapping, MappedBytes,
                   reinterpret_cast<uintptr_t>(Mapping), Bytes);
}

void Pages::forget(unsigned Slot) {
  Page &P = All[Slot];
  Hold Own(P);
  protect(P, Gate::Open);
  __atomic_store_n(&P.Base, 0, __ATOMIC_RELEASE);
}

void Pages::release(unsigned Slot) {
  Page &P = All[Slot];
  Hold Own(P);
  protect(P, Gate::Open);
  __atomic_store_n(&P.Base, 0, __ATOMIC_RELEASE);
  munmap(P.Mapped, P.MappedBytes);
}

void Pages::forked() {
  for (Page &P : All)
    P.Lock = 0;
  if (Used == 0)
    Used = 1; // that a child calls the C library is seen without a buffer
}

void *Pages::base(unsigned Slot) const {
  const uintptr_t Base = __atomic_load_n(&All[Slot].Base, __ATOMIC_ACQUIRE);
  return reinterpret_cast<void *>(Base); // NOLINT(performance-no-int-to-ptr)
}

size_t Pages::bytes(unsigned Slot) const { return All[Slot].Bytes; }
bool Pages::live(unsigned Slot) const { return base(Slot) != nullptr; }
Gate Pages::gate(unsigned Slot) const { return state(All[Slot]); }

int Pages::overlap(const void *Base, size_t Bytes, unsigned From) const {
  const auto First = reinterpret_cast<uintptr_t>(Base);
  for (unsigned I = From; I < used(); ++I) {
    const uintptr_t Start = __atomic_load_n(&All[I].Base, __ATOMIC_ACQUIRE);
    if (Start && First < Start + All[I].Bytes &&
        (Start < First || Start - First < Bytes))
      return static_cast<int>(I);
  }
  return -1;
}

int Pages::find(const void *Address) const { return overlap(Address, 1); }

/// Mappings that are given up where the process has as many as it may have
/// (vm.max_map_count), so that a buffer can be opened all the same.
static void *Spare; ///< atomic
static constexpr size_t SparePages = 5;

static int protectPages(void *Base, size_t Bytes, int Access) {
  const int Error = errno;
  const long Status = systemCall(SYS_mprotect, reinterpret_cast<long>(Base),
                                 static_cast<long>(Bytes), Access, 0, 0);
  const int Why = Status ? errno : 0;
  errno = Error;
  return Why;
}

/// Every other page is of another kind, so that each is a mapping.
static void keepSpare() {
  if (__atomic_load_n(&Spare, __ATOMIC_RELAXED))
    return;
  const auto Page = static_cast<size_t>(pageBytes());
  void *M = mmap(nullptr, SparePages * Page, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (M == MAP_FAILED)
    return;
  for (size_t I = 1; I < SparePages; I += 2)
    protectPages(static_cast<char *>(M) + I * Page, Page, PROT_READ);
  void *None = nullptr;
  if (!__atomic_compare_exchange_n(&Spare, &None, M, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_RELAXED))
    munmap(M, SparePages * Page);
}

/// mprotect past this library's own interposer. False if the system refused.
[[nodiscard]] static bool setAccess(void *Base, size_t Bytes, int Access) {
  const int Why = protectPages(Base, Bytes, Access);
  if (Why != ENOMEM || Access == PROT_NONE)
    return !Why;
  void *Kept = __atomic_exchange_n(&Spare, nullptr, __ATOMIC_ACQ_REL);
  if (Kept)
    munmap(Kept, SparePages * static_cast<size_t>(pageBytes()));
  return Kept && !protectPages(Base, Bytes, Access);
}

/// The kernel reads a set of signals there before it finds that it is asked to
/// do nothing with them.
bool isReadable(const void *Address) {
  if (!Address) // the call would ask for the mask alone
    return false;
  constexpr long NoSuchChange = -1, SetBytes = 8;
  const int Error = errno;
  const long Status =
      systemCall(SYS_rt_sigprocmask, NoSuchChange,
                 reinterpret_cast<long>(Address), 0, SetBytes, 0);
  const bool Fails = Status == -1 && errno == EFAULT;
  errno = Error;
  return !Fails;
}

/// The buffer's first and last pages stand for all: one call changes all.
bool Pages::isAnyReadable(const Page &P) {
  const uintptr_t Last = (P.Base + P.Bytes - 1) & ~uintptr_t(7);
  return isReadable(reinterpret_cast<const void *>(P.Base)) || // NOLINT
         isReadable(reinterpret_cast<const void *>(Last));     // NOLINT
}

/// Lock held.
void Pages::enterState(Page &P, Gate G) {
  const bool Was = state(P) != Gate::Open, Will = G != Gate::Open;
  if (Was != Will) {
    if (Will)
      __atomic_add_fetch(&Closed, 1, __ATOMIC_RELAXED);
    else
      __atomic_sub_fetch(&Closed, 1, __ATOMIC_RELAXED);
  }
  __atomic_store_n(&P.State, static_cast<uint8_t>(G), __ATOMIC_RELEASE);
}

/// Lock held.
void Pages::notePassed(Page &P, bool Is) {
  if (P.Passed == Is)
    return;
  P.Passed = Is;
  if (Is)
    __atomic_add_fetch(&Passed, 1, __ATOMIC_RELAXED);
  else
    __atomic_sub_fetch(&Passed, 1, __ATOMIC_RELAXED);
}

/// Lock held. Where closing is refused the buffer is opened: a part of it may
/// be closed by then.
bool Pages::protect(Page &P, Gate G) {
  P.Readable = false;
  notePassed(P, false);
  if (state(P) == G)
    return true;
  enterState(P, G);
  if (G == Gate::Window)
    __atomic_add_fetch(&P.Windows, 1, __ATOMIC_RELAXED);
  if (G == Gate::Open)
    return setAccess(P.Mapped, P.MappedBytes, PROT_READ | PROT_WRITE);
  const int Left = G == Gate::Reads ? PROT_READ : PROT_NONE;
  if (setAccess(P.Mapped, P.MappedBytes, Left) &&
      (G == Gate::Reads || !isAnyReadable(P)))
    return true;
  protect(P, Gate::Open);
  return false;
}

bool Pages::set(unsigned Slot, Gate G) {
  Page &P = All[Slot];
  Hold Own(P);
  if (state(P) == G && G != Gate::Open && // after letRead
      !setAccess(P.Mapped, P.MappedBytes, PROT_NONE)) {
    protect(P, Gate::Open);
    return false;
  }
  return protect(P, G);
}

/// Calls \p F with each buffer, whose lock is held.
template <class F> void Pages::each(F Of) {
  for (unsigned I = 0; I != used(); ++I) {
    if (!live(I))
      continue;
    Hold Own(All[I]);
    Of(All[I]);
  }
}

void Pages::guardAgain() {
  each([this](Page &P) {
    if (P.Passed && !P.Uses && state(P) == Gate::Open)
      protect(P, Gate::Guarded);
  });
}

void Pages::endGuarding() {
  each([this](Page &P) {
    if (letsPass(state(P)))
      protect(P, Gate::Open);
  });
}

void Pages::openAll() {
  each([this](Page &P) { protect(P, Gate::Open); });
}

bool Pages::letRead(unsigned Slot) {
  Page &P = All[Slot];
  Hold Own(P);
  if (state(P) == Gate::Open || P.Readable)
    return true;
  P.Readable = setAccess(P.Mapped, P.MappedBytes, PROT_READ);
  if (P.Readable)
    return true;
  protect(P, Gate::Open);
  return false;
}

bool Pages::isShut(unsigned Slot) {
  Page &P = All[Slot];
  Hold Own(P);
  return state(P) == Gate::Open || P.Readable || !isAnyReadable(P);
}

void Pages::mapping(unsigned Slot, uintptr_t &From, size_t &MappedBytes) const {
  From = reinterpret_cast<uintptr_t>(All[Slot].Mapped);
  MappedBytes = All[Slot].MappedBytes;
}

/// Lock held. In one step: no thread sees the place without a mapping.
bool Pages::exchange(Page &P, void *Instead) {
  return systemCall(SYS_mremap, reinterpret_cast<long>(Instead),
                    static_cast<long>(P.MappedBytes),
                    static_cast<long>(P.MappedBytes),
                    MREMAP_MAYMOVE | MREMAP_FIXED,
                    reinterpret_cast<long>(P.Mapped)) != -1;
}

bool Pages::putInstead(unsigned Slot, void *Instead) {
  Hold Own(All[Slot]);
  if (state(All[Slot]) == Gate::Open)
    return false;
  All[Slot].Instead = Instead;
  return true;
}

void *Pages::takeInstead(unsigned Slot) {
  Hold Own(All[Slot]);
  void *Was = All[Slot].Instead;
  All[Slot].Instead = nullptr;
  return Was;
}

void Pages::replace(unsigned Slot, void *Instead) {
  Hold Own(All[Slot]);
  exchange(All[Slot], Instead);
  protect(All[Slot], Gate::Open);
}

bool Pages::replaceChanged(unsigned Slot, char *Other, char *Instead) {
  Page &P = All[Slot];
  Hold Own(P); // who writes meanwhile waits for it in the handler
  const bool Shut = setAccess(P.Mapped, P.MappedBytes, PROT_NONE);
  for (size_t I = 0; I != P.Bytes; ++I) {
    const char Changed = Other[I];
    Other[I] = Instead[I];
    Instead[I] = Changed;
  }
  exchange(P, Instead);
  const bool Opened =
      setAccess(P.Mapped, P.MappedBytes, PROT_READ | PROT_WRITE);
  enterState(P, Gate::Open);
  return Shut && Opened;
}

void Pages::noteNews(Page &P) {
  __atomic_store_n(&P.News, P.Touched || P.First.What != Trap::None,
                   __ATOMIC_RELEASE);
}

bool Pages::takeTouched(unsigned Slot) {
  if (!hasNews(Slot))
    return false;
  Hold Own(All[Slot]);
  const bool Was = All[Slot].Touched;
  All[Slot].Touched = false;
  noteNews(All[Slot]);
  return Was;
}

Access Pages::takeAccess(unsigned Slot) {
  if (!hasNews(Slot))
    return {};
  Hold Own(All[Slot]);
  const Access Was = All[Slot].First;
  All[Slot].First = Access();
  noteNews(All[Slot]);
  return Was;
}

static bool rejects(Gate G) { return G == Gate::Window || G == Gate::Reads; }

/// Lock held: an access to a live page. \p Late: its window closed before it
/// could be noted, and may be over. \p CloseAgain: nothing speaks against
/// guarding it again.
void Pages::enter(Page &P, const Access &A, bool Late, bool CloseAgain) {
  if ((rejects(state(P)) || Late) && P.First.What == Trap::None)
    P.First = A;
  if (state(P) == Gate::Window && P.Instead && exchange(P, P.Instead)) {
    P.First.Apart = true;
    P.Instead = nullptr;
  }
  if (state(P) == Gate::Touch)
    P.Touched = true;
  noteNews(P);
  const bool Passes = state(P) == Gate::Guarded || P.Passed;
  protect(P, Gate::Open);
  notePassed(P, Passes && CloseAgain);
}

bool Pages::await(unsigned Slot, uintptr_t Code) {
  if (!OnGuarded || gate(Slot) != Gate::Guarded)
    return false;
  const uint32_t *Windows = &All[Slot].Windows;
  const uint32_t Before = __atomic_load_n(Windows, __ATOMIC_RELAXED);
  OnGuarded(Slot, Code);
  return __atomic_load_n(Windows, __ATOMIC_RELAXED) != Before;
}

/// How often in a row this thread met an open buffer with one access. Other
/// threads open and close it; what never succeeds is no gate's doing.
static bool neverSucceeds(uintptr_t Address, uintptr_t Code, bool WasOpen) {
  static __thread struct {
    uintptr_t Address, Code;
    unsigned Times;
  } Last;
  if (!WasOpen || Last.Address != Address || Last.Code != Code)
    Last.Times = 0;
  Last.Address = Address;
  Last.Code = Code;
  return ++Last.Times > 100;
}

bool Pages::accessed(uintptr_t Address, uintptr_t Code, bool Write, Trap What) {
  for (unsigned I = 0; I < used(); ++I) {
    Page &P = All[I];
    const uintptr_t Start = __atomic_load_n(&P.Base, __ATOMIC_ACQUIRE);
    if (!Start)
      continue;
    // The slack of the mapping faults as well.
    const auto Mapped = reinterpret_cast<uintptr_t>(P.Mapped);
    if (Address - Mapped >= P.MappedBytes)
      continue;
    const bool Overtaken = await(I, Code);
    {
      Hold Own(P);
      if (P.Base != Start)
        return false;
      // Open already: another thread was first, and the access is tried again.
      if (neverSucceeds(Address, Code, state(P) == Gate::Open))
        return false;
      enter(P, {What, Code, Address, Write}, Overtaken, /*CloseAgain=*/true);
    }
    noted();
    return true;
  }
  return false;
}

void Pages::accessedRange(const void *Base, size_t Bytes, uintptr_t Code,
                          bool Failed, Use When, UsedSlots *Slots) {
  for (int I = overlap(Base, Bytes); I >= 0;
       I = overlap(Base, Bytes, static_cast<unsigned>(I) + 1)) {
    Page &P = All[I];
    const bool Overtaken = await(static_cast<unsigned>(I), Code);
    {
      Hold Own(P);
      const bool Ends = When == Use::Begins && Slots->Count != UsedSlots::Most;
      enter(P,
            {Trap::SystemCall, Code, reinterpret_cast<uintptr_t>(Base), true},
            Failed || Overtaken, Ends || When == Use::Ended);
      if (Ends) {
        ++P.Uses;
        Slots->At[Slots->Count++] = static_cast<uint16_t>(I);
      }
    }
    noted();
  }
}

void Pages::endUse(const UsedSlots &Slots) {
  for (unsigned I = 0; I != Slots.Count; ++I) {
    Page &P = All[Slots.At[I]];
    Hold Own(P);
    if (P.Uses) // else it was freed meanwhile
      --P.Uses;
  }
}

} // namespace echo::dr
