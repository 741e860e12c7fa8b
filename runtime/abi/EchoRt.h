//===- EchoRt.h - What rewritten programs and echort agree on -*- C -*-----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contract between the code that the rewrite emits (lib/Transform/Emit,
// rules R1 to R4) and echort (runtime/rt). The rewrite keeps every original
// call and asks echort first: a null or zero answer means "do what the program
// wrote", so that the same binary serves merged and split mode. Nothing here
// throws, and no function calls CUDA before the program itself would have.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_ABI_ECHORT_H
#define ECHO_RUNTIME_ABI_ECHORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ECHO_RT_ABI_VERSION 15u

enum EchoRole { ECHO_HOST = 0, ECHO_DEVICE = 1 };

enum EchoGroupFlags {
  /// No GPU work is in flight at any host access to the buffer (S2, quiescent).
  ECHO_GROUP_QUIESCENT = 1u,
  /// The program frees its host side with cudaFreeHost (pinned h).
  ECHO_GROUP_PINNED_HOST = 2u,
  /// Proved only for buffers of one size: others stay apart (verdict guarded).
  ECHO_GROUP_SAME_SIZE = 4u,
  /// Two host buffers may share the block.
  ECHO_GROUP_TWO_HOSTS = 8u,
  /// Textures read the device side. CUDA does not say that they do so of memory
  /// that it did not allocate.
  ECHO_GROUP_TEXTURED = 16u,
  /// A copy of the device side that stays lets CUDA find its direction by the
  /// pointers, or is asynchronous. CUDA takes memory of the process for the
  /// host's, and may read that at once, not in the order of the stream (seen on
  /// an H200 for uploads of pageable memory).
  ECHO_GROUP_OWN_COPY = 32u,
  /// The unit asks how much memory a device has left. CUDA keeps some once
  /// managed memory was there (seen on an H100).
  ECHO_GROUP_OBSERVED = 64u,
  /// The unit makes processes, or has calls that must come before CUDA starts:
  /// echort starts it for a host buffer only where it is in use.
  ECHO_GROUP_LATE_CUDA = 128u,
  /// After the host buffer's allocation the program starts CUDA in any case,
  /// before any of these.
  ECHO_GROUP_CUDA_FOLLOWS = 1u << 14,
  /// Not proved: the user vouches for it (--assume).
  ECHO_GROUP_ASSUMED = 1u << 15,
  /// Of an assumed one: some copies move rows with gaps, or may be of other
  /// buffers, so that their contents cannot be watched.
  ECHO_GROUP_UNWATCHED = 1u << 30,
  /// An operator new allocates the host side.
  ECHO_GROUP_BY_NEW = 1u << 29,
};
/// Flags from this bit on, 6 of them: the binary logarithm of the alignment
/// that the program asks for its host side (posix_memalign).
#define ECHO_GROUP_ALIGN_SHIFT 8u
/// Flags from this bit on: what the pair takes for granted of other units.
#define ECHO_GROUP_RELIES_SHIFT 16u
enum EchoPremise {
#define ECHO_PREMISE(Id, Bit, Words, Text) ECHO_RELIES_##Id = 1u << (Bit),
#include "runtime/abi/Premises.def"
};

/// A function of the C library or an allocator of which the analysis took what
/// its model says: right only if the program has no other of that name. After
/// an empty name come CUDA's functions and allocators that merged pairs leave
/// out: the program may have its own, or another linker than echo-cc have put a
/// wrapper before them.
typedef struct EchoFunction {
  const char *name; ///< null: the end of the table
  void *address;    ///< where a call of it goes
} EchoFunction;

/// One merged group of one translation unit; emitted as a global variable.
typedef struct EchoGroup {
  uint32_t version;  ///< ECHO_RT_ABI_VERSION
  uint32_t flags;    ///< EchoGroupFlags
  const char *name;  ///< "app.cu:12:20 hx + app.cu:14:3 dx", for ECHO_VERBOSE
  void *runtime;     ///< echort's own state, starts null
  uint64_t minBytes; ///< smaller buffers stay split (--min-bytes)
  const EchoFunction *functions; ///< of the unit, or null
} EchoGroup;

