//===- bypass.cu - Loops whose buffers are used past page protection ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As tricks.cu: the same loop each time, with something by which memory can be
// used though its pages are closed, or by which they do not close; and its
// twin, a word apart, that validation must not mind. System calls named
// "inline" are made without the C library.
//
// Pages that do not close:
// VALIDATE: plain             | in=pass out=pass
// VALIDATE: filter-protect    | in=NotClosed out=NotClosed
// VALIDATE: filter-pretends   | in=NotClosed out=NotClosed
// VALIDATE: filter-other      | in=pass out=pass
// VALIDATE: filter-late       | in=Sandboxed out=Sandboxed
// VALIDATE: filter-late-other | in=Sandboxed out=Sandboxed
// VALIDATE: filter-inline     | in=NotClosed out=NotClosed
// VALIDATE: filter-in-child   | in=pass out=pass
// VALIDATE: many-mappings     | in=NotClosed out=NotClosed
// VALIDATE: fewer-mappings    | in=pass out=pass
//
// The program's own protection and advice:
// VALIDATE: key-protects      | in=Protected out=pass
// VALIDATE: number-protects   | in=Protected out=pass
// VALIDATE: inline-protects   | in=Reopened out=pass
// VALIDATE: protects-other    | in=pass out=pass
// VALIDATE: advises-huge      | in=pass out=pass
// VALIDATE: discards          | in=Unmapped out=pass
// VALIDATE: shares            | in=Unmapped out=pass
// VALIDATE: moves-pages       | in=Unmapped out=pass
// VALIDATE: inline-discards   | in=Changed out=pass
// VALIDATE: inline-replaces   | in=Reopened out=pass
// VALIDATE: discards-other    | in=pass out=pass
//
// Other readers and writers:
// VALIDATE: ring              | in=Ring out=Ring
// VALIDATE: ring-late         | in=Ring out=Ring
// VALIDATE: ring-gone         | in=pass out=pass
// VALIDATE: aio               | in=AioContext out=AioContext
// VALIDATE: aio-late          | in=AioContext out=AioContext
// VALIDATE: aio-gone          | in=pass out=pass
// VALIDATE: memory-file       | in=MemoryFile out=MemoryFile
// VALIDATE: memory-file-libc  | in=MemoryFile out=MemoryFile
// VALIDATE: memory-file-stdio | in=MemoryFile out=MemoryFile
// VALIDATE: memory-file-moves | in=Changed out=pass
// VALIDATE: memory-file-fills | in=pass out=Changed
// VALIDATE: status-file       | in=pass out=pass
// VALIDATE: user-faults       | in=UserFaults out=UserFaults
// VALIDATE: devices           | in=pass out=pass
// VALIDATE: child-copies      | in=OtherProcess out=OtherProcess
// VALIDATE: child-copies-open | in=pass out=pass
// VALIDATE: child-file        | in=MemoryFile out=MemoryFile
// VALIDATE: file-buffer       | in=Lasting out=pass
// VALIDATE: list-of-reads     | in=Lasting out=pass
// VALIDATE: handler-inline    | in=FaultsTaken out=FaultsTaken
//
// Programs that watch the GPU at work:
// VALIDATE: query             | in=Polled out=Polled
// VALIDATE: query-event       | in=Polled out=Polled
// VALIDATE: waits-event       | in=pass out=pass
// VALIDATE: host-function     | in=Polled out=Polled
// VALIDATE: callback          | in=Polled out=Polled
// VALIDATE: mapped-word       | in=Polled out=Polled
// VALIDATE: mapped-large      | in=Polled out=Polled
// VALIDATE: pinned-large      | in=pass out=pass
// VALIDATE: registered-word   | in=Polled out=Polled
// VALIDATE: managed-word      | in=Polled out=Polled
// VALIDATE: managed-large     | in=Polled out=Polled
// VALIDATE: elapsed           | in=Polled out=Polled
// VALIDATE: elapsed-after     | in=pass out=pass
// VALIDATE: copies-word       | in=Polled out=Polled
// VALIDATE: copies-word-after | in=pass out=pass
// VALIDATE: copies-symbol     | in=Polled out=Polled
//
// Programs that ask, and do not wait until it is so:
// VALIDATE: asks-pipe         | in=Attempts out=Attempts
// VALIDATE: asks-pipe-after   | in=pass out=pass
// VALIDATE: asks-event        | in=Attempts out=Attempts
// VALIDATE: asks-poll         | in=Attempts out=Attempts
// VALIDATE: waits-poll        | in=pass out=pass
// VALIDATE: asks-socket       | in=Attempts out=Attempts
// VALIDATE: asks-bytes        | in=Attempts out=Attempts
// VALIDATE: asks-file-lock    | in=Attempts out=Attempts
// VALIDATE: asks-record-lock  | in=Attempts out=Attempts
// VALIDATE: asks-mutex        | in=Attempts out=Attempts
// VALIDATE: asks-condition    | in=Attempts out=Attempts
// VALIDATE: asks-semaphore    | in=Attempts out=Attempts
// VALIDATE: asks-signal       | in=Attempts out=Attempts
// VALIDATE: asks-futex        | in=Attempts out=Attempts
// VALIDATE: asks-child        | in=Attempts out=Attempts
// VALIDATE: other-thread-cuda | in=Attempts out=Attempts
// VALIDATE: other-thread      | in=pass out=pass
//
// Names that a library has of its own functions, and who looks there itself:
// VALIDATE: writes-alias      | in=SystemCall out=pass
// VALIDATE: writes-handle     | in=SystemCall out=pass
//
// Copies in boxes:
// VALIDATE: box               | in=Strided out=pass
// VALIDATE: library-asks      | in=pass out=pass
// VALIDATE: other-asks        | in=Polled out=Polled
//
//===----------------------------------------------------------------------===//
#include "tricks.h"

