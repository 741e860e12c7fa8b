//===- CudaRuntime.cpp - The interposer of the CUDA runtime ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exports the functions of runtime/abi/CudaApi.def that make events, with the
// types that the toolkit declares; the symbols are resolved to instances of
// one template, so that no wrapper is written by hand. A call is handed to the
// runtime that its caller would have called. Where a process has none, which
// only a weak reference can find out, the answer is that of CUDA's stub
// library.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Interposers.h"
#include "runtime/dr/Real.h"
#include "runtime/dr/driver/Call.h"
#include "runtime/dr/interposers/RuntimeOps.h"
#include "runtime/dr/interposers/RuntimeRows.h"

#include <cuda_runtime_api.h>
#include <type_traits>
#include <utility>

namespace echo::dr {

template <class T> static uint64_t word(T Value) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<uintptr_t>(Value);
  else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
    return static_cast<uint64_t>(Value);
  else
    return 0;
}

/// The arguments by the row's places; what is no word is 0.
template <class... Args> struct Words {
  static constexpr int Count = sizeof...(Args);
  uint64_t At[Count + 1] = {};
  explicit Words(Args... A) {
    int Place = 0;
    ((At[Place++] = word(A)), ...);
  }
};

static_assert(sizeof(LaunchAttribute) == sizeof(cudaLaunchAttribute) &&
              offsetof(LaunchAttribute, Value) ==
                  offsetof(cudaLaunchAttribute, val) &&
              AttributeWindow == int(cudaLaunchAttributeAccessPolicyWindow) &&
              AttributeProgrammaticEvent ==
                  int(cudaLaunchAttributeProgrammaticEvent));

static uint8_t directionOf(uint64_t Kind) {
  switch (Kind) {
  case cudaMemcpyHostToHost:
    return CopyH2H;
  case cudaMemcpyHostToDevice:
    return CopyH2D;
  case cudaMemcpyDeviceToHost:
    return CopyD2H;
  case cudaMemcpyDeviceToDevice:
    return CopyD2D;
  default:
    return 0;
  }
}

static const void *pointer(uint64_t Word) {
  return reinterpret_cast<const void *>(Word);
}

/// Where a role stands, found when this is compiled.
#define PLACE(role) (std::integral_constant<int, Row.place(role)>::value)

/// The stream that a call with the arguments \p W names, else the default one.
template <const RuntimeRow &Row> static uint64_t streamOf(const uint64_t *W) {
  constexpr int At = Row.place("stream");
  return namedStream(At < 0 ? 0 : W[At < 0 ? 0 : At], Row.PerThread);
}

