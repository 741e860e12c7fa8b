//===- Stdio.cpp - Text that stdio writes from watched buffers ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library writes a long text from where it lies, by a system call of its
// own. The buffer must not close in between (Guard.h), so these functions say
// which texts they use, as those of Io.cpp do. A format says which arguments
// are texts.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/validate/IoUse.h"

#include <printf.h>
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

using namespace echo::dr;

namespace {
/// The texts that one call writes stay open while it lasts.
class Texts {
public:
  explicit Texts(const void *By) : By{By, Use::Begins, &Slots} {
    if (__builtin_expect(Watched.used(), 0))
      TheGuard.linger(By);
  }
  ~Texts() { Watched.endUse(Slots); }
  Texts(const Texts &) = delete;
  Texts &operator=(const Texts &) = delete;

  void add(const void *Text) {
    if (Text)
      use(Text, 1, By);
  }
  void addAll(const char *Format, va_list Given);

private:
  UsedSlots Slots;
  Caller By;
};
} // namespace

/// Takes one argument of a type of <printf.h>; its address if it is a text.
/// \p Known becomes false where the type is another one.
static const void *takeArgument(int Type, va_list Arguments, bool &Known) {
  if (Type & PA_FLAG_PTR)
    return static_cast<void>(va_arg(Arguments, void *)), nullptr;
  const int Flags = Type & PA_FLAG_MASK;
  switch (Type & ~PA_FLAG_MASK) {
  case PA_STRING:
  case PA_WSTRING:
    return va_arg(Arguments, const void *);
  case PA_POINTER:
    static_cast<void>(va_arg(Arguments, void *));
    return nullptr;
  case PA_CHAR:
    static_cast<void>(va_arg(Arguments, int));
    return nullptr;
  case PA_WCHAR:
    static_cast<void>(va_arg(Arguments, wint_t));
    return nullptr;
  case PA_INT:
    if (Flags & PA_FLAG_LONG_LONG)
      static_cast<void>(va_arg(Arguments, long long));
    else if (Flags & PA_FLAG_LONG)
      static_cast<void>(va_arg(Arguments, long));
    else
      static_cast<void>(va_arg(Arguments, int));
    return nullptr;
  case PA_FLOAT:
  case PA_DOUBLE:
    if (Flags & PA_FLAG_LONG_DOUBLE)
      static_cast<void>(va_arg(Arguments, long double));
    else
      static_cast<void>(va_arg(Arguments, double));
    return nullptr;
  default:
    Known = false;
    return nullptr;
  }
}

/// Those that the call is given for \p Format. What comes after an argument of
/// an unknown type is not found.
void Texts::addAll(const char *Format, va_list Given) {
  constexpr size_t Most = 64;
  int Types[Most];
  if (!Format || !Watched.anyCloses())
    return;
  const size_t Count = parse_printf_format(Format, Most, Types);
  va_list Arguments;
  va_copy(Arguments, Given);
  bool Known = true;
  for (size_t I = 0; I < Count && I < Most && Known; ++I)
    add(takeArgument(Types[I], Arguments, Known));
  va_end(Arguments);
}

#define TEXT(name, params, args)                                               \
  REAL(int, name, params)                                                      \
  INTERPOSED int name params {                                                 \
    if (__builtin_expect(!Watched.used(), 1))                                  \
      return real(&Real_##name, #name) args;                                   \
    Texts Own(__builtin_return_address(0));                                    \
    if (Watched.anyCloses())                                                   \
      Own.add(Text);                                                           \
    return real(&Real_##name, #name) args;                                     \
  }
TEXT(puts, (const char *Text), (Text))
TEXT(fputs, (const char *Text, FILE *F), (Text, F))
TEXT(fputs_unlocked, (const char *Text, FILE *F), (Text, F))

/// \p name takes the arguments of its format as a list.
#define LIST(name, params, args)                                               \
  REAL(int, name, params)                                                      \
  INTERPOSED int name params {                                                 \
    Texts Own(__builtin_return_address(0));                                    \
    if (__builtin_expect(Watched.used(), 0))                                   \
      Own.addAll(Format, Given);                                               \
    return real(&Real_##name, #name) args;                                     \
  }
/// \p name takes them one by one, and does what \p list does.
#define EACH(name, list, args, ...)                                            \
  INTERPOSED int name(__VA_ARGS__, ...) {                                      \
    Texts Own(__builtin_return_address(0));                                    \
    va_list Given;                                                             \
    va_start(Given, Format);                                                   \
    if (__builtin_expect(Watched.used(), 0))                                   \
      Own.addAll(Format, Given);                                               \
    const int Result = real(&Real_##list, #list) args;                         \
    va_end(Given);                                                             \
    return Result;                                                             \
  }
LIST(vprintf, (const char *Format, va_list Given), (Format, Given))
EACH(printf, vprintf, (Format, Given), const char *Format)
LIST(vfprintf, (FILE * F, const char *Format, va_list Given),
     (F, Format, Given))
EACH(fprintf, vfprintf, (F, Format, Given), FILE *F, const char *Format)
LIST(vdprintf, (int Fd, const char *Format, va_list Given), (Fd, Format, Given))
EACH(dprintf, vdprintf, (Fd, Format, Given), int Fd, const char *Format)
// What _FORTIFY_SOURCE makes of them.
LIST(__vprintf_chk, (int Flag, const char *Format, va_list Given),
     (Flag, Format, Given))
EACH(__printf_chk, __vprintf_chk, (Flag, Format, Given), int Flag,
     const char *Format)
LIST(__vfprintf_chk, (FILE * F, int Flag, const char *Format, va_list Given),
     (F, Flag, Format, Given))
EACH(__fprintf_chk, __vfprintf_chk, (F, Flag, Format, Given), FILE *F, int Flag,
     const char *Format)
LIST(__vdprintf_chk, (int Fd, int Flag, const char *Format, va_list Given),
     (Fd, Flag, Format, Given))
EACH(__dprintf_chk, __vdprintf_chk, (Fd, Flag, Format, Given), int Fd, int Flag,
     const char *Format)
