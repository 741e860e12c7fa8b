//===- ReportFileTest.cpp - Report files shared by compilers --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replacement of a unit's entries, many writing processes, killed writers, and
// files that must not be overwritten.
//
//===----------------------------------------------------------------------===//
#include "Report/Report.h"
#include "ReportExample.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <catch2/catch.hpp>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace echo;

namespace {
/// A directory of its own for one test.
class Folder {
public:
  Folder() {
    llvm::SmallString<128> Path;
    REQUIRE(!llvm::sys::fs::createUniqueDirectory("echo-report", Path));
    Name = std::string(Path);
  }
  ~Folder() { llvm::sys::fs::remove_directories(Name); }
  std::string file(const char *File) const { return Name + "/" + File; }
  std::vector<std::string> list() const {
    std::vector<std::string> Files;
    std::error_code Error;
    for (llvm::sys::fs::directory_iterator I(Name, Error), End;
         I != End && !Error; I.increment(Error))
      Files.push_back(I->path().substr(Name.size() + 1));
    return Files;
  }

private:
  std::string Name;
};
} // namespace

static std::string read(const std::string &Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  return Buffer ? (*Buffer)->getBuffer().str() : "<none>";
}

static std::string message(llvm::Error E) {
  return E ? llvm::toString(std::move(E)) : "";
}

static UnitReport unit(const std::string &Source, size_t Pairs = 1) {
  UnitReport Unit;
  Unit.Source = Source;
  Unit.Pairs.assign(Pairs, unifiedPair());
  return Unit;
}

/// The numbers of pairs by unit, from a JSON report.
static std::map<std::string, size_t> units(const std::string &Path) {
  std::map<std::string, size_t> Found;
  llvm::Expected<llvm::json::Value> Root = llvm::json::parse(read(Path));
  REQUIRE(bool(Root));
  CHECK(Root->getAsObject()->getString("echo"));
  for (const llvm::json::Value &V : *Root->getAsObject()->getArray("units"))
    Found[V.getAsObject()->getString("source")->str()] =
        V.getAsObject()->getArray("pairs")->size();
  return Found;
}

TEST_CASE("a unit replaces its entries and keeps those of others") {
  Folder Dir;
  std::string Json = Dir.file("r.json"), Text = Dir.file("r.txt");
  for (auto [Source, Pairs] :
       {std::pair("b.cu", 1), {"a.cu", 2}, {"b.cu", 3}}) {
    CHECK(message(updateJsonReport(Json, unit(Source, Pairs))) == "");
    CHECK(message(updateReport(Text, unit(Source, Pairs))) == "");
  }
  CHECK(units(Json) == std::map<std::string, size_t>{{"a.cu", 2}, {"b.cu", 3}});
  std::string Lines = read(Text);
  CHECK(Lines.rfind("# unit a.cu\n", 0) == 0);
  size_t B = Lines.find("# unit b.cu\n");
  REQUIRE(B != std::string::npos);
  CHECK(Lines.find("2 pairs: 2 unified\n") < B);
  CHECK(Lines.find("3 pairs: 3 unified\n") > B);
  CHECK(Lines.find("# unit b.cu\n", B + 1) == std::string::npos);
  CHECK(Dir.list().size() == 2);
}

