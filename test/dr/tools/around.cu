// A loop whose result depends on what is around the program: a file that an
// argument names, a variable, a file that it looks for, a library. Each may say
// that the host writes its buffer while the GPU works, as the copy has ended.
//   around [--look HOW] [--same] [--time] [--quiet] [--errors] [--out F] [--text F] [--named F] [--log F] [--state F] INPUT
// --look: how it learns of the file "flag", whose contents it does not read.
// --same: addresses are a part of the result, as in a table keyed by them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../inline-call.h"

#include <chrono>
#include <cstdio>
#include <stdio_ext.h>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <mqueue.h>
#include <poll.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <wordexp.h>

static const int N = 1 << 18;

__global__ void work(int *d, int *o, int r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = d[i] * 3 + r;
}

#ifdef WITH_LIBRARY
extern "C" int early();
#else
static int early() { return 0; }
#endif

extern "C" int __open(const char *, int, ...);

static int numberIn(const char *name) {
  int number = 0;
  if (FILE *f = fopen(name, "r")) {
    if (fscanf(f, "%d", &number) != 1)
      number = 0;
    fclose(f);
  }
  return number;
}

static int digitOf(int file) {
  char digit = '0';
  const bool has = read(file, &digit, 1) == 1;
  close(file);
  return has && digit != '0';
}

/// What a socket makes of the descriptor.
static int handedOn(int file) {
  int ends[2];
  char byte = 0;
  iovec part = {&byte, 1};
  alignas(cmsghdr) char room[CMSG_SPACE(sizeof file)] = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = room;
  message.msg_controllen = sizeof room;
  cmsghdr *first = CMSG_FIRSTHDR(&message);
  first->cmsg_level = SOL_SOCKET;
  first->cmsg_type = SCM_RIGHTS;
  first->cmsg_len = CMSG_LEN(sizeof file);
  memcpy(CMSG_DATA(first), &file, sizeof file);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 ||
      sendmsg(ends[0], &message, 0) != 1 || recvmsg(ends[1], &message, 0) != 1)
    abort();
  memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof file);
  return file;
}

/// What follows the program's own code in its file.
static int appended() {
  FILE *f = fopen("/proc/self/exe", "r");
  fseek(f, -1, SEEK_END);
  int last = fgetc(f);
  fclose(f);
  return last == 'E';
}

