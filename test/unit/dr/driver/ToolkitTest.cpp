//===- ToolkitTest.cpp - The table against the toolkit's types ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaTypedefs.h has one function type for each name, version and variant. Each
// row must have the same parameters, and the same variants. A row of a CUDA
// newer than the toolkit is left out. And each name, version and variant that
// the toolkit has must be a row, or a name that is known to need none.
//
//===----------------------------------------------------------------------===//
#define __CUDA_API_VERSION_INTERNAL // the types of old versions, too
#include <cuda.h>
#include <cudaTypedefs.h>

#if __has_include(<EGL/egl.h>) && __has_include(<EGL/eglext.h>)
#include <cudaEGL.h>
#include <cudaEGLTypedefs.h>
#define HAVE_EGL
#endif
#if __has_include(<GL/gl.h>)
#include <cudaGL.h>
#include <cudaGLTypedefs.h>
#define HAVE_GL
#endif

#include "runtime/dr/driver/Descriptors.h"
#include "runtime/dr/driver/DriverTable.h"

#include <catch2/catch.hpp>
#include <ctype.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

using namespace echo::dr;

namespace {

/// Whether a parameter of type \p T can be what the table says it is.
template <class T> bool fits(Role R) {
  using To = std::remove_const_t<std::remove_pointer_t<T>>;
  constexpr bool Pointer = std::is_pointer_v<T>;
  constexpr bool Const = std::is_const_v<std::remove_pointer_t<T>>;
  constexpr bool Void = std::is_void_v<To>;
  constexpr bool Opaque = Pointer && !std::is_void_v<To>;
  switch (R) {
  case Role::OutDev:
    return std::is_same_v<T, CUdeviceptr *>;
  case Role::OutHost:
    return std::is_same_v<T, void **>;
  case Role::OutStream:
    return std::is_same_v<T, CUstream *>;
  case Role::Out:
    return Pointer && !Const;
  case Role::In:
    return Pointer;
  case Role::Dev:
    return std::is_same_v<T, CUdeviceptr>;
  case Role::Host:
    return std::is_same_v<T, void *>;
  case Role::Dst:
  case Role::Src:
    return std::is_same_v<T, CUdeviceptr>;
  case Role::DstHost:
    return Void && !Const;
  case Role::SrcHost:
    return Void && Const;
  case Role::Bytes:
  case Role::Size:
  case Role::Count:
    return std::is_same_v<T, size_t>;
  case Role::Shape2D:
    return std::is_same_v<To, CUDA_MEMCPY2D>;
  case Role::Shape3D:
    return std::is_same_v<To, CUDA_MEMCPY3D>;
  case Role::ShapePeer:
    return std::is_same_v<To, CUDA_MEMCPY3D_PEER>;
  case Role::Node:
    return std::is_same_v<To, CUgraphNodeParams>;
  case Role::AllocNode:
    return std::is_same_v<To, CUDA_MEM_ALLOC_NODE_PARAMS>;
  case Role::OutSize:
    return std::is_same_v<T, size_t *>;
  case Role::Region:
    return std::is_same_v<To, CUDA_EXTERNAL_MEMORY_BUFFER_DESC>;
  case Role::Frame:
#ifdef HAVE_EGL
    return std::is_same_v<To, CUeglFrame>;
#else
    return false;
#endif
  case Role::Ipc:
    return std::is_same_v<T, CUipcMemHandle> ||
           std::is_same_v<T, CUipcEventHandle>;
  case Role::Attribute:
    return std::is_same_v<To, CUlaunchAttributeValue>;
  case Role::Resource:
    return std::is_same_v<To, CUDA_RESOURCE_DESC>;
  case Role::Addresses:
    return std::is_same_v<T, CUdeviceptr *>;
  case Role::Stream:
    return std::is_same_v<T, CUstream>;
  case Role::Event:
    return std::is_same_v<T, CUevent>;
  case Role::Handle: // of a callback, its data, a context, an array
    return Opaque || Pointer;
  case Role::Value:
    return (std::is_integral_v<T> || std::is_enum_v<T>) && sizeof(T) <= 4;
  case Role::Wide:
    return std::is_integral_v<T> && sizeof(T) == 8;
  case Role::Place:
    return std::is_same_v<T, CUmemLocation>;
  case Role::None:
    break;
  }
  return false;
}

template <class F> struct Function;
template <class... Args> struct Function<CUresult (*)(Args...)> {
  static void check(unsigned Row) {
    const DriverRow &R = DriverRows[Row];
    INFO(R.Symbol);
    REQUIRE(R.NumArgs == sizeof...(Args));
    unsigned I = 0;
    const std::vector<bool> Fits = {true, fits<Args>(R.Roles[I++])...};
    for (unsigned J = 0; J != R.NumArgs; ++J) {
      INFO("parameter " << J << ", " << RoleNames[unsigned(R.Roles[J])]);
      CHECK(Fits[J + 1]);
    }
  }
};

} // namespace

