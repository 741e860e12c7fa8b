//===- OutputTap.h - An output of an unseen run -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that asks what its output is, a terminal, a pipe or a file, may do
// something else by the answer. So an unseen run gets what the user's command
// has: a terminal of the same settings and size, a regular file, or else a
// pipe. The text goes to a file without a name in any case. The terminal is
// nobody's controlling terminal, and nothing waits for a process that holds an
// output after the program has ended.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHO_RUN_OUTPUTTAP_H
#define ECHO_TOOLS_ECHO_RUN_OUTPUTTAP_H

#include <atomic>
#include <cstddef>
#include <thread>

namespace echo {

class OutputTap {
  int File;               ///< what gets the text; -1: there is none
  int Source = -1;        ///< where a terminal or a pipe is read from
  int Given = -1;         ///< what the program gets; -1: the file itself
  int Wake[2] = {-1, -1}; ///< its end says that the program has ended
  std::atomic<bool> Failed{false};
  std::thread Reader;

  bool openTerminal(int Like);
  bool openPipe();
  /// The file, opened as \p Like is.
  void openFile(int Like);
  /// Appends what is there to the file; returns how many bytes that are.
  size_t take();
  void read();

public:
  /// \p Like: the descriptor of this process to be like.
  explicit OutputTap(int Like);
  ~OutputTap();
  OutputTap(const OutputTap &) = delete;
  OutputTap &operator=(const OutputTap &) = delete;
  /// False: no output can be kept; errno says why.
  bool isThere() const { return File >= 0; }
  /// What the program gets.
  int descriptor() const { return Given >= 0 ? Given : File; }
  /// The program has ended: all its text goes to the file. False if some of it
  /// found no room there.
  bool finish();
  /// That file.
  int file() const { return File; }
};

} // namespace echo

#endif