/// Whether there is something named "flag", or what "link" leads to is B.
static int looks(const char *how) {
  struct stat s;
  auto is = [&](const char *word) { return how && !strcmp(how, word); };
  if (is("stat"))
    return stat("flag", &s) == 0;
  if (is("size"))
    return stat("flag", &s) == 0 && s.st_size > 4;
  if (is("access"))
    return access("flag", F_OK) == 0;
  if (is("excl")) {
    int f = open("flag", O_CREAT | O_EXCL | O_WRONLY, 0600);
    close(f);
    if (f >= 0)
      unlink("flag");
    return f < 0;
  }
  if (is("writable")) {
    const int f = open("flag", O_WRONLY);
    close(f);
    return f >= 0;
  }
  if (is("makes")) {
    const int f = open("below/new", O_CREAT | O_WRONLY | O_TRUNC, 0600);
    close(f);
    unlink("below/new");
    return f < 0;
  }
  if (is("unnamed")) {
    const int f = open("below", O_TMPFILE | O_RDWR, 0600);
    close(f);
    return f < 0;
  }
  if (is("appends")) {
    int number = 0;
    FILE *f = fopen("flag", "a+");
    if (fscanf(f, "%d", &number) != 1)
      number = 0;
    fclose(f);
    return number;
  }
  if (is("waits"))
    return inotify_add_watch(inotify_init(), "flag", IN_MODIFY) >= 0;
  if (is("alias"))
    return digitOf(__open("ini", O_RDONLY));
  if (is("numbered"))
    return digitOf(int(syscall(SYS_openat, AT_FDCWD, "ini", O_RDONLY)));
  if (is("instruction"))
    return digitOf(int(inlineCall(SYS_openat, AT_FDCWD, long("ini"), O_RDONLY)));
  if (is("handed"))
    return digitOf(handedOn(open("ini", O_RDONLY)));
  if (is("new")) {
    FILE *f = fopen("flag", "wx");
    if (f)
      unlink("flag");
    return !f;
  }
  if (is("mode"))
    return chmod("flag", 0600) == 0;
  if (is("enters")) { // and asks for a name from there
    const int before = open(".", O_RDONLY);
    const bool found = chdir("link") == 0 && access("../here", F_OK) == 0;
    const bool back = fchdir(before) == 0;
    close(before);
    return found && back;
  }
  if (is("mkdir")) {
    bool made = mkdir("", 0700) != 0 && mkdir("flag", 0700) == 0;
    if (made)
      rmdir("flag");
    return !made;
  }
  if (is("remade")) { // what it makes each time, and removes before
    rmdir("kept");
    return mkdir("kept", 0700) != 0;
  }
  if (is("once"))
    return mkdir("kept", 0700) != 0 && errno != EEXIST;
  if (is("counted")) { // a folder for each run: the third is another one
    char name[9];
    int run = 0;
    do
      sprintf(name, "run%d", run++);
    while (mkdir(name, 0700) != 0 && errno == EEXIST);
    return run > 9;
  }
  if (is("list")) {
    int found = 0;
    DIR *d = opendir(".");
    while (dirent *e = readdir(d))
      found += !strcmp(e->d_name, "flag");
    closedir(d);
    return found;
  }
  if (is("names")) {
    char entries[4096];
    off_t place = 0;
    const int folder = open(".", O_RDONLY | O_DIRECTORY);
    const ssize_t bytes = getdirentries(folder, entries, sizeof entries, &place);
    close(folder);
    return memmem(entries, bytes > 0 ? bytes : 0, "flag", 5) != nullptr;
  }
  if (is("no link"))
    return lstat("ini", &s) == 0 && S_ISLNK(s.st_mode);
  if (is("unfollowed"))
    return open("ini", O_RDONLY | O_NOFOLLOW) < 0;
  if (is("climbs")) {
    char name[4096] = "/dev/..", *folder = getcwd(name + 7, sizeof name - 7);
    return folder && access(strcat(name, "/flag"), F_OK) == 0;
  }
  if (is("cache")) {
    char name[4096];
    snprintf(name, sizeof name, "%s/.cache/flag", getenv("HOME"));
    return access(name, F_OK) == 0;
  }
  if (is("long")) {
    char name[400];
    memset(name, 'A', sizeof name - 1);
    name[sizeof name - 1] = 0;
    return getenv(name) != nullptr;
  }
  if (is("entries")) {
    char entries[4096];
    const int folder = open(".", O_RDONLY | O_DIRECTORY);
    const ssize_t bytes = getdents64(folder, entries, sizeof entries);
    close(folder);
    return memmem(entries, bytes > 0 ? bytes : 0, "flag", 5) != nullptr;
  }
  if (is("kind")) {
    int found = 0;
    DIR *d = opendir("folder");
    while (dirent *e = readdir(d))
      found += !strcmp(e->d_name, "flag") && e->d_type == DT_DIR;
    closedir(d);
    return found;
  }
  if (is("link")) {
    char to[99] = "";
    return readlink("link", to, sizeof to - 1) == 1 && *to == 'B';
  }
  if (is("own link")) { // to what it reads by it
    unlink("lead");
    const bool led = symlink(".", "lead") == 0;
    const int number = numberIn("lead/ini");
    unlink("lead");
    return !led || number;
  }
  if (is("took") || is("second name")) { // what another name held
    const bool takes = is("took");
    if ((takes ? rename("ini", "mine") : link("ini", "mine")) != 0)
      return 1;
    const int number = numberIn("mine");
    return (takes ? rename("mine", "ini") : unlink("mine")) != 0 || number;
  }
  if (is("kept on")) { // what it writes into, and does not write anew
    if (FILE *f = fopen("ini", "a"))
      fclose(f);
    return numberIn("ini");
  }
  if (is("journal")) { // what an earlier run left, if it failed
    if (FILE *f = fopen("flag", "a"))
      fclose(f);
    const int number = numberIn("flag");
    return number || unlink("flag") != 0;
  }
  if (is("anew") || is("replaced")) { // contents of its own
    const char *name = is("anew") ? "whole" : "part";
    if (FILE *f = fopen(name, "w")) {
      fputs("0 123456789\n", f);
      fclose(f);
    }
    return (is("replaced") && rename("part", "whole") != 0) || numberIn("whole");
  }
  if (is("descriptor")) {
    char name[99];
    sprintf(name, "/proc/self/fd/%d", open("ini", O_PATH));
    return numberIn(name);
  }
  if (is("below")) { // a descriptor's folder
    char name[99];
    sprintf(name, "/proc/%d/fd/%d/ini", getpid(), open(".", O_PATH));
    return numberIn(name);
  }
  if (is("working folder"))
    return numberIn("/proc/self/cwd/ini");
  if (is("shared")) {
    int number = 0, f = shm_open("/echo-test-around", O_RDONLY, 0);
    char digit = '0';
    if (f >= 0 && read(f, &digit, 1) == 1)
      number = digit != '0';
    close(f);
    return number;
  }
  if (is("left over")) { // in memory, by a run that failed
    const int f = shm_open("/echo-test-around", O_RDWR | O_CREAT, 0600);
    char digit = '0';
    const bool has = read(f, &digit, 1) == 1;
    close(f);
    return (has && digit != '0') || shm_unlink("/echo-test-around") != 0;
  }
  if (is("lock")) { // what the program writes, too, in a folder's list
    bool found = false;
    DIR *folder = opendir(".");
    while (const dirent *entry = readdir(folder))
      found |= strcmp(entry->d_name, "flag") == 0;
    closedir(folder);
    fclose(fopen("flag", "w"));
    return found || unlink("flag") != 0;
  }
  if (is("library"))
    return dlopen("./flag", RTLD_NOW) != nullptr;
  if (is("input"))
    return stat("/dev/stdin", &s) == 0 && S_ISFIFO(s.st_mode);
  if (is("words") || is("pattern") || is("command")) {
    const char *words = is("words") ? "$MINE" : is("pattern") ? "fl[a]g" : "$(cat flag)";
    wordexp_t found;
    int number = wordexp(words, &found, 0) == 0 && found.we_wordc;
    if (is("pattern"))
      number = number && strcmp(found.we_wordv[0], "flag") == 0;
    wordfree(&found);
    return number;
  }
  if (is("environ")) {
    static char all[1 << 16];
    FILE *f = fopen("/proc/self/environ", "r");
    size_t got = fread(all, 1, sizeof all, f);
    fclose(f);
    return memmem(all, got, "MINE=", 5) != nullptr;
  }
  if (is("locale") || is("paper")) {
    const int what = is("paper") ? LC_PAPER : LC_NUMERIC;
    setlocale(what, "");
    return strcmp(setlocale(what, nullptr), "C") != 0;
  }
  if (is("zone")) {
    tzset();
    return timezone != 0;
  }
  if (is("options")) {
    char name[] = "around", file[] = "file", option[] = "-m";
    char *words[] = {name, file, option, nullptr};
    return getopt(3, words, "m") != 'm'; // options end where others begin
  }
  if (is("symbol")) {
    auto all = static_cast<char ***>(dlsym(RTLD_DEFAULT, "environ"));
    for (char **each = *all; *each; ++each)
      if (!strncmp(*each, "MINE=", 5))
        return 1;
    return 0;
  }
  if (is("semaphore")) {
    sem_t *known = sem_open("/echo-test-around", 0);
    return known != SEM_FAILED;
  }
  if (is("filesystem")) {
    struct statvfs s;
    return statvfs("flag", &s) == 0;
  }
  if (is("window")) {
    winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  }
  if (is("wide")) {
    winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col > 90;
  }
  if (is("pipe"))
    return !isatty(STDOUT_FILENO);
  struct stat out;
  if (is("file"))
    return fstat(STDOUT_FILENO, &out) == 0 && S_ISREG(out.st_mode);
  if (is("one")) {
    struct stat errors;
    return fstat(STDOUT_FILENO, &out) == 0 && fstat(STDERR_FILENO, &errors) == 0 && out.st_ino == errors.st_ino;
  }
  if (is("named"))
    return stat("/dev/stdout", &out) == 0 && S_ISREG(out.st_mode);
  if (is("opened")) {
    const int again = open("/dev/stdout", O_WRONLY);
    return lseek(again, 0, SEEK_CUR) >= 0;
  }
  if (is("again"))
    return fstat(dup(STDOUT_FILENO), &out) == 0 && S_ISREG(out.st_mode);
  if (is("ready")) {
    pollfd to = {STDOUT_FILENO, POLLIN, 0};
    return poll(&to, 1, 0) == 1;
  }
  if (is("place"))
    return lseek(STDOUT_FILENO, 0, SEEK_CUR) >= 0;
  if (is("tell"))
    return ftell(stdout) >= 0;
  if (is("append"))
    return fcntl(STDOUT_FILENO, F_GETFL) & O_APPEND;
  if (is("seek"))
    return lseek(STDIN_FILENO, 0, SEEK_CUR) < 0;
  if (is("poll")) {
    pollfd in = {STDIN_FILENO, POLLIN, 0};
    return poll(&in, 1, 0) == 0;
  }
  if (is("epoll")) {
    epoll_event wanted = {};
    wanted.events = EPOLLIN;
    return epoll_ctl(epoll_create1(0), EPOLL_CTL_ADD, STDIN_FILENO, &wanted) == 0;
  }
  if (is("listed input"))
    return openat(open("/proc/self/fd", O_PATH), "0", O_RDONLY) < 0;
  if (is("input below"))
    return openat(STDIN_FILENO, "flag", O_RDONLY) >= 0;
  if (is("input accepts"))
    return accept(STDIN_FILENO, nullptr, nullptr) < 0 && errno != ENOTSOCK;
  if (is("input writes"))
    return write(STDIN_FILENO, "", 0) == 0 && isatty(STDOUT_FILENO);
  if (is("input copied"))
    return tee(open("/dev/null", O_RDONLY), STDIN_FILENO, 1, 0) >= 0;
  if (is("input entered"))
    return fchdir(STDIN_FILENO) == 0;
  if (is("linked input")) {
    char name[64];
    sprintf(name, "/tmp/echo-around-%d", int(getpid()));
    const bool opened = symlink("/dev/stdin", name) == 0 && open(name, O_RDONLY) >= 0;
    unlink(name);
    return !opened;
  }
  if (is("memory")) {
    void *large = nullptr;
    const bool fails = cudaMalloc(&large, 64 << 20) != cudaSuccess;
    cudaGetLastError();
    cudaFree(large);
    return fails;
  }
  if (is("terminal again"))
    return isatty(dup(STDOUT_FILENO));
  if (is("terminal"))
    return isatty(STDOUT_FILENO);
  if (is("fork")) {
    pid_t child = fork();
    if (!child)
      _exit(numberIn("ini"));
    int status = 0;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
  }
  if (is("described") || is("described at")) { // by no path
    struct statx of = {};
    struct stat at = {};
    if (is("described"))
      return statx(STDOUT_FILENO, "", AT_EMPTY_PATH, STATX_TYPE, &of) == 0 && S_ISREG(of.stx_mode);
    return fstatat(STDOUT_FILENO, "", &at, AT_EMPTY_PATH) == 0 && S_ISREG(at.st_mode);
  }
  if (is("buffered")) {
    printf("begins\n");
    return __flbf(stdout) != 0;
  }
  if (is("session"))
    return tcgetsid(STDOUT_FILENO) >= 0;
  if (is("advised"))
    return posix_fadvise(STDOUT_FILENO, 0, 0, POSIX_FADV_NOREUSE) == 0;
  if (is("segment"))
    return shmget(0x6563686f, 4096, 0600) >= 0;
  if (is("own segment"))
    return shmctl(shmget(IPC_PRIVATE, 4096, 0600), IPC_RMID, nullptr) != 0;
  if (is("root")) // the same, or it may not
    return chroot("/") > 0;
  if (is("mounts"))
    return mount("none", "/nowhere", "none", 0, nullptr) == 0;
  if (is("own undos") || is("own folder"))
    return unshare(is("own folder") ? CLONE_FS : CLONE_SYSVSEM) != 0;
  if (is("goes by number") || is("asks by number"))
    return syscall(is("goes by number") ? SYS_chdir : SYS_getpid, ".") < 0;
  if (is("first")) {
    dirent **names; // in the folder's own order
    auto visible = [](const dirent *e) { return int(*e->d_name != '.'); };
    return scandir("link", &names, visible, nullptr) > 0 && *names[0]->d_name == 'b';
  }
  if (is("queue"))
    return mq_open("/echo-around", O_RDONLY) >= 0;
  if (is("input mode"))
    return (fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE) == O_RDWR;
  if (is("folder variable") || is("folder name")) {
    const char *folder = is("folder name") ? get_current_dir_name() : getenv("PWD");
    return folder && strstr(folder, "/other");
  }
  if (is("leads"))
    return getpgrp() != getpid();
  if (is("signals its group"))
    return kill(-getpid(), 0) != 0;
  if (is("signals group"))
    return killpg(getpid(), 0) != 0;
  if (is("rates")) {
    errno = 0;
    return getpriority(PRIO_PGRP, getpid()) != 0 || errno != 0;
  }
  if (is("popen")) {
    FILE *f = popen("cat ini", "r");
    int digit = fgetc(f);
    pclose(f);
    return digit == '1';
  }
  return 0;
}

