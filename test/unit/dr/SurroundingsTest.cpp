//===- SurroundingsTest.cpp - What a program's result can depend on -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a trace saw becomes a part of the key, and each change of it is named.
// Contents are compared in full, whatever times and sizes say.
//
//===----------------------------------------------------------------------===//
#include "Profile/Surroundings.h"
#include "Profile/FileInputs.h"
#include "Profile/Files.h"

#include "runtime/abi/FileHash.h"

#include <catch2/catch.hpp>
#include <map>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/vfs.h>
#include <unistd.h>

using namespace echo;
using namespace echo::drtool;
namespace fs = std::filesystem;

namespace {
struct WorkFolder {
  fs::path Path =
      fs::temp_directory_path() / ("echo-around-" + std::to_string(getpid()));
  WorkFolder() {
    fs::create_directories(Path / "plans");
    setenv("ECHO_PLAN_DIR", (Path / "plans").c_str(), 1);
  }
  ~WorkFolder() {
    unsetenv("ECHO_PLAN_DIR");
    fs::remove_all(Path);
  }
  std::string at(const std::string &Name) const {
    return (Path / Name).string();
  }
  std::string write(const std::string &Name, const std::string &Text) const {
    REQUIRE(writeFile(at(Name), Text) == "");
    return at(Name);
  }
};

std::string whatOf(const PlanContext &C, const std::string &Path) {
  for (const PlanInput &F : C.Files)
    if (F.Path == Path)
      return F.What;
  return "";
}
} // namespace

TEST_CASE("files that the program reads are a part of the key") {
  WorkFolder F;
  const std::string Program = F.write("app", "program"),
                    Library = F.write("lib.so", "library"),
                    Input = F.write("in.txt", "1"),
                    Config = F.write("config", "x"),
                    Output = F.write("out.txt", "o"),
                    State = F.write("state", "s");
  PlanContext C;
  C.Command = C.Executable = {Program, 1};
  C.Folder = F.Path.string();
  C.Arguments = {"--input=in.txt", "-oout.txt", "none", "7"};
  Trace T;
  T.ExecutableHash = 1;
  T.Modules = {{1, Program}, {2, Library}};
  T.Files = {{Config, dr::FileRead},
             {F.at("optional"), dr::FileRead},
             {Output, dr::FileWritten},
             {"/proc/self/maps", dr::FileRead}};
  T.Changed = {F.at("link"), F.at("__pycache__/app.pyc"), "/dev/one",
               "/dev/shm/gone"};
  takeSurroundings(C, {T});
  CHECK(whatOf(C, Program) == "program");
  CHECK(whatOf(C, Library) == "library");
  CHECK(whatOf(C, Input) == "argument");
  CHECK(whatOf(C, Config) == "opened");
  CHECK(whatOf(C, Output) == "");
  CHECK(whatOf(C, "/proc/self/maps") == "");
  CHECK(C.Written == std::vector<std::string>{Output});
  CHECK(C.Changed == std::vector<std::string>{"/dev/shm/gone", F.at("link"),
                                              Output}); // but for caches
  CHECK_FALSE(C.Unseen);
  CHECK(changedFiles(C).empty());

  using Texts = std::vector<std::string>;
  F.write("in.txt", "2");
  CHECK(changedFiles(C) == Texts{Input + " has changed since"});
  F.write("in.txt", "1"); // another file of the same contents
  CHECK(changedFiles(C).empty());
  F.write("optional", "now");
  CHECK(changedFiles(C) == Texts{F.at("optional") + " was not there"});
  fs::remove(F.at("optional"));
  fs::remove(Config);
  CHECK(changedFiles(C) == Texts{Config + " is not there any more"});
  F.write("config", "y");
  CHECK(dropChanged(C) == Texts{Config});
  CHECK(changedFiles(C).empty());

  T.Files[State] = dr::FileRead | dr::FileWritten;
  takeSurroundings(C, {T});
  REQUIRE(C.Unseen);
  CHECK(*C.Unseen == "the program reads " + State + ", which it writes, too");
  T.Files.erase(State);
  T.MoreFiles = true;
  takeSurroundings(C, {T});
  CHECK(C.Unseen);
}