TEST_CASE("so it is of pages and of SARIF") {
  Folder Dir;
  const std::string Html = Dir.file("r.html"), Sarif = Dir.file("r.sarif");
  for (auto [Source, Pairs] : {std::pair("b.cu", 1), {"a<.cu", 2}, {"b.cu", 3}})
    for (const std::string &File : {Html, Sarif})
      CHECK(message(updateReport(File, unit(Source, Pairs))) == "");
  const std::string Page = read(Html);
  CHECK(Page.rfind("<!doctype html>", 0) == 0);
  CHECK(Page.find("a<.cu") == std::string::npos); // escaped everywhere
  CHECK(Page.find("<p>5 pairs") != std::string::npos);
  CHECK(Page.find("a&lt;.cu") < Page.find("<code>b.cu"));
  llvm::Expected<llvm::json::Value> Log = llvm::json::parse(read(Sarif));
  REQUIRE(bool(Log));
  CHECK(Log->getAsObject()->getString("version") == "2.1.0");
  std::map<std::string, size_t> Results;
  for (const llvm::json::Value &Run : *Log->getAsObject()->getArray("runs"))
    for (const llvm::json::Value &R : *Run.getAsObject()->getArray("results"))
      ++Results
          [R.getAsObject()->getObject("properties")->getString("unit")->str()];
  CHECK(Results == std::map<std::string, size_t>{{"a<.cu", 2}, {"b.cu", 3}});
  for (const char *Name : {"x.html", "x.sarif"}) {
    const std::string File = Dir.file(Name);
    std::ofstream(File) << "{\"mine\": 1}\n";
    CHECK(message(updateReport(File, unit("a.cu"))).find("no Echo report") !=
          std::string::npos);
    CHECK(read(File) == "{\"mine\": 1}\n");
  }
}

/// Forks \p Writers processes that each run \p Work with their number.
template <typename Fn>
static std::vector<pid_t> forkWriters(unsigned Writers, Fn Work) {
  std::vector<pid_t> Children;
  for (unsigned I = 0; I < Writers; ++I) {
    pid_t Child = ::fork();
    REQUIRE(Child >= 0);
    if (Child == 0)
      ::_exit(Work(I));
    Children.push_back(Child);
  }
  return Children;
}

TEST_CASE("writers of make -j lose no entries") {
  Folder Dir;
  std::string Json = Dir.file("r.json"), Text = Dir.file("r.txt");
  auto Children = forkWriters(24, [&](unsigned I) {
    for (unsigned Round = 1; Round <= 5; ++Round) {
      UnitReport Unit = unit("u" + std::to_string(I) + ".cu", Round);
      if (updateJsonReport(Json, Unit) || updateReport(Text, Unit))
        return 1;
    }
    return 0;
  });
  for (pid_t Child : Children) {
    int Status = 0;
    REQUIRE(::waitpid(Child, &Status, 0) == Child);
    CHECK(Status == 0);
  }
  auto Found = units(Json);
  CHECK(Found.size() == 24);
  for (const auto &[Source, Pairs] : Found)
    CHECK(Pairs == 5);
  std::string Lines = read(Text);
  size_t Sections = 0;
  for (size_t P = 0; (P = Lines.find("# unit ", P)) != std::string::npos; ++P)
    ++Sections;
  CHECK(Sections == 24);
  CHECK(Dir.list().size() == 2);
}

TEST_CASE("killed writers leave a whole file and no stuck lock") {
  Folder Dir;
  std::string Json = Dir.file("r.json");
  CHECK(message(updateJsonReport(Json, unit("first.cu", 50))) == "");
  auto Children = forkWriters(8, [&](unsigned I) {
    while (true)
      if (updateJsonReport(Json, unit("u" + std::to_string(I) + ".cu", 50)))
        return 1;
    return 0;
  });
  for (pid_t Child : Children) {
    ::usleep(15000);
    ::kill(Child, SIGKILL);
    ::waitpid(Child, nullptr, 0);
    CHECK(units(Json).count("first.cu") == 1);
  }
  CHECK(message(updateJsonReport(Json, unit("last.cu"))) == "");
  CHECK(units(Json).count("last.cu") == 1);
  CHECK(Dir.list().size() == 1);
}

TEST_CASE("a file that is no report is not overwritten") {
  Folder Dir;
  for (const char *Content : {"int main() {}\n", "{\"units\": 3}", "{\"a\""}) {
    std::string Path = Dir.file("app.cu");
    std::ofstream(Path) << Content;
    std::string Error = message(updateJsonReport(Path, unit("a.cu")));
    CHECK(Error.find(Path) != std::string::npos);
    CHECK(Error.find("no Echo report") != std::string::npos);
    CHECK(message(updateReport(Path, unit("a.cu"))) != "");
    CHECK(read(Path) == Content);
  }
  CHECK(Dir.list().size() == 1);
}

