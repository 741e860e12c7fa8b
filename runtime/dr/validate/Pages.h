//===- Pages.h - Host buffers on pages of their own -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host buffers that validation watches. Each has a mapping of its own,
// which can be closed to the host. A closed buffer opens by itself at the first
// access, which is remembered: nothing the program does here fails. This part
// knows pages and accesses alone, not why a buffer is closed. It is entered by
// the SIGSEGV handler, so it takes no lock but a spin lock per buffer, which is
// held over mprotect alone. It never calls a buffer closed that is not: where
// the system refuses to close pages (a seccomp filter, vm.max_map_count), or
// only says that it did, the buffer is open and the caller learns of it.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_VALIDATE_PAGES_H
#define ECHO_RUNTIME_DR_VALIDATE_PAGES_H

#include "runtime/abi/DrTrace.h"

#include <stddef.h>
#include <stdint.h>

namespace echo::dr {

enum class Gate : uint8_t {
  Open,    ///< the host may use it
  Guarded, ///< the same, but one thread's first access may have to wait
  Touch,   ///< closed; an access is noted and harmless
  Window,  ///< closed; an access rejects the pair
  Reads,   ///< closed to writes; one rejects the pair
};

/// Whether nothing speaks against a use by the host.
inline bool letsPass(Gate G) { return G == Gate::Open || G == Gate::Guarded; }

/// The first access that found a window closed.
struct Access {
  Trap What = Trap::None;
  uintptr_t Code = 0, Address = 0;
  bool Write = false;
  /// The buffer is apart now and holds what it held when it was closed.
  bool Apart = false;
};

inline constexpr unsigned MaxPages = 1024;

/// The buffers that a system call uses while it lasts.
struct UsedSlots {
  static constexpr unsigned Most = 8;
  uint16_t At[Most] = {};
  unsigned Count = 0;
};

/// When a range is used.
enum class Use : uint8_t {
  Once,   ///< from now on, by a call whose end is not seen
  Begins, ///< by a call that ends with endUse()
  Ended,  ///< by a call that has returned
};

class Pages {
public:
  /// A fresh zeroed buffer of \p Bytes; null if there is no room. \p Slot is
  /// its number.
  void *allocate(size_t Bytes, size_t Align, unsigned &Slot);
  void release(unsigned Slot);
  /// Takes a mapping that is there as a buffer. False if there is no room.
  bool adopt(void *Mapping, size_t MappedBytes, size_t Bytes, unsigned &Slot);
  /// Forgets an adopted buffer and leaves its mapping as it is, opened.
  void forget(unsigned Slot);
  /// The slot whose bytes (not its mapping's slack) contain \p Address, or -1.
  int find(const void *Address) const;
  /// A slot that shares a byte with the range, at or after \p From, or -1.
  int overlap(const void *Base, size_t Bytes, unsigned From = 0) const;

  /// False if the buffer could not be closed: it is open then.
  bool set(unsigned Slot, Gate G);
  /// Opens whatever is closed.
  void openAll();
  /// What an access has opened that was guarded is guarded again, unless a
  /// system call uses it just now.
  void guardAgain();
  /// Opens what is guarded, or may be again.
  void endGuarding();
  /// True if there may be a buffer that is guarded again: a quick look.
  bool anyPassed() const {
    return __atomic_load_n(&Passed, __ATOMIC_RELAXED) != 0;
  }
  Gate gate(unsigned Slot) const;
  /// Lets Echo itself read, and nobody write, a closed buffer. False if the
  /// system refused: the buffer is open then.
  bool letRead(unsigned Slot);
  /// False if a closed buffer can be read without letRead(): its pages are
  /// others by now, or somebody opened them.
  bool isShut(unsigned Slot);
  /// What the buffer's mapping is, with its slack.
  void mapping(unsigned Slot, uintptr_t &From, size_t &MappedBytes) const;
  /// The mapping \p Instead, as large as the buffer's, takes the place of
  /// the closed buffer's at the first access. False if it is open again.
  bool putInstead(unsigned Slot, void *Instead);
  /// What putInstead() was given, if it was not used; it is the caller's again.
  void *takeInstead(unsigned Slot);
  /// \p Instead takes the place of the buffer's mapping now, and it opens.
  void replace(unsigned Slot, void *Instead);
  /// The same, and the buffer's other mapping \p Other gets what \p Instead
  /// held, which gets what the buffer holds: no write of a thread is lost.
  /// False if the system refused to close the pages meanwhile: one may be.
  bool replaceChanged(unsigned Slot, char *Other, char *Instead);

