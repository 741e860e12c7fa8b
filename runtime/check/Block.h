//===- Block.h - What one merged block would hold ------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A host buffer and a device buffer that a merge would make one block. Follows
// for every byte whether what each side holds is what the block would hold, and
// who accessed it last. A side is *stale* where the other side was written
// after it: in the block its content would be gone. Reading it refutes the
// merge (S1); so does an access that is not ordered with one to the other side
// (S2). A copy between the two at equal offsets is no access: with the block it
// is not made.
//
// A read of bytes that nobody wrote refutes nothing: the program has no right
// to any value there. Where the bytes that the block would hold are equal to
// those that are read, the read is counted and refutes nothing either.
//
// Guarded by the library's lock.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CHECK_BLOCK_H
#define ECHO_RUNTIME_CHECK_BLOCK_H

#include "runtime/abi/EchoCheck.h"
#include "runtime/check/Agents.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace echo::check {

using Place = EchoCheckPlace;

enum Slot : unsigned { HostSlot, DeviceSlot };

/// One of the two accesses or events of a finding.
struct Act {
  std::string What; ///< "host reads h"
  const Place *At = nullptr;
};

/// What refutes a merge.
struct Finding {
  const char *Condition; ///< "S1"
  std::vector<Act> Because;
};

/// Totals of what was seen.
struct Counts {
  uint64_t Bytes[2] = {0, 0}; ///< accessed, each access counts
  uint64_t Accesses[2] = {0, 0};
  uint64_t EqualBytes = 0;      ///< stale, but equal to the block's
  uint64_t Touched[2] = {0, 0}; ///< bytes that were accessed at all
  uint64_t Size = 0;            ///< bytes of the blocks
  uint64_t Links = 0;           ///< copies that a merge leaves out
  void add(const Counts &Other);
};

struct Buffer;
struct Pair;

class Block {
public:
  explicit Block(Pair &Owner) : Owner(Owner) {}
  Block(const Block &Other, Slot Kept);
  Block &operator=(const Block &) = delete;
  /// Its pages may be used by others. The object itself stays, as threads may
  /// look at it.
  void end();

  /// \p B becomes the buffer of \p S. \p Moved: with the content of the one
  /// before.
  void join(Slot S, Buffer &B, bool Moved);
  /// The buffer of \p S goes. \p Moved: its content goes on in another one.
  void leave(Slot S, bool Moved);
  Buffer *at(Slot S) const { return Members[S]; }
  bool empty() const { return !Members[HostSlot] && !Members[DeviceSlot]; }

  /// True if such an access of \p A, in this segment, was seen before and
  /// nothing can be new. Takes no lock: a false answer costs time only.
  bool known(Slot S, size_t Low, size_t Bytes, bool Write,
             const Agent &A) const;
  void access(Slot S, size_t Low, size_t High, bool Write, const Place *At);
  /// A copy from \p From to the other side, of the same bytes.
  void link(Slot From, size_t Low, size_t High);
  /// The merge of these two is refuted.
  void refute(const char *Condition, std::vector<Act> Because);

  /// The buffer that left \p S was no partner: nothing that it did counts.
  void forget(Slot S);

  /// They are partners: what was found while that was a guess counts.
  void settle();

  bool Ended = false;
  bool Confirmed = false; ///< a copy linked the two that are there
  bool Judged = false;    ///< what was seen counts
  bool Met = false;       ///< there were two
  Pair &Owner;
  std::optional<Finding> Found;
  /// What the totals are, with the bytes touched up to now.
  Counts counts() const;
  Counts Seen;

private:
  Counts AtJoin[2]; ///< what was seen when the buffer of a side came
  /// Last write and reads of one granule by one side.
  struct Record {
    Segment Wrote, Read;
    int32_t WrotePlace, ReadPlace;
  };
  /// 4096 bytes of the block, in granules of 4 bytes; or of 1, once an access
  /// was smaller.
  struct Page {
    unsigned Shift;
    uint8_t *States; ///< two bits a side, and one each of before a guess
    Record *Records; ///< two a granule
    char *Lost;      ///< the block's bytes, if no side is new; may be null
    size_t granules() const { return PageBytes >> Shift; }
  };
  static constexpr size_t PageBytes = 4096;

  Page &page(size_t Number);
  /// Calls \p Each with page, its number and granule, for all granules of
  /// bytes \p Low to \p High.
  template <typename Fn> void forGranules(size_t Low, size_t High, Fn Each);
  static Page *makePage(unsigned Shift);
  static void dropPage(Page *P);
  Page &split(size_t Number);
  void grow();
  void touch(Page &P, size_t Number, size_t Granule, Slot S, bool Write,
             const Place *At, Agent &A);
  void meetStale(Page &P, size_t Number, size_t Granule, Slot S,
                 const Place *At);
  void save(Page &P, size_t Number, size_t Granule, Slot S);

  std::optional<Finding> Guessed; ///< found while the two are a guess
  Buffer *Members[2] = {nullptr, nullptr};
  size_t Size = 0;
  /// Written under the lock, read by known() without. What goes out of use is
  /// kept for other blocks, never given back.
  Page **Pages = nullptr;
  size_t NumPages = 0;
};

inline bool Block::known(Slot S, size_t Low, size_t Bytes, bool Write,
                         const Agent &A) const {
  if (Found) // nothing that follows changes that
    return true;
  const size_t Number = Low / PageBytes, At = Low % PageBytes;
  if (Number >= NumPages || At + Bytes > PageBytes || !A.Now)
    return false;
  const Page *P = Pages[Number];
  if (!P || (P->Shift && ((At | Bytes) & 3)))
    return false;
  const size_t Last = (At + Bytes - 1) >> P->Shift;
  for (size_t G = At >> P->Shift; G <= Last; ++G) {
    const Record &R = P->Records[2 * G + S];
    const unsigned Mine = P->States[G] >> (2 * S) & 3,
                   Theirs = P->States[G] >> (2 * (1 - S)) & 3;
    // After a write of its own this side is new and the other one is not.
    if (Write ? R.Wrote != A.Now || Mine != 1 || Theirs == 1
              : !holdsNow(R.Read, A) || Mine == 2)
      return false;
  }
  return true;
}

} // namespace echo::check

#endif