/// True if the program makes an allocation of \p role in a group with \p flags
/// by a function of CUDA's.
static inline bool echo_is_cudas(uint32_t role, uint32_t flags) {
  return role == ECHO_DEVICE || (flags & ECHO_GROUP_PINNED_HOST);
}

/// What calloc asks of a block.
enum EchoZeroes {
  ECHO_ZEROES_NONE = 0,
  ECHO_ZEROES = 1,
  /// A copy overwrites the zeroes before they are read wherever the buffer
  /// joins its partner's block. Where it does not, the copy may fail.
  ECHO_ZEROES_UNLESS_JOINED = 2,
};

/// Rule R1. Asks for the merged block of one allocation, or for host memory
/// that the copies to and from a device buffer of the program's own get pinned
/// (backing pinned-split; only where the program did not pin it).
/// \p bytes   size the program asked for
/// \p partner the other side's pointer if it was allocated in this activation,
///            else null
/// \p zeroed  an EchoZeroes: what of the block must read as zero
/// Returns the block, at least 256-byte aligned and as the group asks, or null:
/// allocate as written (split mode: device policy, failed allocation, memory
/// that is not aligned so, a partner that is not a merged block, a role that is
/// taken, a size over the block's capacity).
/// \p group null: the program allocates \p bytes for itself. Answers null, and
/// gives back before what the pool keeps, if that is in the way.
void *echort_acquire(EchoGroup *group, uint32_t role, size_t bytes,
                     void *partner, uint32_t zeroed);

/// Rule R4. Drops one role of the block. Returns 1 if \p pointer is a merged
/// block that holds the role (the program's own free must not run), else 0.
/// The memory goes away when both roles are dropped and the GPU is done. Where
/// CUDA's free has to fail because the role is dropped already, returns 1 plus
/// its cudaError_t: run for real it would take the memory away.
int32_t echort_release(uint32_t role, void *pointer);

/// What realloc of \p old to \p bytes bytes does where \p old is a merged block
/// or host memory of echort's, or where the result is to be \p block, which
/// echort_acquire just answered, or null. Moves the content, drops the host
/// role of \p old, and puts the result into \p fresh: \p block, or memory of
/// malloc's. Null if that fails; then \p old stays. Returns 0 if it is none of
/// these: reallocate as written.
int32_t echort_resize(void *old, size_t bytes, void *block, void **fresh);

/// The program is about to ask how much memory there is. Gives back what the
/// pool keeps, if nothing is in flight.
void echort_observe_memory(void);

/// Kinds of copies, by the order that they give: bits 0 to 2 of an order.
enum EchoCopy {
  ECHO_COPY_H2D_SYNC, ///< synchronous call, either kind of host memory
  ECHO_COPY_D2H_SYNC,
  ECHO_COPY_H2D_ASYNC_PAGEABLE,
  ECHO_COPY_D2H_ASYNC_PAGEABLE,
  ECHO_COPY_ASYNC_PINNED,
};
#define ECHO_COPY_KIND_MASK 7u
/// What else an order says.
enum EchoCopyFlags {
  /// Proved: no GPU work of the process can be in flight here; no wait needed.
  ECHO_COPY_IDLE = 8u,
  /// The unit was compiled with --default-stream per-thread.
  ECHO_COPY_PER_THREAD = 16u,
  /// The copy is synchronous, in a default stream: when it has returned, it and
  /// the legacy stream's work before it are done, unless it failed.
  ECHO_COPY_WAITED = 32u,
  /// The program did not pin the host side; a wait follows the copy if it is
  /// asynchronous. In pinned-split, echort pins the host side once copies
  /// have repeated, and measures what that is worth.
  ECHO_COPY_PAGEABLE = 64u,
  /// A synchronous upload in the legacy stream of which the analysis proved:
  /// until a wait covers it, the host writes the host buffer nowhere, and what
  /// else uses the pair is ordered after it. Where the memory is pinned and no
  /// work is in flight, echort queues it, and it goes on after the return.
  ECHO_COPY_MAY_QUEUE = 128u,
};
/// Bits from this one on: 1 plus the kind whose order stays where the copy or
/// set fails, as others rest on it, or 0.
#define ECHO_COPY_FAILED_SHIFT 8u

