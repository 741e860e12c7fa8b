//===- Launch.cpp - Starts the user's program -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Launch.h. The outputs of unseen runs go to files without a name: a
// process that outlives the program holds nobody up.
//
//===----------------------------------------------------------------------===//
#include "Launch.h"
#include "CallWatch.h"
#include "Leftovers.h"
#include "Output.h"
#include "OutputTap.h"
#include "Processes.h"

#include "Profile/Surroundings.h"

#include "runtime/abi/CallWatch.h"
#include "runtime/abi/FileHash.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace echo {

namespace fs = std::filesystem;

std::string shellText(const std::vector<std::string> &Words) {
  std::string Out;
  for (const std::string &W : Words) {
    bool Plain =
        !W.empty() && W.find_first_not_of(
                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ"
                          "RSTUVWXYZ0123456789_-+=./:,@%") == std::string::npos;
    if (!Out.empty())
      Out += ' ';
    if (Plain) {
      Out += W;
      continue;
    }
    Out += '\'';
    for (char C : W)
      Out += C == '\'' ? "'\\''" : std::string(1, C);
    Out += '\'';
  }
  return Out;
}

std::optional<Program> findProgram(const std::vector<std::string> &Words,
                                   std::string &Why, int &Status) {
  if (Words.empty() || Words[0].empty()) {
    Why = "no program is given; see 'echo-run --help'";
    Status = Wrong;
    return std::nullopt;
  }
  std::vector<std::string> Places;
  if (Words[0].find('/') != std::string::npos) {
    Places.push_back(Words[0]);
  } else {
    const char *Path = getenv("PATH");
    std::string List = Path ? Path : "/usr/local/bin:/usr/bin:/bin";
    for (size_t At = 0; At <= List.size();) {
      size_t End = std::min(List.find(':', At), List.size());
      Places.push_back((End == At ? "." : List.substr(At, End - At)) + "/" +
                       Words[0]);
      At = End + 1;
    }
  }
  const bool Searched = Places.size() > 1 || Places[0] != Words[0];
  Why = Words[0] + (Searched ? ": no such program in PATH" : ": not found");
  Status = NotFound;
  for (const std::string &Place : Places) {
    struct stat S;
    if (stat(Place.c_str(), &S) != 0) {
      if (errno != ENOENT && errno != ENOTDIR && Status == NotFound)
        Why = Place + ": " + strerror(errno);
      continue;
    }
    if (S_ISDIR(S.st_mode) || access(Place.c_str(), X_OK) != 0) {
      if (!Searched || !S_ISDIR(S.st_mode)) {
        Why = Place + ": cannot be executed: " +
              (S_ISDIR(S.st_mode) ? "it is a folder" : strerror(errno));
        Status = CannotExecute;
      }
      continue;
    }
    std::error_code Error;
    Why.clear();
    return Program{fs::absolute(Place, Error).lexically_normal().string(),
                   Words};
  }
  return std::nullopt;
}

std::string interposerPath() {
  std::error_code Error;
  fs::path Self = fs::read_symlink("/proc/self/exe", Error);
  return (Self.parent_path().parent_path() / "lib" / "echo" / "libecho-dr.so")
      .string();
}

std::string whyNoInterposer() {
  const std::string Path = interposerPath();
  if (access(Path.c_str(), R_OK) != 0)
    return Path + " is not there";
  if (Path.find_first_of(": ") != std::string::npos)
    return Path + " has a colon or a space in its name, which LD_PRELOAD "
                  "cannot hold";
  return "";
}

/// Which file standard input is, and where it is read from: a process of the
/// program knows by it whether it got the same.
static std::string inputText() {
  struct stat S;
  if (!dr::ownLook(STDIN_FILENO, S))
    return "closed";
  return fmt::format("{}:{}:{}", uint64_t(S.st_dev), uint64_t(S.st_ino),
                     int64_t(dr::ownPlace(STDIN_FILENO)));
}

static std::string readRights() {
  std::ifstream Status("/proc/self/status");
  constexpr char Key[] = "Seccomp_filters:";
  unsigned Filters = 0;
  for (std::string Line; std::getline(Status, Line);)
    if (Line.rfind(Key, 0) == 0)
      Filters = unsigned(strtoul(Line.c_str() + strlen(Key), nullptr, 10));
  return fmt::format("{}:{}", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), Filters);
}

/// Whether echo-run may gain rights, and how many seccomp filters it has: what
/// watching calls changes for the program, which is not asked after that.
static const std::string &ownRights() {
  static const std::string Known = readRights();
  return Known;
}

