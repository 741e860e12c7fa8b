//===- Answers.cpp - What the C library answers from variables ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the C library whose answers depend on what the process began
// with, and that ask for no variable by name: the locale, the expansion of
// words, and whether an output is a terminal. Each calls the C library's own
// with the program's arguments and returns its result and errno. In a profile
// the question is kept before, as a variable that was asked for.
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/Variables.h"
#include "runtime/dr/Core.h"
#include "runtime/dr/Interposers.h"
#include "runtime/dr/Real.h"
#include "runtime/dr/interposers/Surroundings.h"

#include <initializer_list>
#include <locale.h>
#include <unistd.h>
#include <wordexp.h>

using namespace echo::dr;

#define CALLER __builtin_return_address(0)

/// The next function of this very name: another library may stand in front.
#define REAL(name)                                                             \
  static decltype(&::name) Real;                                               \
  if (__builtin_expect(!Real, 0))                                              \
    Real = reinterpret_cast<decltype(&::name)>(next(#name));

static void localeAsked(const char *Name, const void *Caller) {
  if (!Name || *Name || !isRecorded(Caller))
    return;
  for (const char *Each :
       {"LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY",
        "LC_NUMERIC", "LC_TIME", "LANG", "LANGUAGE", "LOCPATH"})
    variableAsked(Each);
}

INTERPOSED char *setlocale(int Category, const char *Name) noexcept {
  REAL(setlocale)
  localeAsked(Name, CALLER);
  return Real(Category, Name);
}

INTERPOSED locale_t newlocale(int Mask, const char *Name,
                              locale_t Base) noexcept {
  REAL(newlocale)
  localeAsked(Name, CALLER);
  return Real(Mask, Name, Base);
}

INTERPOSED int wordexp(const char *Words, wordexp_t *Out, int Flags) {
  REAL(wordexp)
  if (isRecorded(CALLER))
    variableAsked(AllVariablesName);
  return Real(Words, Out, Flags);
}

INTERPOSED int isatty(int Fd) noexcept {
  REAL(isatty)
  if (const char *Name = terminalName(Fd); Name && isRecorded(CALLER))
    variableAsked(Name);
  return Real(Fd);
}