#define TYPE(base, version) PFN_##base##_v##version
#define TYPE_SUFFIX(base, version, suffix) PFN_##base##_v##version##_##suffix
#define CHECK_none(row, base, perThread) CHECK(perThread == 0)
#define CHECK_ptds(row, base, perThread)                                       \
  Function<TYPE_SUFFIX(base, perThread, ptds)>::check(row)
#define CHECK_ptsz(row, base, perThread)                                       \
  Function<TYPE_SUFFIX(base, perThread, ptsz)>::check(row)

TEST_CASE("each row has the toolkit's parameters") {
#define DRIVER_API(symbol, base, version, suffix, perThread, kind, reason, n,  \
                   roles)                                                      \
  Function<TYPE(base, version)>::check(Driver_##symbol);                       \
  CHECK_##suffix(Driver_##symbol, base, perThread);
#ifndef HAVE_EGL
#define DRIVER_API_EGL(...)
#endif
#ifndef HAVE_GL
#define DRIVER_API_GL(...)
#endif
#include "runtime/dr/driver/DriverApi.def"
}

namespace {

/// A type PFN_base_vVERSION, or PFN_base_vVERSION_VARIANT.
struct Declared {
  std::string Base, Variant;
  int Version = 0;
};

/// All that the toolkit's headers declare, also those whose other headers are
/// not here.
std::vector<Declared> declared() {
  std::vector<Declared> Out;
  for (const auto &File :
       std::filesystem::directory_iterator(ECHO_CUDA_INCLUDE)) {
    const std::string Name = File.path().filename().string();
    if (Name.rfind("cuda", 0) || Name.size() < 10 ||
        Name.substr(Name.size() - 10) != "Typedefs.h")
      continue;
    std::ifstream In(File.path());
    const std::string Text{std::istreambuf_iterator<char>(In), {}};
    const std::string Start = "*PFN_cu";
    for (size_t At = Text.find(Start); At != std::string::npos;
         At = Text.find(Start, At + 1)) {
      size_t End = At + 5;
      while (isalnum(static_cast<unsigned char>(Text[End])) || Text[End] == '_')
        ++End;
      Declared D;
      D.Base = Text.substr(At + 5, End - At - 5);
      const size_t Version = D.Base.find("_v");
      REQUIRE(Version != std::string::npos);
      size_t Used = 0;
      D.Version = std::stoi(D.Base.substr(Version + 2), &Used);
      D.Variant = D.Base.substr(std::min(Version + 3 + Used, D.Base.size()));
      D.Base.resize(Version);
      Out.push_back(D);
    }
  }
  return Out;
}

bool isRow(const Declared &D) {
  static const char *const Suffixes[] = {"", "ptds", "ptsz"};
  for (const DriverRow &R : DriverRows)
    if (D.Base == R.Base &&
        D.Version == (D.Variant.empty() ? R.Version : R.PerThreadVersion) &&
        (D.Variant.empty() || D.Variant == Suffixes[unsigned(R.Suffix)]))
      return true;
  return false;
}

} // namespace