/// The event of a call with the arguments \p W.
template <const RuntimeRow &Row>
static void describe(Event &E, const uint64_t *W) {
  constexpr Shape S = Row.shape();
  TraceRecord &R = E.R;
  auto Kind = [&](Record K) { R.Kind = static_cast<uint8_t>(K); };
  auto At = [&](int Place) { return Place < 0 ? 0 : W[Place]; };
  constexpr int StreamAt = Row.place("stream");
  R.Stream = streamOf<Row>(W);
  constexpr uint8_t Async = Row.isAsync() ? CopyAsync : 0;
  if constexpr (S == Shape::AllocDevice || S == Shape::AllocHost) {
    Kind(S == Shape::AllocHost ? Record::HostAlloc : Record::DeviceAlloc);
    constexpr How Kept = Row.how();
    R.Flags = static_cast<uint8_t>(Kept);
    R.Bytes = At(PLACE("bytes"));
    if constexpr (S == Shape::AllocHost)
      E.Special = At(PLACE("flags")) & cudaHostAllocMapped;
    if constexpr (StreamAt >= 0)
      streamUsed(R.Stream);
  } else if constexpr (S == Shape::FreeDevice || S == Shape::FreeHost) {
    Kind(S == Shape::FreeHost ? Record::HostFree : Record::DeviceFree);
    R.A = At(PLACE(S == Shape::FreeHost ? "host" : "dev"));
    if constexpr (StreamAt >= 0) {
      dropOut(pointer(R.A), Reason::FreedInOrder);
      streamUsed(R.Stream);
    }
  } else if constexpr (S == Shape::Copy) {
    Kind(Record::Copy);
    R.A = At(PLACE("dst"));
    R.B = At(PLACE("src"));
    R.Bytes = At(PLACE("bytes"));
    constexpr int KindAt = Row.place("kind");
    R.Flags = (KindAt < 0 ? CopyD2D : directionOf(W[KindAt])) | Async;
    E.OddKind = KindAt >= 0 && W[KindAt] > cudaMemcpyDefault;
  } else if constexpr (S == Shape::CopyRows) {
    Kind(Record::Copy);
    R.A = At(PLACE("dst"));
    R.B = At(PLACE("src"));
    R.Bytes = At(PLACE("width")) * At(PLACE("height"));
    R.Flags = directionOf(At(PLACE("kind"))) | Async;
    dropOut(pointer(R.A), Reason::Strided);
    dropOut(pointer(R.B), Reason::Strided);
  } else if constexpr (S == Shape::CopySymbol) {
    Kind(Record::Copy);
    constexpr bool ToDevice = Row.place("src") >= 0;
    (ToDevice ? R.B : R.A) = At(PLACE(ToDevice ? "src" : "dst"));
    R.Bytes = At(PLACE("bytes"));
    R.Flags = directionOf(At(PLACE("kind"))) | Async;
    dropOut(pointer(ToDevice ? R.B : R.A), Reason::Symbol);
  } else if constexpr (S == Shape::Set || S == Shape::SetRows) {
    Kind(Record::Set);
    R.A = At(PLACE("dst"));
    R.Bytes = S == Shape::Set ? At(PLACE("bytes"))
                              : At(PLACE("width")) * At(PLACE("height"));
    R.Flags = Async;
    if (S == Shape::SetRows)
      dropOut(pointer(R.A), Reason::Strided);
  } else if constexpr (S == Shape::Launch || S == Shape::LaunchConfig) {
    Kind(Record::Launch);
    constexpr int FuncAt = Row.place("func");
    R.A = At(FuncAt < 0 ? 0 : FuncAt);
    R.Flags = Row.is("cudaGraphLaunch") ? LaunchGraph : 0;
    if constexpr (S == Shape::LaunchConfig)
      if (auto *Config = static_cast<const cudaLaunchConfig_t *>(pointer(W[0])))
        R.Stream = namedStream(word(Config->stream), Row.PerThread);
  } else if constexpr (S == Shape::HostFunc) {
    Kind(Record::HostFunc);
  } else if constexpr (S == Shape::SyncDevice) {
    Kind(Record::SyncDevice);
  } else if constexpr (S == Shape::SyncStream) {
    Kind(Record::SyncStream);
  } else if constexpr (S == Shape::SyncEvent) {
    Kind(Record::SyncEvent);
    R.A = At(PLACE("event"));
  } else if constexpr (S == Shape::QueryStream || S == Shape::QueryEvent) {
    Kind(Record::QueryDone);
    R.A = At(PLACE("event"));
  } else if constexpr (S == Shape::Elapsed) {
    Kind(Record::QueryDone);
    constexpr int Begins = Row.place("event", 0), Ends = Row.place("event", 1);
    R.A = At(Ends);
    R.B = At(Begins);
    E.Special = true;
  } else if constexpr (S == Shape::StreamCreate) {
    Kind(Record::StreamCreate);
    R.Flags = At(PLACE("flags")) & 1;
  } else if constexpr (S == Shape::StreamDestroy) {
    Kind(Record::StreamDestroy);
  } else if constexpr (S == Shape::StreamWait || S == Shape::EventRecord) {
    Kind(S == Shape::StreamWait ? Record::StreamWait : Record::EventRecord);
    R.A = At(PLACE("event"));
  } else if constexpr (S == Shape::EventDestroy) {
    Kind(Record::EventDestroy);
    R.A = At(PLACE("event"));
  } else if constexpr (S == Shape::CaptureBegin || S == Shape::CaptureEnd) {
    Kind(Record::Capture);
    R.Flags = S == Shape::CaptureBegin ? 1 : 2;
  } else if constexpr (S == Shape::Reset) {
    Kind(Record::Reset);
  }
}