#include <aio.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <linux/futex.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static bool begins(const char *Name) {
  return !strncmp(Case, Name, strlen(Name));
}

/// From here on the call is answered with an error, or with success though
/// nothing was done.
static void filter(unsigned Call, unsigned Error, bool Inline) {
  sock_filter F[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
                     BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, Call, 0, 1),
                     BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | Error),
                     BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  sock_fprog P = {4, F};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (Inline)
    inlineCall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, word(&P));
  else
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &P);
}

/// As many mappings as a process may have (vm.max_map_count).
static void fillMappings(bool All) {
  void *Last[4096];
  unsigned Count = 0;
  for (;; ++Count) {
    void *M = mmap(nullptr, 4096, Count & 1 ? PROT_READ : PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (M == MAP_FAILED)
      break;
    Last[Count % 4096] = M;
  }
  for (unsigned I = 0; I != 4096 && !All; ++I)
    munmap(Last[I], 4096);
}

static int ring() {
  static io_uring_params P;
  return int(inlineCall(SYS_io_uring_setup, 4, word(&P), 0));
}

/// Before the buffers are there, but with CUDA's threads.
static void begin() {
  mallopt(M_ARENA_MAX, 1); // many-mappings: no thread needs another one
  cudaDeviceSynchronize();
  work<<<1, 1>>>(nullptr, nullptr, 0);
  cudaDeviceSynchronize();
  if (is("filter-protect"))
    filter(SYS_mprotect, EPERM, false);
  if (is("filter-pretends"))
    filter(SYS_mprotect, 0, false);
  if (is("filter-other"))
    filter(SYS_personality, EPERM, false);
  if (is("ring"))
    ring();
  if (is("ring-gone"))
    close(ring());
  if (is("aio") || is("aio-gone")) {
    aio_context_t Context = 0;
    inlineCall(SYS_io_setup, 4, word(&Context), 0);
    if (is("aio-gone"))
      inlineCall(SYS_io_destroy, long(Context), 0, 0);
  }
  if (is("memory-file"))
    inlineCall(SYS_openat, AT_FDCWD, word("/proc/self/mem"), O_RDWR);
  if (is("user-faults"))
    inlineCall(SYS_userfaultfd, O_CLOEXEC, 0, 0);
  if (is("devices")) {
    open("/dev/null", O_RDWR);
    open("/dev/urandom", O_RDONLY);
    open("/dev/zero", O_RDONLY);
  }
}

/// A flag or buffer that both sides see.
static void share() {
  static int Word;
  void *P = nullptr;
  if (is("mapped-word"))
    cudaMallocHost(&P, sizeof(int));
  if (is("mapped-large"))
    cudaHostAlloc(&P, N, cudaHostAllocMapped);
  if (is("pinned-large"))
    cudaMallocHost(&P, N);
  if (is("registered-word"))
    cudaHostRegister(&Word, sizeof Word, cudaHostRegisterDefault);
  if (is("managed-word"))
    cudaMallocManaged(&P, sizeof(int));
  if (is("managed-large"))
    cudaMallocManaged(&P, N);
}

static void readFile(const char *Path, bool Stdio) {
  char Text[16];
  if (Stdio) {
    FILE *F = fopen(Path, "r");
    fclose(F);
    return;
  }
  const int F = open(Path, O_RDONLY);
  if (pread(F, Text, sizeof Text, 0) < 0)
    errno = 0; // nothing lies at 0
  close(F);
}

/// The parent's \p H, by the means of another process.
static void inChild(const unsigned char *H) {
  const pid_t Child = fork(), Parent = getppid();
  if (Child) {
    waitpid(Child, nullptr, 0);
    return;
  }
  static char Copied[4096];
  if (is("child-file")) {
    char Path[64];
    snprintf(Path, sizeof Path, "/proc/%d/mem", int(Parent));
    const int F = open(Path, O_RDONLY);
    if (pread(F, Copied, 100, word(H)) != 100)
      _exit(1);
  } else if (is("filter-in-child")) {
    filter(SYS_mprotect, EPERM, false);
  } else {
    iovec Here = {Copied, sizeof Copied};
    iovec There = {const_cast<unsigned char *>(H), sizeof Copied};
    if (process_vm_readv(Parent, &Here, 1, &There, 1, 0) < 0)
      _exit(1);
  }
  _exit(0);
}

/// The pages that lie in \p H as a whole.
static void pagesOf(unsigned char *H, long &From, long &Bytes) {
  const long Page = sysconf(_SC_PAGESIZE);
  From = (word(H) + Page - 1) / Page * Page;
  Bytes = (word(H) + long(N)) / Page * Page - From;
}

/// While the GPU could use the buffers, in every iteration.
static void during(unsigned char *H, unsigned char *O, unsigned char *Other,
                   int I) {
  constexpr int Both = PROT_READ | PROT_WRITE;
  constexpr int Plain = MAP_PRIVATE | MAP_ANONYMOUS;
  long From, Bytes, OtherFrom, OtherBytes;
  pagesOf(H, From, Bytes);
  pagesOf(Other, OtherFrom, OtherBytes);
  auto *At = reinterpret_cast<void *>(From);
  auto *OtherAt = reinterpret_cast<void *>(OtherFrom);
  if (is("key-protects"))
    pkey_mprotect(At, size_t(Bytes), Both, -1);
  if (is("number-protects"))
    syscall(SYS_mprotect, At, Bytes, Both);
  if (is("inline-protects"))
    inlineCall(SYS_mprotect, From & ~0xfffL, Bytes, Both);
  if (is("protects-other"))
    mprotect(OtherAt, size_t(OtherBytes), Both);
  if (is("discards"))
    madvise(At, size_t(Bytes), MADV_DONTNEED);
  if (is("inline-discards"))
    inlineCall(SYS_madvise, From, Bytes, MADV_DONTNEED);
  if (is("inline-replaces"))
    inlineCall(SYS_mmap, From, Bytes, Both, Plain | MAP_FIXED, -1, 0);
  if (is("shares")) { // the buffer's second half
    const int F = memfd_create("shared", 0);
    (void)!ftruncate(F, Bytes / 2);
    mmap(reinterpret_cast<void *>(From + Bytes / 2), size_t(Bytes / 2), Both,
         MAP_SHARED | MAP_FIXED, F, 0);
    close(F);
  }
  if (is("moves-pages") && I == 3)
    mremap(At, size_t(Bytes), size_t(Bytes), MREMAP_MAYMOVE | MREMAP_DONTUNMAP,
           nullptr);
  if (is("discards-other"))
    madvise(OtherAt, size_t(OtherBytes), MADV_DONTNEED);
  if (is("memory-file-libc"))
    readFile("/proc/self/mem", false);
  if (is("memory-file-stdio"))
    readFile("/proc/self/mem", true);
  if (is("status-file")) {
    readFile("/proc/self/status", false);
    readFile("/proc/self/maps", true);
  }
  if (is("memory-file-moves") && I == 3) {
    const long F =
        inlineCall(SYS_openat, AT_FDCWD, word("/proc/self/mem"), O_RDWR);
    inlineCall(SYS_pwrite64, F, word("other"), 5, word(H) + 1000);
    inlineCall(SYS_close, F, 0, 0);
  }
  if (is("memory-file-fills") && I == 3) {
    const long F =
        inlineCall(SYS_openat, AT_FDCWD, word("/proc/self/mem"), O_RDWR);
    inlineCall(SYS_pwrite64, F, word("other"), 5, word(O) + 1000);
    inlineCall(SYS_close, F, 0, 0);
  }
  if (is("file-buffer")) {
    FILE *F = fopen("/proc/self/exe", "rb");
    setvbuf(F, reinterpret_cast<char *>(H), _IOFBF, N);
    if (fgetc(F) != 0x7f)
      printf("no byte\n");
    fclose(F);
  }
  if (is("list-of-reads")) {
    const int F = open("/proc/self/exe", O_RDONLY);
    aiocb A = {};
    A.aio_fildes = F;
    A.aio_buf = H;
    A.aio_nbytes = 100;
    A.aio_lio_opcode = LIO_READ;
    aiocb *List[] = {&A};
    if (lio_listio(LIO_WAIT, List, 1, nullptr) || aio_return(&A) != 100)
      printf("not read\n");
    close(F);
  }
  if (is("child-copies") || is("child-file") || is("filter-in-child"))
    inChild(H);
}

static void onFault(int) { _exit(9); }

/// Takes the handler of a fault without the C library. Done with no buffer
/// closed, and never called.
static void takeFaults() {
  struct {
    void (*Handler)(int);
    unsigned long Flags;
    void (*Restorer)();
    unsigned long Mask;
  } A = {onFault, 0, nullptr, 0};
  inlineCall(SYS_rt_sigaction, SIGSEGV, word(&A), 0, 8);
}

/// Asks for something that is there, or not, without waiting for it.
static void ask() {
  static pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t Condition = PTHREAD_COND_INITIALIZER;
  static int Ends[2], Sockets[2], Word;
  static sem_t Semaphore;
  char Byte = 0;
  timespec Soon;
  clock_gettime(CLOCK_REALTIME, &Soon);
  const timespec Short = {0, 1000};
  sigset_t Set;
  sigemptyset(&Set);
  sigaddset(&Set, SIGUSR1);
  if (!Ends[1] && (pipe2(Ends, O_NONBLOCK) != 0 ||
                   socketpair(AF_UNIX, SOCK_STREAM, 0, Sockets) != 0))
    abort();
  pollfd For = {Ends[1], POLLOUT, 0};
  if (begins("asks-pipe"))
    (void)!read(Ends[0], &Byte, 1);
  if (is("asks-event")) {
    eventfd_t Value;
    eventfd_read(eventfd(0, EFD_NONBLOCK), &Value);
  }
  if (is("asks-poll") || is("waits-poll"))
    poll(&For, 1, is("asks-poll") ? 1 : -1);
  if (is("asks-socket"))
    (void)!recv(Sockets[0], &Byte, 1, MSG_DONTWAIT);
  if (is("asks-bytes"))
    ioctl(Ends[0], FIONREAD, &Word);
  if (is("asks-file-lock"))
    flock(Ends[0], LOCK_EX | LOCK_NB);
  if (is("asks-record-lock")) {
    struct flock All = {};
    All.l_type = F_WRLCK;
    fcntl(Ends[1], F_SETLK, &All);
  }
  if (is("asks-mutex") && pthread_mutex_timedlock(&Mutex, &Soon) == 0)
    pthread_mutex_unlock(&Mutex);
  if (is("asks-condition")) {
    pthread_mutex_lock(&Mutex);
    pthread_cond_timedwait(&Condition, &Mutex, &Soon);
    pthread_mutex_unlock(&Mutex);
  }
  if (is("asks-semaphore"))
    sem_timedwait(&Semaphore, &Soon);
  if (is("asks-signal"))
    sigtimedwait(&Set, nullptr, &Short);
  if (is("asks-futex"))
    syscall(SYS_futex, &Word, FUTEX_WAIT, 0, &Short);
  if (is("asks-child"))
    waitpid(-1, nullptr, WNOHANG);
}

static void nothing(void *) {}
static void called(cudaStream_t, cudaError_t, void *) {}

extern "C" ssize_t __write(int, const void *, size_t);

/// Writes the buffer, and once more where that fails.
static void writeOut(const unsigned char *H) {
  static const int Null = open("/dev/null", O_WRONLY);
  auto *Write =
      is("writes-alias")
          ? &__write
          : reinterpret_cast<ssize_t (*)(int, const void *, size_t)>(
                dlsym(dlopen("libc.so.6", RTLD_NOW), "write"));
  while (Write(Null, H, N) < 0) {
    cudaDeviceSynchronize();
  }
}

static void copyBox(unsigned char *In, unsigned char *H) {
  cudaMemcpy3DParms P = {};
  P.srcPtr = make_cudaPitchedPtr(H, 1024, 1024, N / 1024);
  P.dstPtr = make_cudaPitchedPtr(In, 1024, 1024, N / 1024);
  P.extent = make_cudaExtent(1024, N / 1024, 1);
  P.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&P);
}

