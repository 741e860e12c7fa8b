//===- Core.h - What the interposers tell and what the modes answer ---*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libecho-dr.so is interposers around one core. A interposer (the C library,
// the CUDA runtime, the CUDA driver) replaces functions of the program; for
// each call it makes an Event, asks before() whether the call runs, and tells
// after() what came of it. The core counts a call that enters by two
// interposers once, knows the memory that is in use, and hands each event to
// the handlers of the mode that ECHO_DR_MODE names. Without a mode all calls go
// straight through.
//
// A interposer must call before() and after() in pairs on one thread, must run
// the real function exactly once where before() says Run, and must hand on its
// result unchanged unless after() says otherwise. Nothing here throws, and no
// lock is held while a real function runs.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_CORE_H
#define ECHO_RUNTIME_DR_CORE_H

#include "runtime/abi/DrTrace.h"
#include "runtime/dr/Threads.h"
#include "runtime/rt/Support.h"

#include <stddef.h>
#include <stdint.h>

namespace echo::dr {

enum class Mode : uint8_t { Off, Profile, Validate, Optimize };

/// ECHO_DR_MODE, read once. A value that is not known is Off, with one line.
Mode mode();

/// True if the process has no mode, nor gets one: constructors of the program's
/// libraries may run before this library's, which begins it.
bool staysOff();

/// Smallest allocation and copy that counts: ECHO_MIN_BYTES.
uint64_t minBytes();

/// Contexts of the driver are addresses; below this is the number of a device.
inline constexpr uint64_t MaxContextNumber = 4096;

/// What Echo itself may ask of CUDA through a interposer. Each leaves no error
/// of its own behind and disturbs no stream capture. 0 is success. The
/// interposers fill one table each with the real functions; a null member
/// cannot be asked.
struct DeviceOps {
  uint8_t Api; ///< 1 runtime, 2 driver: TraceHeader::Api
  int (*registerHost)(void *Base, size_t Bytes, bool Mapped);
  int (*unregisterHost)(void *Base);
  int (*devicePointer)(void **Device, void *Host); ///< of registered memory
  int (*allocDevice)(void **Pointer, size_t Bytes);
  int (*allocManaged)(void **Pointer, size_t Bytes);
  int (*allocMapped)(void **Pointer, size_t Bytes); ///< pinned, portable
  int (*freeManaged)(void *Pointer); ///< and what allocDevice gave
  int (*freeMapped)(void *Pointer);
  int (*copy)(void *Dst, const void *Src, size_t Bytes); ///< synchronous
  int (*waitStream)(void *Stream);
  int (*waitDevice)();
  /// What an event that is recorded in \p Stream now follows, which is what a
  /// copy there would: the host waits for it, or else, with \p InStream, what
  /// comes next in \p Stream does.
  int (*waitRecorded)(void *Stream, bool InStream);
  /// Puts a copy to the device into the legacy stream, and gives an event that
  /// follows it; null where there is none, and the copy has ended.
  int (*queueUpload)(void *Dst, const void *Src, size_t Bytes, void **Recorded);
  /// Waits for that event if \p Waits, from whatever context, and destroys it.
  void (*dropRecorded)(void *Recorded, bool Waits);
  int (*queryStream)(void *Stream); ///< NotReady: it has work
  /// Puts a call of \p Function, which must not call CUDA, into \p Stream.
  int (*callInStream)(void *Stream, void (*Function)(void *), void *Data);
  int (*currentDevice)(int *Device);
  /// What waitDevice would wait for: the thread's context. Gives its address,
  /// or, where the driver is not there (yet), a number below MaxContextNumber
  /// that stands for it; 0 while CUDA has not started.
  int (*currentContext)(uint64_t *Context);
  /// CUdevice_attribute and cudaDeviceAttr have the same numbers.
  int (*attribute)(int *Value, int Attribute, int Device);
  int (*deviceName)(char *Name, size_t Bytes, int Device);
  int (*versions)(int *Driver, int *Runtime);
  /// True if the program has an error pending that a failing call of Echo's
  /// would replace: nothing is tried then.
  bool (*errorPending)();
  /// Whether what is put into \p Stream goes into a graph: a wait for it would
  /// end the capture.
  int (*isCapturing)(void *Stream, int *Status);
  /// The mangled name of a kernel, by what a launch through this interposer
  /// names.
  int (*kernelName)(const char **Name, const void *Function);
  /// False while another thread still finds the functions; null: they are
  /// there.
  bool (*isThere)();
};

/// What malloc gives after a large block at least, and programs that overrun
/// one by a little need: served memory has it, too.
inline constexpr size_t HostSlack = 16;

/// CUDA's answer to a question about work that has not ended.
inline constexpr int NotReady = 600;

/// Memory at or over the threshold that is in use.
struct Range {
  uintptr_t Base = 0;
  uint64_t Bytes = 0;
  uint64_t Site = 0;
  How Kind = How::Unknown;
  bool Served = false;   ///< a mode gave it: the real free must not see it
  void *Owner = nullptr; ///< of the mode
};

/// One call of the program. The interposer fills R (Kind, Flags, A, B, Bytes,
/// Stream), Ops, and for host memory Align and Zeroed; the core the rest.
struct Event {
  TraceRecord R;
  const DeviceOps *Ops = nullptr; ///< of the interposer; null: the C library's
  size_t Align = 0;               ///< HostAlloc: what was asked for, or 0
  bool Waits = false;             ///< of the mode: after() waits for the copy
  bool Zeroed = false;            ///< HostAlloc: calloc, mmap
  bool Special = false;           ///< HostAlloc: no other memory would do;
                                  ///< QueryDone: of the events A and B
  bool Nested = false;          ///< inside another call of CUDA's or of Echo's
  bool Counted = false;         ///< the mode's handlers see it
  bool Skipped = false;         ///< before() said so
  bool OddKind = false;         ///< Copy: its kind is none of CUDA's
  uint8_t Said = 0;             ///< Copy: CopyDirection as the program gave it
  uint8_t StandIns = 0;         ///< Copy: of the mode (optimize/StandIn.h)
  Range Freed;                  ///< HostFree, DeviceFree: what it was
  uint64_t Private[2] = {0, 0}; ///< of the mode's handlers
  /// Addresses that the call gets in the place of A and B of a copy, or of A of
  /// HostFree, where they are not 0.
  uint64_t Instead[2] = {0, 0};
};

enum class Action : uint8_t {
  Run,
  Skip, ///< the answer is in R.Status, for allocations R.A; no call runs, and
        ///< after() must not be called
};

/// A call is about to run. Finds the site of allocations and copies
/// at or over the threshold, and asks the mode.
Action before(Event &E);

/// The call returned \p Status (allocations: E.R.A is the pointer). Returns
/// what the program shall get: \p Status, or the error of a wait that Echo
/// added.
int after(Event &E, int Status);

/// Whether events get times: in mode optimize only where it traces.
void stampTimes(bool On);
/// Sets the time at which \p E ended to now.
void stampEnd(Event &E);
/// The same for a launch, which gets a time by this alone.
void stampLaunch(Event &E);

/// The buffer around \p Pointer (null: every one) drops out.
void dropOut(const void *Pointer, Reason Why);

/// How the program must see host memory, whatever a mode made of it.
struct Seen {
  enum As : uint8_t {
    AsItIs,
    Ordinary,   ///< a question is put about Instead, which CUDA does not know
    Registered, ///< by the program, with Flags
  };
  As How = AsItIs;
  const void *Instead = nullptr;
  unsigned Flags = 0;
};
Seen seenAt(const void *Pointer);

/// The program registers [\p Pointer, \p Pointer + \p Bytes), or ends that.
/// True if the mode did it: the answer is success, and no call is made.
bool registeredInstead(const void *Pointer, uint64_t Bytes, unsigned Flags);
bool unregisteredInstead(const void *Pointer);

/// The system call \p Number is about to be made by its number: what it takes
/// away or changes of mappings drops out, as where the C library is called.
void beforeMappingCall(long Number, const long *Words);

/// A call that is no event is about to put something into \p Stream, as traces
/// have it.
void streamUsed(uint64_t Stream);

/// A child process is about to be made past fork and its handlers.
void childUnseen();

/// The outermost call on this thread is one of Echo's own: what runs inside
/// goes straight through every interposer.
class Inside {
public:
  Inside() { ++Depth; }
  ~Inside() { --Depth; }
  Inside(const Inside &) = delete;
  Inside &operator=(const Inside &) = delete;
};

/// The program calls CUDA on this thread, so Echo may: CUDA's own threads run
/// host functions of the program's, which must not.
void noteCudaCall();
bool mayCallCuda();
/// Whether the program has called CUDA on any thread.
bool processCallsCuda();

/// True inside of a call that a interposer already counted.
inline bool isInside() { return Depth != 0; }

/// Default streams, as traces have them.
constexpr uint64_t LegacyStream = 0, PerThreadStream = 2;
/// A stream's handle as traces have it, of a function whose stream 0 is the
/// per-thread one or not. 1 and 2 say which they are.
inline uint64_t namedStream(uint64_t Handle, bool PerThread) {
  return Handle > 1             ? Handle
         : PerThread && !Handle ? PerThreadStream
                                : LegacyStream;
}

/// The host or device range around \p Pointer. False: it is not known.
bool findHost(const void *Pointer, Range &Found);
bool findDevice(const void *Pointer, Range &Found);

/// What a mode does. Null members: nothing. before and after see no nested
/// events, except HostFree, which always comes through: memory must be let go
/// of before it goes away.
struct Handlers {
  /// Once, before the first event; CUDA must not be called. False: the program
  /// runs unchanged, and a line said why.
  bool (*start)();
  Action (*before)(Event &E);
  int (*after)(Event &E, int Status);
  void (*dropOut)(const void *Pointer, Reason Why);
  /// As the function of this name. Null: nobody asks.
  void (*streamUsed)(uint64_t Stream) = nullptr;
  /// In the child, after fork.
  void (*forked)();
  /// At exit; CUDA must not be called any more.
  void (*finish)();
  /// Whether the site of an allocation or copy at or over the threshold is
  /// wanted. Null: of each.
  bool (*wantsSite)(const TraceRecord &R) = nullptr;
  /// Whether new streams have a site, and launches the module that calls.
  bool WantsCallers = false;
  /// Whether the mode itself keeps its thread from being cancelled in launches
  /// (NotCancelled.h), where it calls what may wait.
  bool GuardsLaunches = false;
  /// Registers what a mode does around fork beside these, more than once for
  /// nothing. Comes before start, and perhaps before any constructor.
  void (*armForks)() = nullptr;
  /// Before fork, with all tables locked, and in the parent afterwards.
  void (*holdForChild)() = nullptr;
  void (*forkedInParent)() = nullptr;
  /// A child is about to be made for which none of these is called.
  void (*childUnseen)() = nullptr;
  /// As the functions of these names. Null: the program sees what there is.
  Seen (*seenAt)(const void *Pointer) = nullptr;
  bool (*registeredInstead)(const void *Pointer, uint64_t Bytes,
                            unsigned Flags) = nullptr;
  bool (*unregisteredInstead)(const void *Pointer) = nullptr;
  /// Whether host allocations of this size matter. Null: all do.
  bool (*wantsBytes)(uint64_t Bytes) = nullptr;
};

/// Registers Echo's handlers of fork, once, if the process has a mode.
/// pthread_atfork runs prepare handlers in reverse order of registration, and
/// the parent's and the child's in order: Echo's, registered first, run last
/// before the fork and first after it.
void armForks();

/// One per mode, each in a file of its own: trace/, validate/, optimize/.
extern const Handlers ProfileHandlers, OptimizeHandlers;
extern const Handlers ValidateHandlers __attribute__((weak));

/// The real function that an exported one interposes, in the object that
/// \p Caller would have got it from; null if there is none.
void *realFunction(const char *Name, void *Caller);

using rt::say;
/// ECHO_VERBOSE=1.
bool verbose();

} // namespace echo::dr

#endif
