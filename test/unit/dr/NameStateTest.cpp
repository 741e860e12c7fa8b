//===- NameStateTest.cpp - What a program leaves at a name ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each part of what is at a name is compared by itself, and only as far as
// plain runs agree on it.
//
//===----------------------------------------------------------------------===//
#include "Profile/NameState.h"
#include "Profile/Files.h"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

using namespace echo::drtool;
namespace fs = std::filesystem;

namespace {
constexpr uint64_t Second = 1000000000;

uint64_t now() { return uint64_t(time(nullptr)) * Second; }

struct Place {
  fs::path Folder =
      fs::temp_directory_path() / ("echo-names-" + std::to_string(getpid()));
  std::string Name;

  explicit Place(const std::string &Name) : Name((Folder / Name).string()) {
    fs::create_directories(Folder);
  }
  Place(const Place &) = delete;
  Place &operator=(const Place &) = delete;
  ~Place() { fs::remove_all(Folder); }

  /// What a run leaves that does \p Act.
  NameState after(const std::function<void()> &Act) const {
    const NameState Before(Name);
    const uint64_t From = now();
    Act();
    NameState Out(Name);
    Out.settleTimes(Before, From, now() + Second);
    return Out;
  }
  std::string differs(const NamePattern &P,
                      const std::function<void()> &Act) const {
    return P.differs(after(Act), Name);
  }
  void write(const std::string &Text) const {
    REQUIRE(writeFile(Name, Text) == "");
  }
  void link(const std::string &To) const {
    unlink(Name.c_str());
    REQUIRE(symlink(To.c_str(), Name.c_str()) == 0);
  }
  void setTime(time_t Seconds) const {
    const timespec To[2] = {{Seconds, 0}, {Seconds, 0}};
    REQUIRE(utimensat(AT_FDCWD, Name.c_str(), To, 0) == 0);
  }
};
} // namespace

TEST_CASE("a name is there or not, as one kind of file") {
  const Place F("name");
  NamePattern Plain;
  Plain.merge(F.after([] {}));
  Plain.merge(F.after([] {}));
  CHECK(Plain.isWhole());
  CHECK(F.differs(Plain, [] {}) == "");
  CHECK(F.differs(Plain, [&] { F.write("x"); }) ==
        "it leaves a file at " + F.Name + " instead of nothing");
  NamePattern Links;
  for (int Run = 0; Run != 2; ++Run)
    Links.merge(F.after([&] { F.link("A"); }));
  CHECK(Links.isWhole());
  CHECK(F.differs(Links, [&] { F.link("A"); }) == "");
  CHECK(F.differs(Links, [&] { F.link("B"); }) ==
        "it leaves " + F.Name + " with another target");
  CHECK(F.differs(Links, [&] { F.link("\xff\n\x1b"); }) ==
        "it leaves " + F.Name + " with another target");
  CHECK(F.differs(Links, [&] { unlink(F.Name.c_str()); }) ==
        "it leaves nothing at " + F.Name + " instead of a symbolic link");
  CHECK(F.differs(Links, [&] { mkdir(F.Name.c_str(), 0700); }) ==
        "it leaves a folder at " + F.Name + " instead of a symbolic link");
}

TEST_CASE("a part in which plain runs differ is left out alone") {
  const Place F("name");
  NamePattern Plain;
  Plain.merge(F.after([&] { F.link("run1"); }));
  Plain.merge(F.after([&] { F.link("run2"); }));
  CHECK_FALSE(Plain.isWhole());
  CHECK(F.differs(Plain, [&] { F.link("run3"); }) == "");
  CHECK(F.differs(Plain, [&] { unlink(F.Name.c_str()); }) != "");
  NamePattern Toggled;
  Toggled.merge(F.after([] {}));
  Toggled.merge(F.after([&] { F.link("A"); }));
  CHECK_FALSE(Toggled.isWhole());
  CHECK(F.differs(Toggled, [&] { F.write("x"); }) == "");
  CHECK(F.differs(Toggled, [&] { unlink(F.Name.c_str()); }) == "");
}

TEST_CASE("times count where they were set, and modes do") {
  const Place F("name");
  NamePattern Written, Set;
  for (int Run = 0; Run != 2; ++Run)
    Written.merge(F.after([&] { F.write("x"); }));
  CHECK(Written.isWhole());
  CHECK(F.differs(Written, [&] { F.write("y"); }) == ""); // others look at that
  CHECK(F.differs(Written, [&] { F.setTime(1000); }) ==
        "it leaves " + F.Name + " with another modification time");
  for (int Run = 0; Run != 2; ++Run)
    Set.merge(F.after([&] {
      F.write("x");
      F.setTime(1000);
    }));
  CHECK(Set.isWhole());
  CHECK(F.differs(Set, [&] { F.setTime(1000); }) == "");
  CHECK(F.differs(Set, [&] { F.setTime(1016); }) != "");
  F.setTime(1000);
  CHECK(F.differs(Set, [&] { F.write("x"); }) != "");
  F.setTime(1000);
  CHECK(F.differs(Set, [&] { chmod(F.Name.c_str(), 0700); }) ==
        "it leaves " + F.Name + " with another mode");
}

TEST_CASE("what a link leads to counts, too") {
  const Place F("name"), To("target");
  To.write("x");
  F.link("target");
  NamePattern Plain;
  for (int Run = 0; Run != 2; ++Run)
    Plain.merge(F.after([&] { F.setTime(1000); }));
  CHECK(Plain.isWhole());
  CHECK(F.differs(Plain, [&] { F.setTime(1016); }) ==
        "it leaves " + F.Name +
            " with another modification time of what it leads to");
  CHECK(F.differs(Plain, [&] { unlink(To.Name.c_str()); }) ==
        "it leaves " + F.Name + " with another kind of what it leads to");
}

TEST_CASE("extended attributes count by name and value") {
  const Place F("\xfe name");
  auto Give = [&](const char *Name, const std::string &Value) {
    return setxattr(F.Name.c_str(), Name, Value.data(), Value.size(), 0) == 0;
  };
  F.write("x");
  if (!Give("user.took", "32"))
    return; // a file system without them
  NamePattern Plain;
  for (int Run = 0; Run != 2; ++Run)
    Plain.merge(F.after([&] { Give("user.run", std::to_string(Run)); }));
  CHECK_FALSE(Plain.isWhole());
  CHECK(F.differs(Plain, [&] { Give("user.run", "9"); }) == "");
  CHECK(F.differs(Plain, [&] { Give("user.took", std::string("3\0", 2)); }) ==
        "it leaves " + F.Name + " with another extended attribute");
  Give("user.took", "32");
  CHECK(F.differs(Plain, [&] { Give("user.\xff", ""); }) ==
        "it leaves " + F.Name + " with another set of extended attributes");
  removexattr(F.Name.c_str(), "user.\xff");
  CHECK(F.differs(Plain, [] {}) == "");
}
