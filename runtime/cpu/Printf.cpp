//===- Printf.cpp - Device printf -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats CUDA's packed argument buffer: every argument naturally aligned, 4
// bytes for int and smaller, 8 for the rest. See Printf.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Printf.h"
#include "runtime/abi/CpuModule.h"
#include "runtime/cpu/Sanitizer.h"

#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>

namespace echo::cpu {

std::atomic<bool> PrintfPending{false}, PrintfSeen{false};

static std::mutex &lock() {
  static auto *M = new std::mutex;
  return *M;
}
static std::string &buffer() {
  static auto *B = new std::string;
  return *B;
}

void flushPrintfSlow() {
  HideSync Hide;
  std::string Text;
  {
    std::lock_guard<std::mutex> Guard(lock());
    Text.swap(buffer());
    PrintfSeen.store(false, std::memory_order_relaxed);
    PrintfPending.store(false, std::memory_order_release);
  }
  fwrite(Text.data(), 1, Text.size(), stdout);
}

namespace {
/// Reads the packed arguments one after another.
class ArgReader {
public:
  explicit ArgReader(const void *Args)
      : Start(static_cast<const char *>(Args)) {}
  template <typename T> T next() {
    Offset = (Offset + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T Value;
    memcpy(&Value, Start + Offset, sizeof(T));
    Offset += sizeof(T);
    return Value;
  }

private:
  const char *Start;
  size_t Offset = 0;
};

/// One conversion, such as "%-8.3lf".
struct Conversion {
  std::string Spec; ///< with '*' replaced, without length modifiers
  bool Wide = false;
  unsigned Halves = 0; ///< h: 16 bits of it, hh: 8
  char Letter = 0;
};
} // namespace

template <typename T>
static void append(std::string &Out, const std::string &Spec, T Value) {
  char Small[128];
  int Length = snprintf(Small, sizeof(Small), Spec.c_str(), Value);
  if (Length < 0)
    return;
  if (size_t(Length) < sizeof(Small)) {
    Out.append(Small, Length);
    return;
  }
  std::string Large(Length + 1, '\0');
  snprintf(Large.data(), Large.size(), Spec.c_str(), Value);
  Out.append(Large.data(), Length);
}

/// Parses the conversion at \p P (after the '%'); returns its end.
static const char *parse(const char *P, ArgReader &Args, Conversion &C) {
  C.Spec = "%";
  while (*P && strchr("-+ #0", *P))
    C.Spec += *P++;
  for (int Part = 0; Part != 2; ++Part) {
    if (Part == 1) {
      if (*P != '.')
        break;
      C.Spec += *P++;
    }
    if (*P == '*') {
      C.Spec += std::to_string(Args.next<int32_t>());
      ++P;
    }
    while (*P >= '0' && *P <= '9')
      C.Spec += *P++;
  }
  for (; *P && strchr("hlLjzt", *P); ++P) {
    C.Wide |= *P != 'h';
    C.Halves += *P == 'h';
  }
  C.Letter = *P;
  return *P ? P + 1 : P;
}

static long long narrowed(const Conversion &C, int32_t Value) {
  return C.Halves == 0 ? Value : C.Halves == 1 ? int16_t(Value) : int8_t(Value);
}
static unsigned long long narrowed(const Conversion &C, uint32_t Value) {
  return C.Halves == 0   ? Value
         : C.Halves == 1 ? uint16_t(Value)
                         : uint8_t(Value);
}

static bool convert(std::string &Out, Conversion &C, ArgReader &Args) {
  switch (C.Letter) {
  case 'd':
  case 'i':
    C.Spec += "lld";
    append(Out, C.Spec,
           C.Wide ? (long long)Args.next<int64_t>()
                  : narrowed(C, Args.next<int32_t>()));
    return true;
  case 'u':
  case 'x':
  case 'X':
  case 'o':
    C.Spec += "ll";
    C.Spec += C.Letter;
    append(Out, C.Spec,
           C.Wide ? (unsigned long long)Args.next<uint64_t>()
                  : narrowed(C, Args.next<uint32_t>()));
    return true;
  case 'c':
    C.Spec += 'c';
    append(Out, C.Spec, int(Args.next<int32_t>()));
    return true;
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    C.Spec += C.Letter;
    append(Out, C.Spec, Args.next<double>());
    return true;
  case 's': {
    C.Spec += 's';
    const char *Text = Args.next<const char *>();
    append(Out, C.Spec, Text ? Text : "(null)");
    return true;
  }
  case 'p':
    C.Spec += 'p';
    append(Out, C.Spec, Args.next<const void *>());
    return true;
  default:
    return false;
  }
}

/// Enough to hold back; more is written early rather than lost.
static constexpr size_t MaxHeld = 1 << 20;

static int formatAll(std::string &Out, const char *Format, const void *Data) {
  ArgReader Args(Data);
  int Count = 0;
  for (const char *P = Format; *P;) {
    size_t Plain = strcspn(P, "%");
    Out.append(P, Plain);
    P += Plain;
    if (!*P)
      break;
    if (P[1] == '%') {
      Out += '%';
      P += 2;
      continue;
    }
    Conversion C;
    const char *End = parse(P + 1, Args, C);
    // What is no conversion is printed as it stands.
    if (convert(Out, C, Args))
      ++Count;
    else
      Out.append(P, End - P);
    P = End;
  }
  return Count;
}

} // namespace echo::cpu

using namespace echo::cpu;

extern "C" int32_t echo_cpu_vprintf(const char *Format, const void *Args) {
  if (!Format)
    return -1; // CUDA's programming guide, "Formatted Output"
  std::string Out;
  int Count = formatAll(Out, Format, Args);
  HideSync Hide;
  std::lock_guard<std::mutex> Guard(lock());
  buffer() += Out;
  if (buffer().size() > MaxHeld) {
    fwrite(buffer().data(), 1, buffer().size(), stdout);
    buffer().clear();
  }
  PrintfPending.store(true, std::memory_order_release);
  return Count;
}