/// \p Given, or \p Instead of it where that is an address.
template <class T> static T given(T Given, uint64_t Instead) {
  if constexpr (std::is_pointer_v<T>)
    if (Instead)
      return reinterpret_cast<T>(Instead);
  return Given;
}

/// Calls \p Real, with \p At's addresses for those of these two places.
template <class... Args, size_t... Places>
static cudaError_t callInstead(cudaError_t (*Real)(Args...),
                               std::index_sequence<Places...>, int First,
                               int Second, const uint64_t *At, Args... A) {
  return Real(given(A, static_cast<int>(Places) == First    ? At[0]
                       : static_cast<int>(Places) == Second ? At[1]
                                                            : 0)...);
}

#if CUDART_VERSION >= 13000
static void dropCopy(const cudaMemcpy3DParms *P) {
  for (const void *Side :
       {P ? P->srcPtr.ptr : nullptr, P ? P->dstPtr.ptr : nullptr})
    if (Side)
      dropOut(Side, Reason::Graph);
}

static void dropSet(const cudaMemsetParams *P) {
  if (P && P->dst)
    dropOut(P->dst, Reason::Graph);
}

/// Before CUDA 13 cudaGraphAddNode has a parameter less; the driver's nodes
/// are followed there.
static bool hasNodesOfThirteen() {
  int Driver = 0, Runtime = 0;
  const DeviceOps &Ops = runtimeOps();
  return Ops.versions && Ops.versions(&Driver, &Runtime) == 0 &&
         Runtime >= 13000;
}

static void dropNode(const cudaGraphNodeParams *P) {
  if (!P)
    return;
  if (P->type == cudaGraphNodeTypeMemcpy)
    dropCopy(&P->memcpy.copyParams);
  else if (P->type == cudaGraphNodeTypeMemset && P->memset.dst)
    dropOut(P->memset.dst, Reason::Graph);
  else if (P->type == cudaGraphNodeTypeMemFree && P->free.dptr)
    dropOut(P->free.dptr, Reason::Graph);
  else if (P->type == cudaGraphNodeTypeEventRecord)
    dropOut(nullptr, Reason::Graph);
}
#endif

template <const RuntimeRow &Row, class F> struct Wrapper;

template <const RuntimeRow &Row, class... Args>
struct Wrapper<Row, cudaError_t(Args...)> {
  /// The place of the pointer through which the call answers, or -1.
  static constexpr int outPlace() {
    constexpr Shape S = Row.shape();
    if (S == Shape::AllocDevice)
      for (std::string_view Role : {"out-dev", "out-managed", "out"})
        if (Row.place(Role) >= 0)
          return Row.place(Role);
    if (S == Shape::AllocHost)
      return Row.place("out-host");
    return S == Shape::StreamCreate ? Row.place("out-stream") : -1;
  }

  using Function = cudaError_t (*)(Args...);

  /// The buffers that a copy in a box, or of an array, names.
  static void dropSides(const uint64_t *W) {
    streamUsed(streamOf<Row>(W));
    if constexpr (Row.Kind == "CopyArray") {
      for (const int At : {PLACE("dst"), PLACE("src")})
        if (At >= 0 && W[At])
          dropOut(pointer(W[At]), Reason::Array);
    } else if (const auto *P =
                   static_cast<const cudaMemcpy3DParms *>(pointer(W[0]))) {
      for (const void *Side : {P->srcPtr.ptr, P->dstPtr.ptr})
        if (Side)
          dropOut(Side, Reason::Strided);
    }
  }