  /// True once after an access in state Touch.
  bool takeTouched(unsigned Slot);
  /// The access that the last window met; What is None if none did.
  Access takeAccess(unsigned Slot);

  /// An access at \p Address. False if it is in no closed buffer, or one that
  /// the program closed itself; else the buffer is open now.
  bool accessed(uintptr_t Address, uintptr_t Code, bool Write, Trap What);
  /// The same for a range that a system call uses, or could not use
  /// (\p Failed), though it may be open by now. Where its use Begins, \p Slots
  /// gets what endUse() needs.
  void accessedRange(const void *Base, size_t Bytes, uintptr_t Code,
                     bool Failed = false, Use When = Use::Once,
                     UsedSlots *Slots = nullptr);
  void endUse(const UsedSlots &Slots);
  /// Called after each access that was noted, on its thread, without a lock.
  void (*OnAccess)() = nullptr;
  /// Called before an access to a guarded buffer goes on, in the same way.
  void (*OnGuarded)(unsigned Slot, uintptr_t Code) = nullptr;
  /// True if any buffer is closed: a quick look.
  bool anyClosed() const {
    return __atomic_load_n(&Closed, __ATOMIC_RELAXED) != 0;
  }
  /// True if any buffer is closed, or may close at any time.
  bool anyCloses() const { return anyClosed() || anyPassed(); }

  /// In the child of a fork: threads that held a lock are not here.
  void forked();

  void *base(unsigned Slot) const;
  size_t bytes(unsigned Slot) const;
  bool live(unsigned Slot) const;
  /// Slots at or above this were never used.
  unsigned used() const { return __atomic_load_n(&Used, __ATOMIC_ACQUIRE); }

private:
  struct Page {
    uintptr_t Base = 0; ///< 0: free
    size_t Bytes = 0, MappedBytes = 0;
    void *Mapped = nullptr;
    uint32_t Lock = 0;
    uint8_t State = 0; ///< a Gate
    bool Touched = false;
    bool Readable = false; ///< letRead() made it so
    bool Passed = false;   ///< it was guarded until an access
    bool News = false;     ///< Touched, or there is a First; atomic
    uint32_t Uses = 0;     ///< system calls that use it just now
    uint32_t Windows = 0;  ///< how often it was closed for one; atomic
    void *Instead = nullptr;
    Access First;
  };
  class Hold;
  template <class F> void each(F Of);
  void enterState(Page &P, Gate G);
  bool protect(Page &P, Gate G);
  static bool isAnyReadable(const Page &P);
  static bool exchange(Page &P, void *Instead);
  bool enterFree(unsigned &Slot, void *Mapping, size_t MappedBytes,
                 uintptr_t Base, size_t Bytes);
  static Gate state(const Page &P) {
    return static_cast<Gate>(__atomic_load_n(&P.State, __ATOMIC_ACQUIRE));
  }
  void enter(Page &P, const Access &A, bool Late, bool CloseAgain);
  /// A buffer that is guarded is so no more, or not yet. True if its window
  /// closed while the access waited, though it may be over by now.
  bool await(unsigned Slot, uintptr_t Code);
  void notePassed(Page &P, bool Is);
  static void noteNews(Page &P);
  /// Without the lock: an access that comes meanwhile comes later.
  bool hasNews(unsigned Slot) const {
    return __atomic_load_n(&All[Slot].News, __ATOMIC_ACQUIRE);
  }
  void noted() {
    if (OnAccess)
      OnAccess();
  }

  Page All[MaxPages];
  unsigned Used = 0;
  unsigned Closed = 0;
  unsigned Passed = 0; ///< buffers whose Passed is set
};

/// Those of this process.
extern Pages Watched;

/// Whether the kernel can read at \p Address for this process; true also where
/// it does not answer.
bool isReadable(const void *Address);

/// The C library's syscall, past this library's own interposer.
long systemCall(long Number, long A, long B, long C, long D, long E);

} // namespace echo::dr

#endif