TEST_CASE("what the driver compiled is no input, what a cache holds is") {
  WorkFolder F;
  fs::create_directories(F.Path / ".nv" / "ComputeCache" / "a");
  fs::create_directories(F.Path / ".cache" / "models");
  const std::string Program = F.write("app", "program"),
                    Compiled = F.write(".nv/ComputeCache/a/1", "code"),
                    Index = F.write(".nv/ComputeCache/index", "1"),
                    Model = F.write(".cache/models/m", "weights");
  const char *Home = getenv("HOME");
  const std::string Before = Home ? Home : "";
  setenv("HOME", F.Path.c_str(), 1);
  PlanContext C;
  C.Command = C.Executable = {Program, 1};
  C.Folder = F.Path.string();
  Trace T;
  T.ExecutableHash = 1;
  T.Files = {{Compiled, dr::FileRead},
             {Index, dr::FileRead | dr::FileWritten | dr::FileLooked},
             {Model, dr::FileRead}};
  takeSurroundings(C, {T});
  setenv("HOME", Before.c_str(), 1);
  CHECK(whatOf(C, Compiled) == "");
  CHECK(whatOf(C, Index) == "");
  CHECK(whatOf(C, Model) == "opened");
  CHECK(!C.Unseen);
}

TEST_CASE("a name that is asked of again and again closes the plan") {
  WorkFolder F;
  PlanContext C;
  C.Script.Path = F.at("app.py");
  Trace T;
  const auto Said = [&](const std::string &Path, uint8_t Flags) {
    T.Polled = {{Path, Flags}};
    takeSurroundings(C, {T});
    return C.Unseen.value_or("");
  };
  const std::string Control = F.at("control");
  const std::string Why =
      "the program looks at " + Control +
      " again and again, which others may change while it runs";
  CHECK(Said(Control, dr::FileLooked) == Why);
  T.Files = {{Control, dr::FileWritten}}; // it appends to it, too
  CHECK(Said(Control, dr::FileStated) == Why);
  CHECK(Said("/etc/hosts", dr::FileStated) == "");
  CHECK(Said("/tmp/\xff", dr::FileRead) ==
        "the program looks at a file again and again, which others may change "
        "while it runs");
  T.Files = {{"/dev/shm/gone", dr::FileWritten}}; // as processes use it
  CHECK(Said("/dev/shm/gone", dr::FileRead) == "");
  CHECK(Said("/dev/shm/others", dr::FileRead) != "");

  // Python asks of the folders that it imports from, but lists none of them
  // again and again.
  T.Files = {{F.at("lib/own/part.py"), dr::FileRead}};
  CHECK(Said(F.at("lib"), dr::FileStated) != "");
  T.Modules = {{1, "/usr/bin/python3.11"}};
  CHECK(Said(F.at("lib"), dr::FileStated) == "");
  CHECK(Said(F.at("lib/own"), dr::FileStated) == "");
  CHECK(Said(F.Path.string(), dr::FileStated) == ""); // where the script is
  CHECK(Said(F.at("other"), dr::FileStated) != "");
  CHECK(Said(F.at("lib"), dr::FileListed) != "");
  CHECK(Said(F.at("site-packages/torch"), dr::FileListed) == "");
}