__device__ int Symbol;

/// A word from the GPU, in a stream of its own.
static void copyWord(const unsigned char *In) {
  static cudaStream_t Beside;
  int To = 0;
  if (!Beside)
    cudaStreamCreateWithFlags(&Beside, cudaStreamNonBlocking);
  if (is("copies-symbol"))
    cudaMemcpyFromSymbolAsync(&To, Symbol, sizeof To, 0, cudaMemcpyDeviceToHost,
                              Beside);
  else
    cudaMemcpyAsync(&To, In, sizeof To, cudaMemcpyDeviceToHost, Beside);
  cudaStreamSynchronize(Beside);
}

/// Whether the time between two events is known.
static void askTime(cudaEvent_t E) {
  static cudaEvent_t Begin;
  if (!Begin)
    cudaEventCreate(&Begin);
  float Milliseconds;
  cudaEventRecord(Begin);
  cudaEventRecord(E);
  if (is("elapsed-after"))
    cudaEventSynchronize(E);
  if (cudaEventElapsedTime(&Milliseconds, Begin, E) != cudaSuccess)
    cudaGetLastError(); // that it was not ready
}

/// Another thread asks, one that calls CUDA or does not.
static void askInThread() {
  std::thread([] {
    cudaStream_t Own;
    if (is("other-thread-cuda"))
      cudaStreamCreateWithFlags(&Own, cudaStreamNonBlocking);
    pollfd None = {-1, POLLIN, 0};
    poll(&None, 1, 1);
  }).join();
}

