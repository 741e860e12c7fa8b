//===- Answers.cpp - What the driver says of memory that a mode made ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program may ask what a host pointer is, or register the memory, while a
// mode has it pinned and other threads copy it. The question is then put about
// an ordinary page, so that answer and error are those of ordinary memory in
// this version of CUDA. A call that is not one of these is never answered here.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/driver/Call.h"
#include "runtime/dr/driver/Resolve.h"

#include <string.h>

namespace echo::dr {

void renameAnswer(void *Answer, size_t Bytes, const Seen &As,
                  const void *Asked) {
  for (size_t At = 0; Answer && At + sizeof Asked <= Bytes; At += sizeof Asked)
    if (char *Word = static_cast<char *>(Answer) + At;
        !memcmp(Word, &As.Instead, sizeof Asked))
      memcpy(Word, &Asked, sizeof Asked);
}

unsigned registeredFlags(unsigned Flags, const Seen &As) {
  constexpr unsigned Portable = 1; // the mode's own registration has it
  return (Flags & ~Portable) | (As.Flags & Portable);
}

/// The attributes of a pointer that are addresses.
static bool isAddress(uint32_t Attribute) {
  constexpr uint32_t DevicePointer = 3, HostPointer = 4, RangeStart = 11;
  return Attribute == DevicePointer || Attribute == HostPointer ||
         Attribute == RangeStart;
}

static void rename(const Call &C, const Seen &As, const void *Asked) {
  if (C.Row.Roles[0] == Role::Out && C.Row.NumArgs == 3 &&
      C.Row.Roles[1] == Role::Value && isAddress(uint32_t(C.Args[1])))
    return renameAnswer(at<void>(C.Args[0]), sizeof Asked, As, Asked);
  if (C.Row.NumArgs != 4) // cuPointerGetAttributes
    return;
  const auto *Attributes = at<const uint32_t>(C.Args[1]);
  auto *const *Answers = at<void *const>(C.Args[2]);
  for (uint32_t I = 0; I != uint32_t(C.Args[0]); ++I)
    if (isAddress(Attributes[I]))
      renameAnswer(Answers[I], sizeof Asked, As, Asked);
}

bool answerAbout(const Call &C, void *Function, int &Status) {
  const bool Registers = C.Row.Kind == DriverKind::Register,
             Unregisters = C.Row.Kind == DriverKind::Unregister;
  if (!Registers && !Unregisters && C.Row.Kind != DriverKind::Inspect)
    return false;
  const int Place =
      C.find(Role::Host) >= 0 ? C.find(Role::Host) : C.find(Role::Dev);
  if (Place < 0)
    return false;
  const void *Asked = at(C.Args[Place]);
  Status = 0;
  if (Registers)
    return registeredInstead(Asked, C.get(Role::Bytes),
                             static_cast<unsigned>(C.get(Role::Value)));
  if (Unregisters && unregisteredInstead(Asked))
    return true;
  const Seen As = seenAt(Asked);
  if (As.How == Seen::AsItIs)
    return false;
  uint64_t Args[MaxDriverArgs];
  memcpy(Args, C.Args, C.Row.NumArgs * sizeof *Args);
  if (As.How == Seen::Ordinary)
    Args[Place] = reinterpret_cast<uint64_t>(As.Instead);
  Status = invokeDriver(C.Row, Function, Args);
  if (As.How == Seen::Ordinary)
    rename(C, As, Asked);
  else if (C.Row.NumArgs == 2 && !Status && !Unregisters) // cuMemHostGetFlags
    if (auto *Flags = at<unsigned>(C.Args[0]))
      *Flags = registeredFlags(*Flags, As);
  return true;
}

} // namespace echo::dr