uint64_t timeOfDay() {
  timespec Now;
  clock_gettime(CLOCK_REALTIME, &Now);
  return dr::nanoseconds(Now);
}

/// The environment of a program in mode \p M.
static std::vector<std::string> environmentFor(const Mode &M) {
  std::vector<std::string> Out;
  std::string Preload;
  for (char **Entry = environ; *Entry; ++Entry) {
    std::string Text = *Entry;
    if (!M.Name.empty() && Text.rfind("LD_PRELOAD=", 0) == 0)
      Preload = ":" + Text.substr(strlen("LD_PRELOAD="));
    else if (Text.rfind("ECHO_DR_", 0) != 0 ||
             (M.Name == "optimize" && !M.Watch &&
              Text.rfind("ECHO_DR_WATCH=", 0) == 0))
      Out.push_back(Text);
  }
  if (M.Name.empty())
    return Out;
  Out.push_back("LD_PRELOAD=" + interposerPath() + Preload);
  Out.push_back("ECHO_DR_MODE=" + M.Name);
  Out.push_back("ECHO_DR_INPUT=" + inputText());
  if (M.Name == "optimize")
    Out.push_back(fmt::format("ECHO_DR_COMPARED={}",
                              M.Compared ? M.Compared : timeOfDay()));
  if (!M.Traces.empty())
    Out.push_back("ECHO_DR_TRACE=" + M.Traces);
  if (!M.Plan.empty())
    Out.push_back("ECHO_DR_PLAN=" + M.Plan);
  if (!M.Executable.empty())
    Out.push_back("ECHO_DR_CALLS=" + ownRights());
  if (M.Name == "optimize" && M.Watch)
    Out.push_back(fmt::format("ECHO_DR_WATCH={}", *M.Watch));
  if (const std::string Hashes = drtool::hashFile(); !Hashes.empty())
    Out.push_back("ECHO_DR_HASHES=" + Hashes);
  if (M.TraceBytes)
    Out.push_back(fmt::format("ECHO_DR_TRACE_BYTES={}", M.TraceBytes));
  return Out;
}

namespace {
/// Words as exec takes them.
struct Pointers {
  std::vector<char *> All;
  explicit Pointers(const std::vector<std::string> &Texts) {
    for (const std::string &T : Texts)
      All.push_back(const_cast<char *>(T.c_str()));
    All.push_back(nullptr);
  }
};
} // namespace

int becomeProgram(const Program &P, const Mode &M) {
  const std::vector<std::string> Environment = environmentFor(M);
  execve(P.Path.c_str(), Pointers(P.Words).All.data(),
         Pointers(Environment).All.data());
  if (errno == E2BIG && M.Name == "optimize") {
    say("the program runs unchanged: with what Echo adds, its environment and "
        "arguments are too long");
    return becomeProgram(P, {});
  }
  if (errno == ENOEXEC) {
    // A script without a first line, which shells run by themselves.
    std::vector<std::string> Words = {"/bin/sh", P.Path};
    Words.insert(Words.end(), P.Words.begin() + 1, P.Words.end());
    execve("/bin/sh", Pointers(Words).All.data(),
           Pointers(Environment).All.data());
  }
  int Error = errno;
  say(fmt::format("error: {}: {}", P.Words[0], strerror(Error)));
  return Error == ENOENT ? NotFound : CannotExecute;
}

/// Child: negative, if it leads a process group of its own.
static volatile sig_atomic_t Stop, Child, TimeIsUp;

static void passOn(int Signal) {
  Stop = Signal;
  // The terminal sends SIGINT to both where they share a group.
  if (Child < 0 || (Child > 0 && Signal != SIGINT))
    kill(Child, Signal);
}

/// Wakes the wait for the child, and again each second.
static void timeIsUp(int) {
  TimeIsUp = TimeIsUp + 1;
  alarm(1);
}

/// What a launcher needs to end what it started, and to tidy up.
static constexpr int SecondsToEnd = 3;

int interrupted() { return Stop; }