TEST_CASE("each name of the toolkit is a row, or is known to need none") {
  enum class Because {
#define DRIVER_PASSED_WHY(why, text) why,
#include "runtime/dr/driver/DriverPassed.def"
  };
  std::map<std::string, int> Passed;
#define DRIVER_PASSED(base, why)                                               \
  static_cast<void>(Because::why);                                             \
  ++Passed[#base];
#include "runtime/dr/driver/DriverPassed.def"
  for (const DriverRow &R : DriverRows) {
    INFO(R.Base);
    CHECK_FALSE(Passed.count(R.Base));
  }
  for (const auto &[Name, Count] : Passed) {
    INFO(Name);
    CHECK(Count == 1);
  }
  const std::vector<Declared> All = declared();
  CHECK(All.size() > 400);
  for (const Declared &D : All) {
    INFO(D.Base << " of version " << D.Version << " " << D.Variant
                << ": a row of DriverApi.def, or a name of DriverPassed.def?");
    CHECK((Passed.count(D.Base) || isRow(D)));
  }
  CHECK_FALSE(isRow({"cuMemcpyAsync", "", 4010}));
  CHECK_FALSE(isRow({"cuMemcpyAsync", "ptds", 7000}));
  CHECK(isRow({"cuMemcpyAsync", "ptsz", 7000}));
}

#define SAME(ours, field, theirs, other)                                       \
  static_assert(offsetof(ours, field) == offsetof(theirs, other) &&            \
                sizeof(ours::field) == sizeof(theirs::other))

SAME(Shape2D, SrcType, CUDA_MEMCPY2D, srcMemoryType);
SAME(Shape2D, SrcHost, CUDA_MEMCPY2D, srcHost);
SAME(Shape2D, SrcDevice, CUDA_MEMCPY2D, srcDevice);
SAME(Shape2D, DstType, CUDA_MEMCPY2D, dstMemoryType);
SAME(Shape2D, DstHost, CUDA_MEMCPY2D, dstHost);
SAME(Shape2D, DstDevice, CUDA_MEMCPY2D, dstDevice);
SAME(Shape2D, Height, CUDA_MEMCPY2D, Height);
SAME(Shape3D, SrcType, CUDA_MEMCPY3D, srcMemoryType);
SAME(Shape3D, SrcHost, CUDA_MEMCPY3D, srcHost);
SAME(Shape3D, SrcDevice, CUDA_MEMCPY3D, srcDevice);
SAME(Shape3D, DstType, CUDA_MEMCPY3D, dstMemoryType);
SAME(Shape3D, DstHost, CUDA_MEMCPY3D, dstHost);
SAME(Shape3D, DstDevice, CUDA_MEMCPY3D, dstDevice);
SAME(Shape3D, Depth, CUDA_MEMCPY3D, Depth);
SAME(Shape3D, SrcDevice, CUDA_MEMCPY3D_PEER, srcDevice);
SAME(Shape3D, DstHost, CUDA_MEMCPY3D_PEER, dstHost);
SAME(Shape3D, DstDevice, CUDA_MEMCPY3D_PEER, dstDevice);
SAME(ResourceDesc, Type, CUDA_RESOURCE_DESC, resType);
static_assert(offsetof(ResourceDesc, Device) ==
                  offsetof(CUDA_RESOURCE_DESC, res.linear.devPtr) &&
              offsetof(ResourceDesc, Device) ==
                  offsetof(CUDA_RESOURCE_DESC, res.pitch2D.devPtr));
SAME(LaunchConfig, Stream, CUlaunchConfig, hStream);
SAME(LaunchConfig, Attributes, CUlaunchConfig, attrs);
SAME(LaunchConfig, NumAttributes, CUlaunchConfig, numAttrs);
static_assert(sizeof(LaunchAttribute) == sizeof(CUlaunchAttribute));
SAME(LaunchAttribute, Id, CUlaunchAttribute, id);
SAME(LaunchAttribute, Window, CUlaunchAttribute,
     value.accessPolicyWindow.base_ptr);
SAME(LaunchAttribute, Event, CUlaunchAttribute, value.programmaticEvent.event);
SAME(LaunchAttribute, Event, CUlaunchAttribute,
     value.launchCompletionEvent.event);
SAME(AllocNodeParams, Bytes, CUDA_MEM_ALLOC_NODE_PARAMS, bytesize);
SAME(AllocNodeParams, Device, CUDA_MEM_ALLOC_NODE_PARAMS, dptr);
SAME(MappedRegion, Bytes, CUDA_EXTERNAL_MEMORY_BUFFER_DESC, size);
SAME(NodeParams, Alloc.Bytes, CUgraphNodeParams, alloc.bytesize);
SAME(NodeParams, Alloc.Device, CUgraphNodeParams, alloc.dptr);
SAME(NodeParams, Freed, CUgraphNodeParams, free.dptr);
static_assert(sizeof(IpcHandle) == sizeof(CUipcMemHandle) &&
              alignof(IpcHandle) == alignof(CUipcMemHandle) &&
              sizeof(IpcHandle) == sizeof(CUipcEventHandle));
#ifdef HAVE_EGL
static_assert(offsetof(EglFrame, Plane) == offsetof(CUeglFrame, frame.pPitch) &&
              sizeof(EglFrame::Plane) == sizeof(CUeglFrame::frame.pPitch));
SAME(EglFrame, Height, CUeglFrame, height);
SAME(EglFrame, Pitch, CUeglFrame, pitch);
SAME(EglFrame, PlaneCount, CUeglFrame, planeCount);
SAME(EglFrame, Type, CUeglFrame, frameType);
static_assert(FramePitch == CU_EGL_FRAME_TYPE_PITCH);
#endif
SAME(NodeParams, Type, CUgraphNodeParams, type);
static_assert(offsetof(NodeParams, Memcpy) ==
              offsetof(CUgraphNodeParams, memcpy));
static_assert(offsetof(NodeParams, Memcpy.Copy) ==
              offsetof(CUgraphNodeParams, memcpy.copyParams));

#define SAME_VALUE(ours, theirs)                                               \
  CHECK(static_cast<unsigned>(ours) == static_cast<unsigned>(theirs))

TEST_CASE("the values that descriptors hold are the toolkit's") {
  SAME_VALUE(TypeHost, CU_MEMORYTYPE_HOST);
  SAME_VALUE(TypeDevice, CU_MEMORYTYPE_DEVICE);
  SAME_VALUE(TypeArray, CU_MEMORYTYPE_ARRAY);
  SAME_VALUE(TypeUnified, CU_MEMORYTYPE_UNIFIED);
  SAME_VALUE(ResourceLinear, CU_RESOURCE_TYPE_LINEAR);
  SAME_VALUE(ResourcePitch2D, CU_RESOURCE_TYPE_PITCH2D);
  SAME_VALUE(NodeKernel, CU_GRAPH_NODE_TYPE_KERNEL);
  SAME_VALUE(NodeMemcpy, CU_GRAPH_NODE_TYPE_MEMCPY);
  SAME_VALUE(NodeMemset, CU_GRAPH_NODE_TYPE_MEMSET);
  SAME_VALUE(NodeHost, CU_GRAPH_NODE_TYPE_HOST);
  SAME_VALUE(NodeGraph, CU_GRAPH_NODE_TYPE_GRAPH);
  SAME_VALUE(NodeEmpty, CU_GRAPH_NODE_TYPE_EMPTY);
  SAME_VALUE(NodeWaitEvent, CU_GRAPH_NODE_TYPE_WAIT_EVENT);
  SAME_VALUE(NodeEventRecord, CU_GRAPH_NODE_TYPE_EVENT_RECORD);
  SAME_VALUE(NodeMemAlloc, CU_GRAPH_NODE_TYPE_MEM_ALLOC);
  SAME_VALUE(NodeMemFree, CU_GRAPH_NODE_TYPE_MEM_FREE);
  SAME_VALUE(AttributeWindow, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW);
  SAME_VALUE(AttributeProgrammaticEvent,
             CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT);
  SAME_VALUE(AttributeCompletionEvent,
             CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT);
}
