//===- Nvtx.cpp - Marks and ranges that the program names -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX, version 3, asks the library that NVTX_INJECTION64_PATH names for its
// callbacks at the first use. In mode profile that is this library, unless the
// user named another. Each mark, push and pop becomes a record; registered and
// wide strings have no name in it. The program gets the answers that it gets
// without a tool. The types are NVTX's stable interface, declared by hand so
// that no toolkit is needed.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Clock.h"
#include "runtime/dr/trace/Writer.h"

#include <stddef.h>

namespace echo::dr {

namespace {

enum MarkFlags : uint8_t { Push = 1, Pop = 2, Single = 3 };

struct Attributes {
  uint16_t Version, Size;
  uint32_t Category;
  int32_t ColorType;
  uint32_t Color;
  int32_t PayloadType, Reserved;
  uint64_t Payload;
  int32_t MessageType; ///< 1: characters
  const char *Message;
};

using Function = void (*)();
struct Callbacks {
  size_t Bytes;
  int (*moduleTable)(int Module, Function ***Table, unsigned *Size);
};

constexpr uint32_t CallbacksTable = 1;
constexpr int CoreModule = 1;
constexpr int NoTracking = -2;

void mark(MarkFlags Flags, const char *Name) {
  if (isInside())
    return;
  Inside Own;
  TraceRecord R;
  R.Kind = static_cast<uint8_t>(Record::Mark);
  R.Flags = Flags;
  R.Begin = R.End = clockNs();
  writeText(R, Name ? Name : "");
}

const char *nameOf(const Attributes *A) {
  bool Has = A && A->Size >= sizeof(Attributes) && A->MessageType == 1;
  return Has ? A->Message : nullptr;
}

void markEx(const Attributes *A) { mark(Single, nameOf(A)); }
void markA(const char *Name) { mark(Single, Name); }
void markW(const wchar_t *) { mark(Single, nullptr); }
int pushEx(const Attributes *A) { return mark(Push, nameOf(A)), NoTracking; }
int pushA(const char *Name) { return mark(Push, Name), NoTracking; }
int pushW(const wchar_t *) { return mark(Push, nullptr), NoTracking; }
int pop() { return mark(Pop, nullptr), NoTracking; }

} // namespace

} // namespace echo::dr

extern "C" __attribute__((visibility("default"))) int
InitializeInjectionNvtx2(const void *(*Export)(uint32_t)) {
  using namespace echo::dr;
  // The numbers of NVTX's functions in its table.
  const struct {
    unsigned At;
    Function F;
  } Ours[] = {{1, reinterpret_cast<Function>(markEx)},
              {2, reinterpret_cast<Function>(markA)},
              {3, reinterpret_cast<Function>(markW)},
              {8, reinterpret_cast<Function>(pushEx)},
              {9, reinterpret_cast<Function>(pushA)},
              {10, reinterpret_cast<Function>(pushW)},
              {11, reinterpret_cast<Function>(pop)}};
  const auto *C = static_cast<const Callbacks *>(Export(CallbacksTable));
  Function **Table = nullptr;
  unsigned Size = 0;
  if (mode() != Mode::Profile || !C || C->Bytes < sizeof(Callbacks) ||
      !C->moduleTable(CoreModule, &Table, &Size) || !Table)
    return 0;
  for (const auto &One : Ours)
    if (One.At < Size && Table[One.At])
      *Table[One.At] = One.F;
  return 1;
}
