//===- PseudoTerminal.h - A terminal for an unseen run ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that asks whether its output is a terminal may do something else
// where it is none. So an unseen run gets a terminal where the user's command
// has one: of the same settings and size, whose text goes to a file. It is
// nobody's controlling terminal, and nothing waits for a process that holds it
// after the program has ended.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHO_RUN_PSEUDOTERMINAL_H
#define ECHO_TOOLS_ECHO_RUN_PSEUDOTERMINAL_H

#include <atomic>
#include <cstddef>
#include <thread>

namespace echo {

class PseudoTerminal {
  int Master = -1, Slave = -1, File;
  int Wake[2] = {-1, -1}; ///< a pipe; its end says that the program has ended
  std::atomic<bool> Failed{false};
  std::thread Reader;

  /// Appends what is there to the file; returns how many bytes that are.
  size_t take();
  void read();

public:
  /// \p Fd: the terminal to be like; \p File: what gets the text. Both stay the
  /// caller's.
  PseudoTerminal(int Fd, int File);
  ~PseudoTerminal();
  PseudoTerminal(const PseudoTerminal &) = delete;
  PseudoTerminal &operator=(const PseudoTerminal &) = delete;
  /// What the program gets; -1: there is no terminal to be had.
  int slave() const { return Slave; }
  /// The program has ended: all its text goes to the file. False if some of it
  /// found no room there.
  bool finish();
};

} // namespace echo

#endif