TEST_CASE("what the program asks of files without opening them") {
  WorkFolder F;
  const std::string Looked = F.write("looked", "1"),
                    Sized = F.write("sized", "1"),
                    State = F.write("state", "1"),
                    Opened = F.write("opened", "1"), Absent = F.at("absent"),
                    Link = F.at("link"), Parts = F.at("parts"),
                    Package = F.at("site-packages/a/b.py");
  fs::create_directories(Parts);
  fs::create_symlink("A", Link);
  PlanContext C;
  Trace T;
  T.Files = {{Looked, dr::FileLooked},
             {Sized, dr::FileStated | dr::FileWritten},
             {State, dr::FileStated},
             {Opened, dr::FileStated | dr::FileRead},
             {Absent, dr::FileStated},
             {Link, dr::FileLink},
             {Parts, dr::FileListed},
             {Package, dr::FileStated},
             {F.at("parts/out"), dr::FileWritten}};
  takeSurroundings(C, {T});
  CHECK_FALSE(C.Unseen);
  CHECK(whatOf(C, Looked) == "looked");
  CHECK(whatOf(C, Sized) == "sized");
  CHECK(whatOf(C, State) == "state");
  CHECK(whatOf(C, Opened) == "opened");
  CHECK(whatOf(C, Link) == "link");
  CHECK(whatOf(C, Parts) == "listed");
  CHECK(whatOf(C, Package) == "state");
  Trace Python = T;
  Python.Modules.emplace(9, "/usr/lib/libpython3.11.so.1.0");
  PlanContext OfPython = C;
  takeSurroundings(OfPython, {Python});
  CHECK(whatOf(OfPython, Package) == "");
  CHECK(changedFiles(C).empty());
  using Texts = std::vector<std::string>;
  auto Changes = [&](const std::string &Path, auto Change) {
    Change();
    const Texts Found = changedFiles(C);
    takeSurroundings(C, {T});
    return std::count_if(Found.begin(), Found.end(), [&](const std::string &S) {
      return S.compare(0, Path.size() + 1, Path + " ") == 0;
    });
  };
  // A later time says nothing of a file that is only looked for or read.
  const auto Later = fs::last_write_time(State) + std::chrono::seconds(9);
  auto Touch = [&](const std::string &Path) {
    return Changes(Path, [&] { fs::last_write_time(Path, Later); });
  };
  CHECK(Touch(Looked) == 0);
  CHECK(Touch(Sized) == 0);
  CHECK(Touch(Opened) == 0);
  CHECK(Touch(State) == 1);
  CHECK(Changes(Looked, [&] { F.write("looked", "longer"); }) == 0);
  CHECK(Changes(Sized, [&] { F.write("sized", "longer"); }) == 1);
  CHECK(Changes(Looked, [&] { fs::remove(Looked); }) == 1);
  CHECK(Changes(Absent, [&] { F.write("absent", ""); }) == 1);
  CHECK(Changes(Parts, [&] { F.write("parts/out", ""); }) == 0);
  // Whether a name is there that the program writes shows in its list.
  const std::string Out = F.at("parts/out");
  CHECK(Changes(Out, [&] { F.write("parts/out", "other"); }) == 0);
  CHECK(Changes(Out, [&] { fs::remove(Out); }) == 1);
  CHECK(Changes(Parts, [&] { F.write("parts/1", ""); }) == 1);
  CHECK(Changes(Link, [&] {
          fs::remove(Link);
          fs::create_symlink("B", Link);
        }) == 1);
}

TEST_CASE("what a run made in memory, and was not there, may be there") {
  PlanContext C;
  Trace T;
  const std::string Gone = "/dev/shm/gone";
  T.Files = {{Gone, dr::FileWritten | dr::FileStated}};
  takeSurroundings(C, {T});
  CHECK(whatOf(C, Gone) == "state");
  // A name that it made for itself alone.
  T.Files = {{Gone, dr::FileWritten | dr::FileLooked}};
  takeSurroundings(C, {T});
  CHECK(whatOf(C, Gone) == "");
}

TEST_CASE("a folder is listed by any of its names") {
  WorkFolder F;
  for (const char *Name : {"", ".", "../parts"}) {
    const std::string Parts = F.at("parts"), Out = Parts + "/out";
    fs::create_directories(Parts);
    PlanContext C;
    Trace T;
    T.Files = {{Parts + "/" + Name, dr::FileListed}, {Out, dr::FileWritten}};
    takeSurroundings(C, {T});
    CHECK(whatOf(C, Out) == "looked");
    T.Files = {{F.at("./"), dr::FileListed}, {Out, dr::FileWritten}};
    takeSurroundings(C, {T});
    CHECK(whatOf(C, Out) == "");
  }
}

TEST_CASE("processes that leave no trace may read what they like") {
  WorkFolder F;
  PlanContext C;
  Trace T, Child;
  T.Pid = 7;
  Child.Pid = 8;
  Child.ParentPid = 7;
  T.Forks = 1;
  takeSurroundings(C, {T, Child});
  CHECK_FALSE(C.Unseen);
  takeSurroundings(C, {T});
  CHECK(C.Unseen);
  T.Forks = 0;
  takeSurroundings(C, {T});
  CHECK_FALSE(C.Unseen);
  T.Starts = {"a shell"};
  takeSurroundings(C, {T});
  REQUIRE(C.Unseen);
  CHECK(*C.Unseen == "the program starts a shell, whose files are not known");
}

TEST_CASE("shared memory by name is a file, and none once it is gone") {
  WorkFolder F;
  const std::string There = "/dev/shm/echo-around-" + std::to_string(getpid()),
                    Gone = There + "-gone";
  if (std::ofstream(There) << "1"; !fs::exists(There))
    return;
  PlanContext C;
  Trace T;
  T.Files = {{There, dr::FileRead},
             {Gone, dr::FileLooked | dr::FileRead | dr::FileWritten},
             {"/dev/zero", dr::FileRead}};
  takeSurroundings(C, {T});
  CHECK_FALSE(C.Unseen);
  CHECK(C.Files.size() == 2);
  CHECK(whatOf(C, There) == "opened");
  CHECK(whatOf(C, "/etc/localtime") != ""); // in each key
  // A hash of what lies in memory is not kept: no time moves by a store.
  CHECK(contentsOf(There, hashFile()) != 0);
  fs::remove(There);
}

