//===- Surroundings.h - What the program reads besides memory ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of environment variables that the program asks for, and the files
// that it opens or asks of, for a profile: a plan's key is made of them.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_INTERPOSERS_SURROUNDINGS_H
#define ECHO_RUNTIME_DR_INTERPOSERS_SURROUNDINGS_H

#include "runtime/abi/Variables.h"
#include "runtime/dr/Interposers.h"

#include <stdint.h>

namespace echo::dr {

/// From here on names are kept, once each, with those that were asked for
/// before.
void recordSurroundings();

/// The process uses CUDA: what was kept goes to the trace, and what follows.
/// Other processes leave no trace for it.
void writeSurroundings();
/// Whether it did.
bool surroundingsWritten();

/// In the child of a fork: its own trace, if it has one, begins with what its
/// parent saw.
void surroundingsForked();

/// Whether a call from \p Caller is the program's, in a profile.
bool isRecorded(const void *Caller);

/// The program's result may depend on variable \p Name, or on what such a name
/// stands for (Variables.h), which the code at \p Caller asked for. Keeps
/// errno.
void variableAsked(const char *Name, const void *Caller);

/// In place of flags: what is left at the name is a result of the program.
inline constexpr uint16_t FileChanged = 1024;

/// The program learned of a file what \p Flags of FileFlags say, or
/// FileChanged. \p Path was given with the folder \p At; empty: of more than
/// can be kept. Keeps errno.
void fileAsked(int At, const char *Path, uint16_t Flags);

/// In a profile, an open of \p Path by \p Flags of open(2) gave \p Fd, or
/// failed. Keeps errno.
void fileOpened(int At, const char *Path, int Flags, int Fd);

/// The code at \p Caller lists the folder that is open as \p Fd. Keeps errno.
void folderListed(int Fd, const void *Caller);

/// The program makes \p Path, given with the folder \p At: whether it can is a
/// question of the folder, too. Keeps errno.
void folderAsked(int At, const char *Path);

/// In a profile, the process made \p Path, which was not there; or it gave
/// \p From the name \p To, in its own's place or beside it; or all that is in
/// \p Path is its own. What it made nobody else changes (Polls.h); what it gave
/// a name may be another's. Keep errno.
void fileMade(int At, const char *Path);
void fileMoved(int FromAt, const char *From, int At, const char *To);
void fileLinked(int FromAt, const char *From, int At, const char *To);
void contentsMade(int At, const char *Path);

/// The code at \p Caller asks of \p Fd what \p Question names: what file it
/// is and how it is to be used, or whether it is a terminal and how large. In a
/// profile that is a question of each standard output that is the same file,
/// under whatever number. Keeps errno.
void outputAsked(int Fd, const void *Caller,
                 const char *(*Question)(int Output) = outputName);

/// Null pointers are the program's to pass: GCC believes headers that say no.
template <class T> T *hidden(T *Pointer) {
  __asm__("" : "+r"(Pointer));
  return Pointer;
}

/// The same for the code at \p Caller, in a profile. The empty path, and null,
/// are never anything.
inline void lookedAt(int At, const char *Path, uint16_t Flags,
                     const void *Caller) {
  if (__builtin_expect(isRecorded(Caller), 0) && hidden(Path) && *Path)
    fileAsked(At, Path, Flags);
}

/// After a call that gave \p Status, and if that is 0 changed what is at
/// \p Path.
inline void nameChanged(int At, const char *Path, int Status,
                        const void *Caller) {
  if (Status == 0)
    lookedAt(At, Path, FileChanged, Caller);
}
/// The same of the name of what is open as \p Fd.
void descriptorChanged(int Fd, int Status, const void *Caller);

/// The code at \p Caller is about to make a call whose path the kernel reads.
inline void pathUsed(const char *Path, const void *Caller) {
  if (hidden(Path))
    kernelUses(Path, 1, Caller);
}

/// The program, from outside of Echo and CUDA, starts \p What, which may read
/// files that are not recorded; may be a child of vfork. Keeps errno.
void processStarted(const char *What);
/// The process has forked: the child leaves a trace if it calls CUDA.
void processForked();

} // namespace echo::dr

#endif
