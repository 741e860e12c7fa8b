//===- NameState.h - What a program leaves at a name ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is at a path besides the contents of a file: nothing, a folder, a link
// and where it leads to, and of what is there mode, owner, times and extended
// attributes. Runs are compared by it part by part: a part in which plain runs
// differ is left out, and no other. A path that is gone or may not be looked at
// is a state as any other.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_NAMESTATE_H
#define ECHO_PROFILE_NAMESTATE_H

#include <cstdint>
#include <map>
#include <string>

struct stat;

namespace echo::drtool {

class NameState {
public:
  /// What is at \p Path now.
  explicit NameState(const std::string &Path);

  /// After a run from \p From to \p Until, in nanoseconds of the time of day,
  /// before which it was \p Before: a time that lies in the run is the one of
  /// some write, and says nothing else. Any other one was set.
  void settleTimes(const NameState &Before, uint64_t From, uint64_t Until);

private:
  friend class NamePattern;
  /// What a part is, in words for people, and after a null character its name
  /// among those of its kind; and its value.
  std::map<std::string, std::string> Parts;
  struct Time {
    uint64_t Inode, Nanoseconds;
    bool operator==(const Time &) const = default;
  };
  std::map<std::string, Time> Times; ///< parts that are times

  void addLeading(const std::string &Path);
  void addFacts(const std::string &Path, const struct stat &S,
                const std::string &Of);
  void addAttributes(const std::string &Path, bool Follows,
                     const std::string &Of);
};

/// What plain runs leave at a name, as far as they agree.
class NamePattern {
  std::map<std::string, std::string> Agreed;
  bool Known = false, Whole = true;

public:
  /// Another plain run, or the first one.
  void merge(const NameState &S);
  /// True if plain runs agreed in all parts.
  bool isWhole() const { return Whole; }
  /// How \p S, which a run left at \p Path, is otherwise, for people; empty if
  /// it is not.
  std::string differs(const NameState &S, const std::string &Path) const;
};

} // namespace echo::drtool

#endif