  /// A question about memory, or what makes it another kind. Host memory is
  /// what the program takes it for, whatever a mode made of it.
  static cudaError_t callAbout(Function Real, const uint64_t *W, Args... A) {
    constexpr int At = PLACE("ptr");
    const void *Pointer = pointer(W[At]);
    constexpr bool Registers = Row.is("cudaHostRegister"),
                   Unregisters = Row.is("cudaHostUnregister");
    if constexpr (Registers)
      if (registeredInstead(Pointer, W[PLACE("bytes")],
                            static_cast<unsigned>(W[PLACE("flags")])))
        return cudaSuccess;
    if constexpr (Unregisters)
      if (unregisteredInstead(Pointer))
        return cudaSuccess;
    if constexpr (Unregisters || Row.Kind == "Inspect") {
      const Seen As = seenAt(Pointer);
      if (As.How == Seen::Ordinary) {
        const uint64_t Instead = word(As.Instead);
        const cudaError_t Status = callInstead(
            Real, std::index_sequence_for<Args...>(), At, -1, &Instead, A...);
        if constexpr (Row.is("cudaPointerGetAttributes"))
          renameAnswer(at<void>(W[0]), 24, As, Pointer); // of every version
        return Status;
      }
      if (As.How == Seen::Registered) {
        const cudaError_t Status = Real(A...);
        if constexpr (Row.is("cudaHostGetFlags"))
          if (auto *Flags = at<unsigned>(W[0]); Flags && !Status)
            *Flags = registeredFlags(*Flags, As);
        return Status;
      }
    }
    dropOut(Pointer, Row.reason());
    if constexpr (Row.place("stream") >= 0)
      streamUsed(streamOf<Row>(W));
    return Real(A...);
  }

  /// A node of a graph keeps its buffers for later, and again (as the driver's
  /// nodes: driver/Unfollowed.cpp).
  static cudaError_t callForNode(Function Real, const uint64_t *W, Args... A) {
    constexpr int Places[] = {PLACE("dst"), PLACE("src"), PLACE("copy3d"),
                              PLACE("memset"), PLACE("node")};
    for (int Side : {Places[0], Places[1]})
      if (Side >= 0 && W[Side])
        dropOut(pointer(W[Side]), Reason::Graph);
    if constexpr (Places[2] >= 0)
      dropCopy(at<const cudaMemcpy3DParms>(W[Places[2]]));
    if constexpr (Places[3] >= 0)
      dropSet(at<const cudaMemsetParams>(W[Places[3]]));
    if constexpr (Places[4] >= 0)
      if (!Row.is("cudaGraphAddNode") || hasNodesOfThirteen())
        dropNode(at<const cudaGraphNodeParams>(W[Places[4]]));
    if constexpr (Row.place("event") >= 0)
      dropOut(nullptr, Reason::Graph); // nobody is seen to record it
    return Real(A...);
  }

  static cudaError_t call(Args... A) {
    constexpr Shape S = Row.shape();
    void *Caller = __builtin_return_address(0);
    auto *Real = reinterpret_cast<cudaError_t (*)(Args...)>(
        realFunction(Row.Export, Caller));
    if (!Real)
      return cudaErrorStubLibrary;
    if (mode() == Mode::Off)
      return Real(A...);
    noteCudaCall();
    static_assert(Row.places() == Words<Args...>::Count,
                  "the row has not the function's parameters");
    const Words<Args...> Given(A...);
    const uint64_t *W = Given.At;
    foundRuntime(reinterpret_cast<void *>(Real));
    if constexpr (S == Shape::DropOut) {
      return callAbout(Real, W, A...);
    } else if constexpr (S == Shape::Beside) {
      dropSides(W);
      return Real(A...);
    } else if constexpr (S == Shape::GraphNode) {
      return callForNode(Real, W, A...);
    } else {
      if constexpr (S == Shape::LaunchConfig)
        if (auto *Config =
                static_cast<const cudaLaunchConfig_t *>(pointer(W[0])))
          noteAttributes(
              reinterpret_cast<const LaunchAttribute *>(Config->attrs),
              Config->numAttrs, runtimeOps());
      Event E;
      E.Ops = &runtimeOps();
      describe<Row>(E, W);
      constexpr int Out = outPlace();
      auto *Answer = Out < 0
                         ? nullptr
                         : reinterpret_cast<uint64_t *>(W[Out < 0 ? 0 : Out]);
      if (Out >= 0 && !Answer) // CUDA says what is wrong
        return Real(A...);
      if (before(E) == Action::Skip) {
        if (Answer && E.R.Status == 0)
          *Answer = E.R.A;
        return static_cast<cudaError_t>(E.R.Status);
      }
      cudaError_t Status;
      if constexpr (S == Shape::Copy)
        Status = callInstead(Real, std::index_sequence_for<Args...>(),
                             PLACE("dst"), PLACE("src"), E.Instead, A...);
      else if constexpr (S == Shape::FreeHost)
        Status = callInstead(Real, std::index_sequence_for<Args...>(),
                             PLACE("host"), -1, E.Instead, A...);
      else
        Status = Real(A...);
      if (Answer && Status == cudaSuccess)
        (S == Shape::StreamCreate ? E.R.Stream : E.R.A) = *Answer;
      if constexpr (Row.is("cudaMallocPitch"))
        if (Status == cudaSuccess)
          E.R.Bytes = W[PLACE("height")] *
                      *static_cast<const size_t *>(pointer(W[PLACE("out")]));
      return static_cast<cudaError_t>(after(E, Status));
    }
  }
};