TEST_CASE("on what file system a file lies that is asked of is in the key") {
  WorkFolder F;
  const std::string Memory = "/dev/shm/echo-folder-" + std::to_string(getpid()),
                    Link = F.at("link");
  std::error_code Error;
  fs::create_directory(Memory, Error);
  fs::create_directories(F.at("one"));
  fs::create_directories(F.at("two"));
  for (const std::string &Folder : {Memory, F.at("one"), F.at("two")})
    fs::permissions(Folder, fs::perms::owner_all, Error);
  struct statfs There, Here;
  if (statfs(Memory.c_str(), &There) != 0 ||
      statfs(F.at("one").c_str(), &Here) != 0 || There.f_type == Here.f_type)
    return;
  auto Lead = [&](const std::string &To) {
    fs::remove(Link);
    fs::create_directory_symlink(To, Link);
    return inputOf(Link, "looked").Hash;
  };
  const uint64_t One = Lead(F.at("one"));
  CHECK(Lead(F.at("two")) == One);
  CHECK(Lead(Memory) != One);
  fs::remove(Memory);
}

TEST_CASE("what a run leaves under a new name may be another the next time") {
  WorkFolder F;
  F.write("run7/out", "1");
  F.write("__pycache__/helper.cpython-311.pyc", "1");
  auto Unseen = [](const std::string &Path, uint8_t Flags) {
    PlanContext C;
    Trace T;
    T.Files = {{Path, Flags}};
    takeSurroundings(C, {T});
    return C.Unseen.has_value();
  };
  CHECK(Unseen(F.at("run7"), dr::FileMade));
  CHECK_FALSE(Unseen(F.at("run7"), dr::FileLooked));
  CHECK_FALSE(Unseen(F.at("run7"), dr::FileMade | dr::FileRemoved));
  CHECK_FALSE(Unseen(F.at("run8"), dr::FileMade)); // it is gone again
  CHECK_FALSE(Unseen(F.at("__pycache__"), dr::FileMade));
}

TEST_CASE("what Python compiled stands for its source") {
  WorkFolder F;
  const std::string Source = F.write("helper.py", "1"),
                    Compiled =
                        F.write("__pycache__/helper.cpython-311.pyc", "a"),
                    Alone = F.write("__pycache__/alone.cpython-311.pyc", "b"),
                    Data = F.write("data.pyc", "c");
  PlanContext C;
  Trace T;
  for (const std::string &Each : {Compiled, Alone, Data})
    T.Files[Each] = dr::FileRead;
  takeSurroundings(C, {T});
  CHECK(whatOf(C, Source) == "");
  CHECK(whatOf(C, Compiled) == "opened");
  T.Modules.emplace(9, "/usr/bin/python3.11");
  takeSurroundings(C, {T});
  CHECK(whatOf(C, Source) == "opened");
  CHECK(whatOf(C, Compiled) == "");
  CHECK(whatOf(C, Alone) == "opened");
  CHECK(whatOf(C, Data) == "opened");
  F.write("helper.py", "2");
  CHECK(changedFiles(C) ==
        std::vector<std::string>{Source + " has changed since"});
}

TEST_CASE("the whole of a file counts, whatever its times say") {
  WorkFolder F;
  std::string Text(1 << 20, 'x');
  const std::string Path = F.write("large", Text);
  const uint64_t Before = contentsOf(Path, hashFile());
  CHECK(Before != 0);
  CHECK(Before == contentsOf(Path));
  const auto Time = fs::last_write_time(Path);
  for (size_t At : {size_t(0), Text.size() / 2, Text.size() - 1}) {
    std::fstream Out(Path, std::ios::in | std::ios::out | std::ios::binary);
    Out.seekp(std::streamoff(At));
    Out.put('y');
    Out.close();
    fs::last_write_time(Path, Time); // as touch -r would
    CHECK(contentsOf(Path, hashFile()) != Before);
    Out.open(Path, std::ios::in | std::ios::out | std::ios::binary);
    Out.seekp(std::streamoff(At));
    Out.put('x');
    Out.close();
    CHECK(contentsOf(Path, hashFile()) == Before);
  }
}

