//===- CopyTime.h - How long a copy took, as a line of text -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides the one form in which measured copies between pageable memory and a
// device are written: by the probe that measures them, in the device's profile,
// in what `echo-run doctor --probe` prints. `echo-cc --estimate=FILE` reads it:
// "copy H2D BYTES NANOSECONDS", or D2H, and a comment from '#' on. It must
// never take a line for such a copy that says something else.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_ABI_COPYTIME_H
#define ECHO_RUNTIME_ABI_COPYTIME_H

#include <charconv>
#include <optional>
#include <sstream>
#include <stdint.h>
#include <string>

namespace echo {

struct CopyTime {
  bool ToDevice;
  uint64_t Bytes, Ns; ///< neither is 0

  /// In GB/s: 1e9 bytes a second, which is a byte in a nanosecond.
  double rate() const {
    return static_cast<double>(Bytes) / static_cast<double>(Ns);
  }
};

/// True if the first word of \p Line is the one of such lines.
inline bool isCopyTime(const std::string &Line) {
  std::string Word;
  return std::istringstream(Line) >> Word && Word == "copy";
}

inline std::string toText(const CopyTime &T) {
  return std::string("copy ") + (T.ToDevice ? "H2D " : "D2H ") +
         std::to_string(T.Bytes) + " " + std::to_string(T.Ns);
}

/// What \p Line says; nothing if it is of another form.
inline std::optional<CopyTime> readCopyTime(const std::string &Line) {
  std::istringstream Words(Line.substr(0, Line.find('#')));
  std::string Key, Direction, Bytes, Ns, More;
  if (!(Words >> Key >> Direction >> Bytes >> Ns) || Words >> More ||
      Key != "copy" || (Direction != "H2D" && Direction != "D2H"))
    return std::nullopt;
  CopyTime T{Direction == "H2D", 0, 0};
  const auto Reads = [](const std::string &Word, uint64_t &Number) {
    const char *End = Word.data() + Word.size();
    const auto [At, Error] = std::from_chars(Word.data(), End, Number);
    return Error == std::errc() && At == End && Number;
  };
  return Reads(Bytes, T.Bytes) && Reads(Ns, T.Ns) ? std::optional(T)
                                                  : std::nullopt;
}

} // namespace echo

#endif // ECHO_RUNTIME_ABI_COPYTIME_H