/// Waits for the work, or looks whether it has ended.
static void watch(cudaEvent_t E, const unsigned char *In,
                  const unsigned char *H) {
  if (strstr(Case, "-after"))
    cudaDeviceSynchronize();
  if (begins("asks-") || is("waits-poll"))
    ask();
  if (begins("other-thread"))
    askInThread();
  if (begins("copies-"))
    copyWord(In);
  if (begins("writes-"))
    writeOut(H);
  if (begins("elapsed"))
    askTime(E);
  if (is("query"))
    while (cudaStreamQuery(nullptr) == cudaErrorNotReady)
      ;
  if (is("query-event") || is("waits-event")) {
    cudaEventRecord(E);
    if (is("query-event"))
      cudaEventQuery(E);
    cudaEventSynchronize(E);
  }
  if (begins("query"))
    cudaGetLastError(); // that it was not ready
  if (is("library-asks") || is("other-asks")) {
    char Path[4096] = {};
    (void)!readlink("/proc/self/exe", Path, sizeof Path - 32);
    strcpy(strrchr(Path, '/'),
           is("other-asks") ? "/libcublas_asks.so" : "/libcublas-0a5c.so.12");
    void *Library = dlopen(Path, RTLD_NOW);
    reinterpret_cast<void (*)()>(dlsym(Library, "ask"))();
  }
  if (is("host-function"))
    cudaLaunchHostFunc(nullptr, nothing, nullptr);
  if (is("callback"))
    cudaStreamAddCallback(nullptr, called, nullptr, 0);
}