// A row for each function, and one for its per-thread variant.
#define ECHO_ROW_none(name, kind, args)                                        \
  static constexpr RuntimeRow Row_##name = {#name, #name, false, #kind, args};
#define ECHO_ROW_ptds(name, kind, args)                                        \
  ECHO_ROW_none(name, kind,                                                    \
                args) static constexpr RuntimeRow Row_##name##_ptds = {        \
      #name, #name "_ptds", true, #kind, args};
#define ECHO_ROW_ptsz(name, kind, args)                                        \
  ECHO_ROW_none(name, kind,                                                    \
                args) static constexpr RuntimeRow Row_##name##_ptsz = {        \
      #name, #name "_ptsz", true, #kind, args};
#define CUDA_API(name, kind, args, suffix, row)                                \
  ECHO_ROW_##suffix(name, kind, args)
#include "runtime/abi/CudaApi.def"

} // namespace echo::dr

using namespace echo::dr;

// Functions that only older or only newer toolkits declare.
extern "C" {
cudaError_t cudaEventElapsedTime_v2(float *, cudaEvent_t, cudaEvent_t);
cudaError_t cudaThreadSynchronize();
cudaError_t cudaThreadExit();
}

// The symbol is a jump to the wrapper, which sees the program's return address.
// No indirect function: a library that binds its references when it is loaded
// (-z now) comes before this one, and the loader would complain.
#if defined(__x86_64__)
#define ECHO_JUMP(name) "jmp *echo_dr_interposer_" #name "(%rip)\n"
#elif defined(__aarch64__)
#define ECHO_JUMP(name)                                                        \
  "adrp x16, echo_dr_interposer_" #name "\n"                                   \
  "ldr x16, [x16, :lo12:echo_dr_interposer_" #name "]\n"                       \
  "br x16\n"
#endif
#define ECHO_EXPORT(type, name)                                                \
  extern "C" {                                                                 \
  extern decltype(type) *const echo_dr_interposer_##name;                      \
  __attribute__((visibility("hidden"),                                         \
                 used)) decltype(type) *const echo_dr_interposer_##name =      \
      &Wrapper<Row_##name, decltype(type)>::call;                              \
  }                                                                            \
  __asm__(".pushsection .text\n.p2align 4\n.globl " #name "\n.type " #name     \
          ", %function\n" #name ":\n" ECHO_JUMP(name) ".size " #name           \
                                                      ", . - " #name           \
                                                      "\n.popsection");
