//===- MemoryLimitTest.cpp - Limits of control groups ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/optimize/MemoryLimit.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <stdlib.h>

using namespace echo::dr;
namespace fs = std::filesystem;

namespace {
/// A folder as /sys/fs/cgroup, and a file as /proc/self/cgroup beside it.
class Groups {
public:
  Groups() {
    char Name[] = "/tmp/echo-groups-XXXXXX";
    Folder = mkdtemp(Name);
  }
  ~Groups() { fs::remove_all(Folder); }
  void put(const std::string &Path, const std::string &Text) const {
    fs::create_directories(fs::path(Folder + "/root/" + Path).parent_path());
    std::ofstream(Folder + "/root/" + Path) << Text;
  }
  uint64_t limit(const std::string &Own) const {
    fs::create_directories(Folder + "/root");
    std::ofstream(Folder + "/own") << Own;
    return memoryLimit((Folder + "/own").c_str(), (Folder + "/root").c_str());
  }

private:
  std::string Folder;
};
} // namespace

TEST_CASE("version 2: the smallest limit on the way up holds") {
  const Groups G;
  G.put("memory.max", "max\n");
  G.put("user/memory.max", "8589934592\n");
  G.put("user/job/memory.max", "max\n");
  CHECK(G.limit("0::/user/job\n") == 8589934592);
  CHECK(G.limit("0::/other\n") == UINT64_MAX);
  G.put("user/job/memory.max", "4096\n");
  CHECK(G.limit("0::/user/job\n") == 4096);
}

TEST_CASE("version 2 in a container: the root is the group") {
  const Groups G;
  G.put("memory.max", "1048576\n");
  CHECK(G.limit("0::/\n") == 1048576);
  CHECK(G.limit("0::/../../elsewhere/that/is/not/here\n") == 1048576);
}

TEST_CASE("version 1: the memory controller's folder alone counts") {
  const Groups G;
  G.put("memory/job/memory.limit_in_bytes", "2147483648\n");
  G.put("memory/memory.limit_in_bytes", "9223372036854771712\n");
  G.put("cpu/job/memory.limit_in_bytes", "1\n");
  CHECK(G.limit("3:cpu,cpuacct:/job\n7:memory:/job\n") == 2147483648);
  CHECK(G.limit("3:cpu,memoryx:/job\n") == UINT64_MAX);
  CHECK(G.limit("5:hugetlb,memory:/job/none\n1:name=systemd:/\n") ==
        2147483648);
}

TEST_CASE("what cannot be read is no limit") {
  const Groups G;
  CHECK(memoryLimit("/nowhere", "/nowhere") == UINT64_MAX);
  CHECK(G.limit("") == UINT64_MAX);
  CHECK(G.limit("no colons\n:\n::\n") == UINT64_MAX);
  G.put("memory.max", "99999999999999999999999999\n");
  CHECK(G.limit("0::/\n") == UINT64_MAX);
}
