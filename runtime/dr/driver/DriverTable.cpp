//===- DriverTable.cpp - The driver's entry points as a table -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands DriverApi.def. The words of a row are read while Echo is compiled: a
// wrong word, or a number of words that is not the row's, does not compile.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/driver/DriverTable.h"

#include <stdio.h>
#include <string.h>

namespace echo::dr {

namespace {

constexpr bool sameWord(const char *Word, size_t Length, const char *Name) {
  for (size_t I = 0; I != Length; ++I)
    if (Word[I] != Name[I] || !Name[I])
      return false;
  return !Name[Length];
}

constexpr Role roleOf(const char *Word, size_t Length) {
  unsigned Number = 0;
  for (const char *Name : RoleNames) {
    if (sameWord(Word, Length, Name))
      return static_cast<Role>(Number);
    ++Number;
  }
  __builtin_trap(); // not a constant expression: a word that is no role
}

constexpr DriverRow rowOf(const char *Symbol, const char *Base, int Version,
                          Variant Suffix, int PerThreadVersion, DriverKind Kind,
                          Reason Why, unsigned NumArgs, const char *Words) {
  DriverRow Row{Symbol, Base, Version, Suffix, PerThreadVersion,
                Kind,   Why,  0,       {},     {}};
  while (*Words) {
    size_t Length = 0;
    while (Words[Length] && Words[Length] != ' ')
      ++Length;
    const Role Is = Row.Roles[Row.NumArgs++] = roleOf(Words, Length);
    uint8_t &Place = Row.Places[static_cast<unsigned>(Is)];
    Place = Place ? Place : static_cast<uint8_t>(Row.NumArgs);
    Words += Length + (Words[Length] == ' ');
  }
  if (Row.NumArgs != NumArgs)
    __builtin_trap();
  return Row;
}

} // namespace

constexpr DriverRow DriverRows[NumDriverRows] = {
#define DRIVER_API(symbol, base, version, suffix, perThread, kind, reason, n,  \
                   roles)                                                      \
  rowOf(#symbol, #base, version, Variant::suffix, perThread, DriverKind::kind, \
        Reason::reason, n, roles),
#include "runtime/dr/driver/DriverApi.def"
};

DriverEntry driverEntryBySymbol(const char *Symbol) {
  const size_t Length = strlen(Symbol);
  const bool Suffixed = Length > 5 && (!strcmp(Symbol + Length - 5, "_ptds") ||
                                       !strcmp(Symbol + Length - 5, "_ptsz"));
  for (unsigned Row = 0; Row != NumDriverRows; ++Row) {
    const DriverRow &R = DriverRows[Row];
    if (!strcmp(R.Symbol, Symbol))
      return {Row, false};
    if (!Suffixed || R.Suffix == Variant::none)
      continue;
    const bool Ptds = Symbol[Length - 1] == 's';
    if (Ptds == (R.Suffix == Variant::ptds) && strlen(R.Symbol) == Length - 5 &&
        !strncmp(R.Symbol, Symbol, Length - 5))
      return {Row, true};
  }
  return {};
}

DriverEntry driverEntryByProc(const char *Base, int Version, bool PerThread) {
  DriverEntry Best;
  for (unsigned Row = 0; Row != NumDriverRows; ++Row) {
    const DriverRow &R = DriverRows[Row];
    if (R.Version > Version || strcmp(R.Base, Base) != 0)
      continue;
    if (Best && DriverRows[Best.Row].Version > R.Version)
      continue;
    Best = {Row, PerThread && R.Suffix != Variant::none &&
                     Version >= R.PerThreadVersion};
  }
  return Best;
}

const char *driverSymbol(DriverEntry Entry, char *Buffer, size_t Bytes) {
  const DriverRow &R = DriverRows[Entry.Row];
  const char *Suffix = !Entry.PerThread            ? ""
                       : R.Suffix == Variant::ptds ? "_ptds"
                                                   : "_ptsz";
  snprintf(Buffer, Bytes, "%s%s", R.Symbol, Suffix);
  return Buffer;
}

} // namespace echo::dr