TEST_CASE("the hash of pieces is that of the whole") {
  std::string Text;
  for (int I = 0; I < 1000; ++I)
    Text += char(I * 7);
  dr::ContentHash Whole;
  Whole.add(Text.data(), Text.size());
  for (size_t Piece : {1, 3, 31, 32, 33, 999}) {
    dr::ContentHash Sum;
    for (size_t At = 0; At < Text.size(); At += Piece)
      Sum.add(Text.data() + At, std::min(Piece, Text.size() - At));
    CHECK(Sum.value() == Whole.value());
  }
  dr::ContentHash Shorter, Zeros;
  Shorter.add(Text.data(), Text.size() - 1);
  CHECK(Shorter.value() != Whole.value());
  const char Zero[64] = {};
  Zeros.add(Zero, 32);
  dr::ContentHash More;
  More.add(Zero, 64);
  CHECK(Zeros.value() != More.value());
}

TEST_CASE("a hole is as good as zeros that were written") {
  const WorkFolder F;
  auto Make = [&F](const char *Name, uint64_t Size, uint64_t At, char What,
                   bool Holes) {
    const std::string Path = F.at(Name);
    std::ofstream Out(Path, std::ios::binary);
    if (!Holes)
      Out << std::string(Size, '\0');
    Out.seekp(std::streamoff(At));
    Out.put(What);
    Out.close();
    fs::resize_file(Path, Size);
    return contentsOf(Path);
  };
  const uint64_t Size =
      GENERATE(uint64_t(10000), uint64_t(1) << 20, (uint64_t(1) << 20) + 5);
  const uint64_t At = GENERATE(0, 4096, 5000, 9999);
  const uint64_t Hash = Make("written", Size, At, 'x', false);
  CHECK(Hash != 0);
  CHECK(Make("holes", Size, At, 'x', true) == Hash);
  CHECK(Make("other", Size, At, 'y', true) != Hash);
  CHECK(Make("elsewhere", Size, At + (At ? -1 : 1), 'x', true) != Hash);
  CHECK(Make("longer", Size + 1, At, 'x', true) != Hash);
  // Nobody waits for what there is not to read.
  CHECK(Make("huge", uint64_t(1) << 42, At, 'x', true) != Hash);
}

TEST_CASE("hashes that are kept are of that state of the file alone") {
  WorkFolder F;
  // A file that has not changed for a while; ctime is nobody's to set, so an
  // old file of the system's.
  const std::string Old = fs::read_symlink("/proc/self/exe").string(),
                    Cache = hashFile();
  const uint64_t Hash = contentsOf(Old);
  CHECK(contentsOf(Old, Cache) == Hash);
  CHECK(contentsOf(Old, Cache) == Hash);
  std::error_code Error;
  if (fs::file_size(Cache, Error) != sizeof(dr::HashRecord) || Error)
    return; // it was built within the last two seconds
  // A record that somebody else could have written is not used.
  std::string Record = *readFile(Cache);
  auto Change = [&](size_t At) {
    std::string Bad = Record;
    Bad[At] = char(Bad[At] ^ 1);
    std::ofstream(Cache, std::ios::binary) << Bad;
    CHECK(contentsOf(Old, Cache) == Hash);
  };
  Change(offsetof(dr::HashRecord, Hash));
  Change(offsetof(dr::HashRecord, Check));
  std::ofstream(Cache, std::ios::binary) << Record.substr(0, 20); // torn
  CHECK(contentsOf(Old, Cache) == Hash);
  CHECK(contentsOf(Old, Cache) == Hash);
  CHECK(fs::file_size(Cache) == sizeof(dr::HashRecord));
}