#define ECHO_INTERPOSE_none(name) ECHO_EXPORT(name, name)
#define ECHO_INTERPOSE_ptds(name)                                              \
  ECHO_EXPORT(name, name) ECHO_EXPORT(name, name##_ptds)
#define ECHO_INTERPOSE_ptsz(name)                                              \
  ECHO_EXPORT(name, name) ECHO_EXPORT(name, name##_ptsz)

// A variable that the host and the GPU see (`__managed__`): the host may look
// there at the GPU at work. nvcc's code registers it; other compilers' asks
// where it is.
INTERPOSED void __cudaRegisterManagedVar(void **Handle, void **Variable,
                                         char *Address, const char *Name,
                                         int External, size_t Bytes,
                                         int Constant, int Global) {
  using Function =
      void(void **, void **, char *, const char *, int, size_t, int, int);
  dropOut(nullptr, Reason::Polled);
  if (auto *Next = nextFunction<Function>("__cudaRegisterManagedVar"))
    Next(Handle, Variable, Address, Name, External, Bytes, Constant, Global);
}

INTERPOSED cudaError_t cudaGetSymbolAddress(void **Address,
                                            const void *Symbol) {
  static auto *const Next =
      nextFunction<decltype(cudaGetSymbolAddress)>("cudaGetSymbolAddress");
  static auto *const Ask = nextFunction<decltype(cudaPointerGetAttributes)>(
      "cudaPointerGetAttributes");
  if (!Next)
    return cudaErrorInitializationError;
  const cudaError_t Status = Next(Address, Symbol);
  if (cudaPointerAttributes Is = {};
      Status == cudaSuccess && Ask && !staysOff() &&
      Ask(&Is, *Address) == cudaSuccess && Is.type == cudaMemoryTypeManaged)
    dropOut(nullptr, Reason::Polled);
  return Status;
}

// The kinds that make events or let buffers drop out.
#define ECHO_KIND_AllocDevice(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_AllocHost(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_AllocManaged(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_FreeDevice(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_FreeHost(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_Copy(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_Copy2D(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_CopySymbol(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_Set(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_Set2D(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_Register(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_Launch(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_HostFunc(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_SyncDevice(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_SyncStream(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_SyncEvent(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_QueryStream(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_QueryEvent(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_StreamCreate(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_StreamDestroy(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_StreamWaitEvent(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_EventRecord(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_Inspect(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_Reset(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_Prefetch(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_PushConfig(name, suffix)
#define ECHO_KIND_PopConfig(name, suffix)
#define ECHO_KIND_EventCreate(name, suffix)
#define ECHO_KIND_EventDestroy(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_Neutral(name, suffix)
#define ECHO_KIND_Capture(name, suffix)
// Parameters and nodes of any kind are those of CUDA 13.
#if CUDART_VERSION >= 13000
#define ECHO_KIND_GraphNode(name, suffix) ECHO_INTERPOSE_##suffix(name)
#else
#define ECHO_KIND_GraphNode(name, suffix)
#endif
#define ECHO_KIND_CopyArray(name, suffix) ECHO_INTERPOSE_##suffix(name)
#define ECHO_KIND_Array(name, suffix)
#define ECHO_KIND_Opaque(name, suffix)
#define CUDA_API(name, kind, args, suffix, row) ECHO_KIND_##kind(name, suffix)
#include "runtime/abi/CudaApi.def"

// Of the others, those that RuntimeRow::shape names.
#if CUDART_VERSION >= 12030
ECHO_INTERPOSE_ptsz(cudaStreamBeginCaptureToGraph)
#endif
    // clang-format off
ECHO_INTERPOSE_none(cudaMallocPitch)
ECHO_INTERPOSE_ptsz(cudaMallocFromPoolAsync)
ECHO_INTERPOSE_none(cudaMemcpyPeer)
ECHO_INTERPOSE_ptsz(cudaMemcpyPeerAsync)
ECHO_INTERPOSE_ptsz(cudaLaunchKernelExC)
ECHO_INTERPOSE_ptsz(cudaStreamBeginCapture)
ECHO_INTERPOSE_ptsz(cudaStreamEndCapture)
ECHO_INTERPOSE_ptsz(cudaGraphLaunch)
ECHO_INTERPOSE_none(cudaIpcGetMemHandle)
ECHO_INTERPOSE_none(cudaEventElapsedTime)
ECHO_INTERPOSE_none(cudaEventElapsedTime_v2)
ECHO_INTERPOSE_ptds(cudaMemcpy3D)
ECHO_INTERPOSE_ptsz(cudaMemcpy3DAsync)
    // clang-format on