/// True if echort is told of a copy or set of \p order that ran
/// (echort_copy_ran).
static inline bool echo_copy_is_told(uint32_t order) {
  return (order & ECHO_COPY_PAGEABLE) || order >> ECHO_COPY_FAILED_SHIFT;
}

/// Rule R3: before a linking copy from \p src to \p dst of \p bytes bytes.
/// Where both are one block, the copy must not run: keeps every order that it
/// gave, and returns 1 plus the cudaError_t that the wait reported. Returns the
/// same of a copy that it queued (ECHO_COPY_MAY_QUEUE). Else 0: copy as
/// written, and call echort_copy_ran. \p stream is the copy's cudaStream_t
/// (null for the default stream).
int32_t echort_linking_copy(EchoGroup *group, uint32_t order, void *stream,
                            void *dst, const void *src, size_t bytes);

/// The same for a copy of a part of the block at \p block, the last byte of
/// which lies right before offset \p end. Where that is past the end of the
/// device buffer, it answers, and CUDA keeps, the error that the copy would
/// have had. \p host is the start of the host buffer, or null: the copy begins
/// there.
int32_t echort_linking_part(EchoGroup *group, uint32_t order, void *stream,
                            void *dst, const void *src, size_t bytes,
                            void *block, size_t end, void *host);

/// After a linking copy that ran, and its wait; or after a copy or set that
/// others rest on. \p error: what it returned. Where that is an error and there
/// are merged blocks, waits or keeps order as the order says
/// (ECHO_COPY_FAILED_SHIFT).
void echort_copy_ran(uint32_t order, void *stream, int32_t error);

/// Beside a copy that runs although its host side is a merged block, or beside
/// one that may have failed: waits, or keeps order, as a copy of that kind
/// would. Returns the cudaError_t of that.
int32_t echort_kept_copy(EchoGroup *group, uint32_t order, void *stream);

/// What a wait is for: bits 0 and 2 of a wait.
enum EchoWait {
  ECHO_WAIT_DEVICE = 1u,     ///< for all streams, not for one
  ECHO_WAIT_PER_THREAD = 4u, ///< the default stream is the thread's own
};

/// A wait that --repair added for \p stream (a cudaStream_t), or for the
/// device. All pairs of the function count on it. \p wait: an EchoWait, and
/// the premises that all of them rely on, as in EchoGroup::flags. Does nothing
/// where one does not hold: then none of these pairs merges, and work that
/// another unit made wait for the host would never end.
void echort_wait(uint32_t wait, void *stream);

/// Calls of CUDA's and the library's functions that echort makes for the
/// program where it answers "as written" (Calls.def). \p partner, \p order:
/// as for echort_acquire and echort_linking_copy.
#define ECHO_CALL(Name, Shape) ECHO_CALL_##Shape(echo_call_##Name);
#define ECHO_CALL_DeviceMemory(Fn)                                             \
  int32_t Fn(void **out, size_t bytes, EchoGroup *group, void *partner)
#define ECHO_CALL_HostMemory(Fn)                                               \
  void *Fn(size_t bytes, EchoGroup *group, void *partner)
#define ECHO_CALL_Copy(Fn)                                                     \
  int32_t Fn(void *dst, const void *src, size_t bytes, int32_t kind,           \
             EchoGroup *group, uint32_t order)
#define ECHO_CALL_StreamCopy(Fn)                                               \
  int32_t Fn(void *dst, const void *src, size_t bytes, int32_t kind,           \
             void *stream, EchoGroup *group, uint32_t order)
#define ECHO_CALL_DeviceFree(Fn) int32_t Fn(void *pointer)
#define ECHO_CALL_HostFree(Fn) void Fn(void *pointer)
#define ECHO_CALL_SizedFree(Fn) void Fn(void *pointer, size_t bytes)
#include "runtime/abi/Calls.def"

#ifdef __cplusplus
}
#endif
#endif