TEST_CASE("environment variables that the program asks for") {
  WorkFolder F;
  PlanContext C;
  const std::string Program = F.write("app", "program");
  C.Command = C.Executable = {"/bin/true", 1};
  Trace T;
  T.ExecutableHash = 1;
  T.Modules = {};
  T.Variables = {"ECHO_VERBOSE", "ECHO_MINE", "SUROUND_A", "SUROUND_B",
                 "TERM",         "SSH_TTY",   "SSH_MINE",  "TMPDIR",
                 "TERM_LIMIT",   "\xff\x89"};
  setenv("SUROUND_A", "1", 1);
  unsetenv("SUROUND_B");
  takeSurroundings(C, {T});
  std::map<std::string, uint64_t> Known;
  for (const PlanVariable &V : C.Variables)
    Known[V.Name] = V.Hash;
  // Beside those that the C library reads by itself.
  CHECK(Known.count("TZ") == 1);
  for (const char *Name : {"ECHO_VERBOSE", "TERM", "SSH_TTY", "TMPDIR"})
    CHECK(Known.count(Name) == 0);
  // Of others, though they begin so.
  for (const char *Name : {"ECHO_MINE", "SSH_MINE", "TERM_LIMIT"})
    CHECK(Known.count(Name) == 1);
  CHECK(Known.count("\xff\x89") == 1); // no UTF-8: drivers ask so
  CHECK_FALSE(C.Unseen);
  CHECK(Known["SUROUND_A"] != 0);
  REQUIRE(Known.count("SUROUND_B") == 1);
  CHECK(Known["SUROUND_B"] == 0);
  CHECK_FALSE(C.AllVariables);
  CHECK(changedVariables(C).empty());
  using Texts = std::vector<std::string>;
  setenv("SUROUND_A", "2", 1);
  CHECK(changedVariables(C) ==
        Texts{"the environment variable SUROUND_A is not what it was"});
  setenv("SUROUND_A", "1", 1);
  setenv("SUROUND_B", "", 1); // set, to nothing
  CHECK(changedVariables(C) ==
        Texts{"the environment variable SUROUND_B was not set"});
  unsetenv("SUROUND_B");
  unsetenv("SUROUND_A");
  CHECK(changedVariables(C) ==
        Texts{"the environment variable SUROUND_A is not set, and was"});
  // What a script starts: all count.
  C.Command.Path = Program;
  takeSurroundings(C, {T});
  CHECK(C.AllVariables);
  CHECK(changedVariables(C).empty());
  setenv("SUROUND_C", "1", 1);
  CHECK(changedVariables(C) ==
        Texts{"the environment variable SUROUND_C was not set"});
  unsetenv("SUROUND_C");
}

TEST_CASE("what the program's processes began with") {
  PlanContext C;
  C.Command = {"/bin/sh", 2};
  C.Executable = {"/bin/app", 1};
  Trace T, Other;
  T.ExecutableHash = 1;
  T.Began = {11, 12, dr::ProcessInputLaunch, 14, 15, 0};
  T.Variables = {"RANK", "UNSET", "SSH_TTY", "with \"quotes\""};
  T.Environment = {{"RANK", 5}, {"OTHER", 6}, {"SSH_TTY", 7}};
  Other.ExecutableHash = 2; // the launcher
  Other.Began = {1, 1, 1, 1, 1, dr::ProcessHasPipe};
  Trace Second = T;
  Second.Environment["RANK"] = 8;
  takeSurroundings(C, {T, Other, Second, T});
  REQUIRE(C.Processes.size() == 2);
  CHECK_FALSE(C.Unseen);
  const PlanProcess &P = C.Processes[0];
  CHECK(P ==
        PlanProcess{11, 12, 1, 14, 15, {{"RANK", 5}, {"UNSET", 0}}, false});
  CHECK(C.Processes[1].Variables[0].Hash == 8);

  CHECK(beganAs(P, T, false));
  CHECK_FALSE(beganAs(P, Second, false));
  CHECK_FALSE(beganAs(P, Trace(), false));
  Trace Now = T;
  Now.Environment["OTHER"] = 9; // it does not ask
  CHECK(beganAs(P, Now, false));
  Now.Environment["UNSET"] = 9;
  CHECK_FALSE(beganAs(P, Now, false));
  Now = T;
  Now.Began->Input = dr::ProcessInputNone;
  CHECK_FALSE(beganAs(P, Now, false));
  CHECK(beganAs(P, Now, true));
  for (uint64_t Trace::Process::*Part :
       {&Trace::Process::Arguments, &Trace::Process::Folder,
        &Trace::Process::Input, &Trace::Process::Inherited,
        &Trace::Process::Limits}) {
    Now = T;
    *Now.Began.*Part += 100;
    CHECK_FALSE(beganAs(P, Now, true));
  }
  PlanProcess All = P;
  All.AllVariables = true;
  CHECK_FALSE(beganAs(All, T, false));
  All.Variables.push_back({"OTHER", 6});
  CHECK(beganAs(All, T, false));

  for (uint8_t Flag : {dr::ProcessHasInputPipe, dr::ProcessHasPipe}) {
    T.Began->Flags = Flag;
    takeSurroundings(C, {T});
    REQUIRE(C.Unseen);
    CHECK(C.Unseen->find(" pipe") != std::string::npos);
  }
}
