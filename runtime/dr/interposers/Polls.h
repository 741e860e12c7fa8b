//===- Polls.h - Names that are asked of again and again --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides, in a profile, which names the program asks of again and again while
// it uses the GPU: what others do to such a name while it runs may decide what
// it does, and no key knows that. Decides it from the questions of a name, in
// order, and from the GPU's work between them. Questions between two launches
// or copies are one, since a program that looks for a file, asks how large it
// is and opens it reads one file; but many such questions wait for somebody.
// Names that this process made are its own until it removes or renames them.
// Must never ask the system, allocate, wait, change errno, or take a name for
// one that is not polled because there was no room for it.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_INTERPOSERS_POLLS_H
#define ECHO_RUNTIME_DR_INTERPOSERS_POLLS_H

#include <stdint.h>

namespace echo::dr {

/// So many questions, each after other work of the GPU, make a name polled.
inline constexpr unsigned PolledRounds = 3;
/// So many without such work between them do, too.
inline constexpr unsigned PolledAtOnce = 16;

/// The program launched a kernel or graph, or copied.
void noteGpuWork();

/// What came of a question.
enum class Poll : uint8_t { Once, Polled, NoRoom };

/// The program asked of the name whose hash is \p Key. Polled: it did so once
/// too often; says so once.
Poll askedOf(uint64_t Key);

/// The process made the name anew: only it knows of it, or what was there is
/// gone. It removed it, or gave it another name.
void nameMade(uint64_t Key);
void nameGone(uint64_t Key);
/// Whether it is one that it made.
bool isOwnName(uint64_t Key);

/// What FileFlags of a name come with.
enum class As : uint8_t {
  Question, ///< of the name itself, if the flags are one
  Beside,   ///< of a name that the program has not given
  Making,   ///< the process made it anew
  Filling,  ///< it did so because nothing was there, or it was empty
};

/// In a profile, \p Flags of FileFlags became known of the file \p Where, whose
/// hash is \p Key. One that is polled from now on goes to the trace as such,
/// too, which is there: it is made before the GPU gets work. False: there is no
/// room for another name.
bool notePoll(const char *Where, uint64_t Key, uint8_t Flags, As How);

/// Whether nobody else's contents are at the name whose hash is \p Key, as the
/// process wrote it anew; from here on they are, or may not be.
bool hasOwnContents(uint64_t Key);
void setOwnContents(uint64_t Key, bool Is);

/// In the child of a fork: it has not used the GPU, and made nothing.
void pollsForked();

} // namespace echo::dr

#endif