namespace {
/// Passes signals that end echo-run on to the program, until restored.
class PassedSignals {
public:
  PassedSignals() {
    struct sigaction Now = {};
    Now.sa_handler = passOn;
    for (int I = 0; I < 3; ++I) {
      sigaction(Passed[I], nullptr, &Before[I]);
      if (Before[I].sa_handler != SIG_IGN) // as nohup leaves it
        sigaction(Passed[I], &Now, nullptr);
    }
  }
  void restore() const {
    for (int I = 0; I < 3; ++I)
      sigaction(Passed[I], &Before[I], nullptr);
  }

private:
  static constexpr int Passed[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction Before[3];
};
} // namespace

/// Has timeIsUp() called after \p Seconds.
static void setAlarm(unsigned Seconds) {
  struct sigaction Alarm = {};
  Alarm.sa_handler = timeIsUp;
  sigaction(SIGALRM, &Alarm, nullptr);
  alarm(Seconds);
}

/// Starts the program with \p Prepare run in the child, and waits for it; in a
/// process group of its own that is killed after \p Limit seconds, if \p Apart.
template <typename Function>
static Ended start(const Program &P, const Mode &M, bool Apart, unsigned Limit,
                   Function Prepare) {
  const PassedSignals Signals;
  Ended E;
  fflush(nullptr);
  std::optional<CallWatch> Calls;
  if (!M.Executable.empty()) {
    ownRights();
    Calls.emplace(M.Executable);
  }
  const auto From = std::chrono::steady_clock::now();
  pid_t Pid = fork();
  if (Pid == 0) {
    Signals.restore();
    if (Apart) {
      setpgid(0, 0);
      prctl(PR_SET_PDEATHSIG, SIGKILL); // nobody would know of its run
    }
    Prepare();
    if (Calls)
      Calls->begin();
    _exit(becomeProgram(P, M));
  }
  if (Pid > 0) {
    if (Apart)
      setpgid(Pid, Pid); // whoever of the two is first
    Child = Apart ? -Pid : Pid;
    E.Started = true;
    TimeIsUp = 0;
    if (Limit)
      setAlarm(Limit);
    if (Calls)
      Calls->attend();
    ProcessTree Tree(Pid);
    if (Apart)
      Tree.adopt(); // whoever stops echo-run wants none of them
    while (waitpid(Pid, &E.Status, 0) < 0 && errno == EINTR) {
      if (TimeIsUp == 1)
        Tree.ask();
      if (TimeIsUp > SecondsToEnd)
        Tree.kill();
    }
    alarm(0);
    Tree.finish(Apart && Stop);
    Child = 0;
    E.TimedOut = TimeIsUp;
    if (Calls)
      E.Calls = Calls->end();
  } else {
    say(fmt::format("error: cannot start a process: {}", strerror(errno)));
  }
  E.Seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - From)
          .count();
  Signals.restore();
  return E;
}

Ended runProgram(const Program &P, const Mode &M) {
  return start(P, M, false, 0, [] {});
}

/// More is no input of a program that is run many times.
static constexpr off_t MostInput = off_t(1) << 30;
/// Seconds without a byte, after which a pipe is one that does not end; and
/// seconds for all of it.
static constexpr int SecondsOfSilence = 30, SecondsOfInput = 600;

/// How standard input was opened, as programs may ask.
static int inputMode() {
  const int Flags = fcntl(STDIN_FILENO, F_GETFL);
  return Flags < 0 || isatty(STDIN_FILENO)
             ? O_RDONLY
             : Flags & (O_ACCMODE | O_APPEND | O_NONBLOCK);
}

QuietRuns::QuietRuns(unsigned Limit) {
  pollfd Wait = {STDIN_FILENO, POLLIN, 0};
  if (isatty(STDIN_FILENO))
    return;
  if (poll(&Wait, 1, 1000) == 0) {
    say("nothing comes on standard input within a second: the program is run "
        "without");
    return;
  }
  if (!(Wait.revents & (POLLIN | POLLHUP)))
    return;
  // A file has its kind, mode and place for each run as for the command.
  struct stat S;
  if (fstat(STDIN_FILENO, &S) == 0 && S_ISREG(S.st_mode) && S.st_size) {
    const int Mode = inputMode();
    Start = lseek(STDIN_FILENO, 0, SEEK_CUR);
    Input = open("/proc/self/fd/0", Mode | O_CLOEXEC);
    if (Input >= 0 && Start >= 0)
      return;
    Start = 0;
  }
  Input = namelessFile();
  if (Input < 0)
    Why = fmt::format("its standard input cannot be kept in TMPDIR ({})",
                      strerror(errno));
  // An empty file is another kind of input than nothing.
  if (Why.empty() && !keepInput(Limit) && Why.empty()) {
    close(Input);
    Input = -1;
  }
}

