//===- BackingRules.cpp - What ECHO_BACKING asks for ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A place matches if its file's last parts are those asked for, and its line
// and column, where asked for, are equal. See BackingRules.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/BackingRules.h"

#include <string.h>

namespace echo::rt {

static bool equals(const char *Text, size_t Length, const char *Word) {
  return Length == strlen(Word) && !memcmp(Text, Word, Length);
}

static bool parseKind(const char *Text, size_t Length, Wish &W) {
  W = Wish();
  if (equals(Text, Length, "auto"))
    return true;
  W.Auto = false;
  for (unsigned I = 0; I != NumBackings; ++I) {
    W.Forced = static_cast<Backing>(I);
    if (equals(Text, Length, backingName(W.Forced)))
      return true;
  }
  return false;
}

const char *parseBackings(const char *Value, BackingRules &Rules) {
  Rules = BackingRules();
  bool HasDefault = false;
  for (const char *Item = Value; *Value; Item = Value) {
    size_t Length = strcspn(Item, ",");
    Value = Item + Length + (Item[Length] == ',');
    const char *Equal = static_cast<const char *>(memrchr(Item, '=', Length));
    const char *Kind = Equal ? Equal + 1 : Item;
    Wish W;
    if (!parseKind(Kind, static_cast<size_t>(Item + Length - Kind), W))
      return Item;
    if (!Equal) {
      if (HasDefault)
        return Item;
      HasDefault = true;
      Rules.Default = W;
      continue;
    }
    if (Equal == Item || Rules.NumPairs == BackingRules::MaxPairs)
      return Item;
    Rules.Pairs[Rules.NumPairs++] = {Item, static_cast<size_t>(Equal - Item),
                                     W};
  }
  return nullptr;
}

/// True if \p Place ("dir/a.cu:12:20") is what \p Asked names.
static bool namesPlace(const char *Asked, size_t AskedLength, const char *Place,
                       size_t PlaceLength) {
  // The file may begin after any '/'; after what is asked for comes the end
  // or a further number.
  for (size_t Start = 0; Start + AskedLength <= PlaceLength; ++Start) {
    if (Start && Place[Start - 1] != '/')
      continue;
    const char *End = Place + Start + AskedLength;
    if (!memcmp(Place + Start, Asked, AskedLength) &&
        (End == Place + PlaceLength || *End == ':'))
      return true;
  }
  return false;
}

static bool namesGroup(const BackingRules::Rule &R, const char *Group) {
  for (const char *Side = Group;;) {
    const char *Next = strstr(Side, " + ");
    const char *End = Next ? Next : Side + strlen(Side);
    // The variable's name follows the place, if it has one.
    for (const char *Space = Side; Space != End; ++Space)
      if (*Space == ' ' && namesPlace(R.Place, R.Length, Side,
                                      static_cast<size_t>(Space - Side)))
        return true;
    if (namesPlace(R.Place, R.Length, Side, static_cast<size_t>(End - Side)))
      return true;
    if (!Next)
      return false;
    Side = Next + 3;
  }
}

Wish wishFor(const BackingRules &Rules, const char *Group) {
  Wish W = Rules.Default;
  for (unsigned I = 0; Group && I != Rules.NumPairs; ++I)
    if (namesGroup(Rules.Pairs[I], Group))
      W = Rules.Pairs[I].W;
  return W;
}

} // namespace echo::rt