TEST_CASE("places that cannot be written are errors with a reason") {
  Folder Dir;
  std::string Missing = Dir.file("no/such/r.json");
  CHECK(message(updateJsonReport(Missing, unit("a.cu")))
            .find("No such file or directory") != std::string::npos);
  CHECK(message(updateReport(Dir.file("."), unit("a.cu"))).find("directory") !=
        std::string::npos);
}

TEST_CASE("links are followed, permissions kept, devices written to") {
  Folder Dir;
  std::string Real = Dir.file("real.json"), Link = Dir.file("link.json");
  CHECK(message(updateJsonReport(Real, unit("a.cu"))) == "");
  ::chmod(Real.c_str(), 0640);
  REQUIRE(::symlink(Real.c_str(), Link.c_str()) == 0);
  CHECK(message(updateJsonReport(Link, unit("b.cu"))) == "");
  CHECK(units(Real).size() == 2);
  struct stat Status;
  REQUIRE(::lstat(Link.c_str(), &Status) == 0);
  CHECK(S_ISLNK(Status.st_mode));
  REQUIRE(::stat(Real.c_str(), &Status) == 0);
  CHECK((Status.st_mode & 0777) == 0640);
  CHECK(message(updateReport("/dev/null", unit("a.cu"))) == "");
  REQUIRE(::stat("/dev/null", &Status) == 0);
  CHECK(S_ISCHR(Status.st_mode));
}

TEST_CASE("a process's output that is a file is appended to, not replaced") {
  Folder Dir;
  std::string Log = Dir.file("log");
  for (pid_t Child : forkWriters(1, [&](unsigned) {
         int Handle = ::open(Log.c_str(), O_CREAT | O_WRONLY, 0644);
         ::dup2(Handle, STDERR_FILENO);
         bool Good = ::write(STDERR_FILENO, "before\n", 7) == 7;
         Good &= !updateReport("/dev/stderr", unit("a.cu"));
         Good &= ::write(STDERR_FILENO, "after\n", 6) == 6;
         return Good ? 0 : 1;
       })) {
    int Status = 0;
    ::waitpid(Child, &Status, 0);
    CHECK(Status == 0);
  }
  std::string Text = read(Log);
  CHECK(Text.rfind("before\n# unit a.cu\n", 0) == 0);
  CHECK(Text.find("1 pair: 1 unified\n# copies removed: 2; 8.0 MiB per run of "
                  "each\nafter\n") != std::string::npos);
}

TEST_CASE("a stream gets the totals of a command's units when it is told to") {
  Folder Dir;
  const std::string Log = Dir.file("log"), Totals = Dir.file("totals");
  for (pid_t Child : forkWriters(1, [&](unsigned) {
         ::dup2(::open(Log.c_str(), O_CREAT | O_WRONLY, 0644), STDERR_FILENO);
         bool Good = !updateReport("/dev/stderr", unit("a.cu"), Totals) &&
                     !updateReport("/dev/stderr", unit("b.cu"), Totals) &&
                     !writeTotals("/dev/stderr", Totals);
         return Good ? 0 : 1;
       })) {
    int Status = 0;
    ::waitpid(Child, &Status, 0);
    CHECK(Status == 0);
  }
  const std::string Text = read(Log);
  const size_t All = Text.find("# all 2 units: 2 pairs: 2 unified\n");
  CHECK(All > Text.find("# unit b.cu\n"));
  CHECK(All != std::string::npos);
  CHECK(Text.find("# copies removed: 4;") > All);
  CHECK(Text.find("# copies removed: 4;") == Text.rfind("# copies removed: "));
  CHECK(message(writeTotals("/dev/null", Dir.file("none"))).find("none") !=
        std::string::npos);
}