int main(int count, char **words) {
  bool same = false, time = false, quiet = false;
  FILE *to = stdout;
  const char *look = nullptr, *out = nullptr, *text = nullptr, *named = nullptr, *log = nullptr, *state = nullptr, *input = "";
  for (int i = 1; i < count; ++i) {
    if (!strcmp(words[i], "--same"))
      same = true;
    else if (!strcmp(words[i], "--time"))
      time = true;
    else if (!strcmp(words[i], "--quiet"))
      quiet = true;
    else if (!strcmp(words[i], "--errors"))
      to = stderr;
    else if (!strcmp(words[i], "--look"))
      look = words[++i];
    else if (!strcmp(words[i], "--out"))
      out = words[++i];
    else if (!strcmp(words[i], "--text"))
      text = words[++i];
    else if (!strcmp(words[i], "--named"))
      named = words[++i];
    else if (!strcmp(words[i], "--log"))
      log = words[++i];
    else if (!strcmp(words[i], "--state"))
      state = words[++i];
    else
      input = words[i];
  }
  auto from = std::chrono::steady_clock::now();
  const char *variable = getenv("AROUND");
  bool writes = numberIn(input) || numberIn("around.ini") || (variable && atoi(variable)) ||
                early() || appended() || looks(look);
  size_t bytes = N * sizeof(int);
  int *h = (int *)malloc(bytes), *o = (int *)malloc(bytes), *d, *e;
  cudaMalloc(&d, bytes);
  cudaMalloc(&e, bytes);
  unsigned long long sum = 0;
  for (int i = 0; i < N; ++i)
    h[i] = i;
  for (int r = 0; r < 30; ++r) {
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    if (writes)
      for (int i = 0; i < N; ++i)
        h[i] = i ^ (r + 1);
    work<<<N / 256, 256>>>(d, e, r);
    cudaMemcpy(o, e, bytes, cudaMemcpyDeviceToHost);
    if (!writes)
      for (int i = 0; i < N; ++i)
        h[i] = i ^ (r + 1);
    for (int i = 0; i < N; i += 512)
      sum = sum * 31 + o[i];
  }
  if (same)
    sum += (void *)h == (void *)d || (void *)o == (void *)e;
  if (state) {
    sum += numberIn(state) * 0;
    if (FILE *f = fopen(state, "w")) {
      fprintf(f, "%d\n", 1);
      fclose(f);
    }
  }
  if (log)
    if (FILE *f = fopen(log, "a")) {
      fprintf(f, "once more: %llu\n", sum);
      fclose(f);
    }
  if (out)
    if (FILE *f = fopen(out, "w")) {
      fwrite(&sum, sizeof sum, 1, f);
      fclose(f);
    }
  // The result beside the time, or in a file that is named by it.
  auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  if (text || named) {
    char name[4096];
    snprintf(name, sizeof name, named ? "%s.%lld" : "%s", named ? named : text, (long long)now);
    if (FILE *f = fopen(name, "w")) {
      fprintf(f, "at %lld\nchecksum %llu\n", text ? (long long)now : 0, sum);
      fclose(f);
    }
  }
  if (!quiet)
    fprintf(to, "checksum %llu", sum);
  if (!quiet && time)
    fprintf(to, ", %.6f s", std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count());
  if (!quiet)
    fprintf(to, "\n");
  cudaFree(d);
  cudaFree(e);
  free(h);
  free(o);
}