off_t QuietRuns::keepInput(unsigned Limit) {
  pollfd Wait = {STDIN_FILENO, POLLIN, 0};
  const int Silence = Limit ? int(std::min(Limit, 100000u)) : SecondsOfSilence;
  const auto From = std::chrono::steady_clock::now();
  char Buffer[1 << 16];
  off_t Kept = 0;
  bool Said = false;
  while (Why.empty()) {
    const auto Gone = std::chrono::steady_clock::now() - From;
    if (!Said && Gone > std::chrono::seconds(1)) {
      Said = true;
      say("reading standard input, which each run gets");
    }
    const int Ready = poll(&Wait, 1, Said ? Silence * 1000 : 1000);
    if (Ready < 0 && errno == EINTR)
      continue;
    if (Ready == 0 && !Said)
      continue;
    if (Ready == 0 || Gone > std::chrono::seconds(SecondsOfInput)) {
      Why = fmt::format("its standard input does not end: after {} bytes "
                        "nothing came for {} s; give it a file, or /dev/null",
                        Kept, Silence);
      if (Ready != 0)
        Why = fmt::format("its standard input does not end within {} s; give "
                          "it a file, or /dev/null",
                          SecondsOfInput);
      break;
    }
    const ssize_t N = read(STDIN_FILENO, Buffer, sizeof Buffer);
    if (N <= 0)
      break;
    if (Kept + N > MostInput)
      Why = "its standard input is longer than 1 GiB";
    else if (write(Input, Buffer, size_t(N)) != N)
      Why = "there is no room for its standard input in TMPDIR";
    Kept += N;
  }
  return Kept;
}

std::string QuietRuns::input() const {
  if (Input < 0 || lseek(Input, Start, SEEK_SET) < 0)
    return "none";
  return drtool::inputOfFile(Input);
}

QuietRuns::~QuietRuns() {
  if (Input >= 0)
    close(Input);
}

/// What the program wrote to \p File. Of a very long text the end is one word,
/// its hash.
static std::string textIn(int File) {
  constexpr size_t Most = size_t(32) << 20;
  std::string Text, Buffer(1 << 18, '\0');
  dr::ContentHash Rest;
  bool HasRest = false;
  off_t At = 0;
  for (ssize_t N; (N = pread(File, Buffer.data(), Buffer.size(), At)) > 0;
       At += N) {
    if (Text.size() < Most) {
      Text.append(Buffer.data(), size_t(N));
    } else {
      HasRest = true;
      Rest.add(Buffer.data(), size_t(N));
    }
  }
  if (HasRest)
    Text += fmt::format("\n{:016x}\n", Rest.value());
  return Text;
}

std::string takeOwnLines(std::string &Text) {
  std::string Own, Rest;
  for (size_t At = 0; At < Text.size();) {
    const size_t End = std::min(Text.find('\n', At), Text.size() - 1) + 1;
    (Text.compare(At, 6, "echo: ") == 0 ? Own : Rest)
        .append(Text, At, End - At);
    At = End;
  }
  Text = std::move(Rest);
  return Own;
}

Ended QuietRuns::run(const Program &P, const Mode &M, unsigned Limit) const {
  OutputTap Output(STDOUT_FILENO);
  std::optional<OutputTap> Errors;
  if (!dr::outputsAreOne())
    Errors.emplace(STDERR_FILENO);
  if (!Why.empty() || !Output.isThere() || (Errors && !Errors->isThere())) {
    Ended None;
    None.Why = !Why.empty()
                   ? Why
                   : fmt::format("its output cannot be kept in TMPDIR ({})",
                                 strerror(errno));
    return None;
  }
  Ended E = start(P, M, true, Limit, [&] {
    int In = Input;
    if (In >= 0)
      lseek(In, Start, SEEK_SET);
    else
      In = open("/dev/null", inputMode() | O_CLOEXEC);
    dup2(In, STDIN_FILENO);
    dup2(Output.descriptor(), STDOUT_FILENO);
    dup2((Errors ? *Errors : Output).descriptor(), STDERR_FILENO);
  });
  const bool Whole = Output.finish();
  if ((Errors && !Errors->finish()) || !Whole) {
    E.Started = false;
    E.Why = "there is no room for its output in TMPDIR";
  }
  E.Output = textIn(Output.file());
  E.Errors = Errors ? textIn(Errors->file()) : takeOwnLines(E.Output);
  return E;
}

std::string statusText(int Status) {
  if (WIFSIGNALED(Status))
    return fmt::format("signal {} ({})", WTERMSIG(Status),
                       strsignal(WTERMSIG(Status)));
  return fmt::format("status {}", WEXITSTATUS(Status));
}

int endLike(int Status) {
  if (!WIFSIGNALED(Status))
    return WEXITSTATUS(Status);
  fflush(nullptr);
  rlimit None = {0, 0};
  setrlimit(RLIMIT_CORE, &None); // the program's own is there, or unwanted
  signal(WTERMSIG(Status), SIG_DFL);
  raise(WTERMSIG(Status));
  return 128 + WTERMSIG(Status);
}

} // namespace echo