int main(int argc, char **argv) {
  Case = argc > 1 ? argv[1] : "plain";
  unsigned long long Sum = 0;
  begin();
  auto *H = static_cast<unsigned char *>(malloc(N));
  auto *O = static_cast<unsigned char *>(malloc(N));
  auto *Other = static_cast<unsigned char *>(malloc(4 * N));
  unsigned char *In, *Out;
  cudaMalloc(&In, N);
  cudaMalloc(&Out, N);
  cudaEvent_t E;
  cudaEventCreate(&E);
  share();
  if (is("advises-huge"))
    madvise(reinterpret_cast<void *>(word(H) & ~0xfffL), N, MADV_HUGEPAGE);
  if (is("fewer-mappings"))
    fillMappings(false);
  memset(H, 0, N); // neither is closed before the first window
  memset(O, 0, N);
  for (int I = 0; I < 6; ++I) {
    if (I == 2 && is("filter-late"))
      filter(SYS_mprotect, EPERM, false);
    if (I == 2 && is("filter-late-other"))
      filter(SYS_personality, EPERM, false);
    if (I == 0 && is("filter-inline"))
      filter(SYS_mprotect, EPERM, true);
    if (I == 0 && is("many-mappings"))
      fillMappings(true);
    if (I == 0 && is("handler-inline"))
      takeFaults();
    if (I == 3 && is("ring-late"))
      ring();
    if (I == 3 && is("aio-late")) {
      aio_context_t Context = 0;
      inlineCall(SYS_io_setup, 4, word(&Context), 0);
    }
    memset(H, I + 1, N);
    if (is("child-copies-open"))
      inChild(H);
    cudaMemcpy(In, H, N, cudaMemcpyHostToDevice);
    if (is("box"))
      copyBox(In, H);
    work<<<(N + 255) / 256, 256>>>(In, Out, N);
    during(H, O, Other, I);
    watch(E, In, H);
    cudaMemcpy(O, Out, N, cudaMemcpyDeviceToHost);
    for (size_t J = 0; J < N; J += 1001)
      Sum = Sum * 31 + O[J];
    cudaDeviceSynchronize();
  }
  printf("%s %llu %s\n", Case, Sum, cudaGetErrorString(cudaGetLastError()));
  cudaFree(In);
  cudaFree(Out);
  if (!begins("inline-") && !begins("many-"))
    free(H);
  return 0;
}
