// The C library's memory functions, with a threshold of 4096 bytes: each result
// is as the standard has it, whatever is preloaded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <new>
#include <sys/mman.h>
#include <thread>
#include <vector>

static int Failures;
#define CHECK(x)                                                               \
  do {                                                                         \
    if (!(x))                                                                  \
      ++Failures, std::printf("line %d: %s\n", __LINE__, #x);                  \
  } while (0)

// Runs before main, and before most of the C++ library's own constructors.
__attribute__((constructor(101))) static void early() {
  void *P = calloc(1000, 10);
  CHECK(P && !static_cast<char *>(P)[9999]);
  free(P);
}

static void sizes() {
  for (size_t N : {size_t(0), size_t(1), size_t(4095), size_t(4096),
                   size_t(100000), size_t(1) << 20}) {
    char *P = static_cast<char *>(malloc(N));
    CHECK(P && malloc_usable_size(P) >= N);
    memset(P, 7, N);
    for (size_t M : {size_t(10), size_t(5000), size_t(300000), size_t(4096)}) {
      P = static_cast<char *>(realloc(P, M));
      CHECK(P && (!N || P[0] == 7));
      memset(P, 7, M);
      N = M;
    }
    free(P);
    for (size_t Align :
         {size_t(16), size_t(64), size_t(4096), size_t(1) << 21}) {
      void *Q = nullptr;
      CHECK(posix_memalign(&Q, Align, N) == 0 &&
            reinterpret_cast<uintptr_t>(Q) % Align == 0);
      free(Q);
      Q = aligned_alloc(Align, (N + Align - 1) / Align * Align);
      CHECK(Q && reinterpret_cast<uintptr_t>(Q) % Align == 0);
      free(Q);
      Q = memalign(Align, N);
      CHECK(Q && reinterpret_cast<uintptr_t>(Q) % Align == 0);
      Q = realloc(Q, N + 8192);
      CHECK(Q);
      free(Q);
    }
  }
}

static void errors() {
  errno = 0;
  volatile size_t Huge = SIZE_MAX / 2;
  CHECK(!malloc(Huge) && errno == ENOMEM);
  errno = 0;
  CHECK(!calloc(Huge, 4) && errno == ENOMEM);
  void *P = malloc(10000);
  memset(P, 3, 10000);
  CHECK(!realloc(P, Huge) && static_cast<char *>(P)[9999] == 3);
  CHECK(!reallocarray(P, Huge, 4));
  errno = 17;
  free(P);
  CHECK(errno == 17);
  free(nullptr);
  void *Q = &Q;
  void *Before = Q;
  CHECK(posix_memalign(&Q, 3, 10000) == EINVAL && Q == Before);
  CHECK(posix_memalign(&Q, 4, 1 << 20) == EINVAL && Q == Before);
  CHECK(!new (std::nothrow) char[Huge]);
  bool Thrown = false;
  try {
    Q = ::operator new(Huge);
  } catch (const std::bad_alloc &) {
    Thrown = true;
  }
  CHECK(Thrown);
  delete[] new char[100000];
  ::operator delete(::operator new(100000, std::align_val_t(256)),
                    std::align_val_t(256));
}

static void mappings() {
  const size_t N = 1 << 20;
  auto Map = [](size_t Bytes) {
    return static_cast<char *>(mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  };
  char *P = Map(N);
  CHECK(P != MAP_FAILED && !P[N - 1]);
  P[0] = 1;
  CHECK(munmap(P + N / 2, N / 2) == 0);
  P = static_cast<char *>(mremap(P, N / 2, 2 * N, MREMAP_MAYMOVE));
  CHECK(P != MAP_FAILED && P[0] == 1 && !P[2 * N - 1]);
  CHECK(munmap(P, 2 * N) == 0);
  errno = 0;
  CHECK(mmap(nullptr, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
            MAP_FAILED &&
        errno == EINVAL);
  CHECK(munmap(reinterpret_cast<void *>(1), 1 << 20) == -1 && errno == EINVAL);
}

static void many() {
  std::vector<void *> All;
  unsigned Seed = 1;
  for (int I = 0; I != 20000; ++I) {
    Seed = Seed * 1103515245 + 12345;
    if (All.size() > 100 && Seed & 0x10000) {
      size_t At = (Seed >> 8) % All.size();
      free(All[At]);
      All[At] = All.back();
      All.pop_back();
    } else {
      void *P = malloc(Seed >> 4 & 0x3fff);
      *static_cast<char *>(P) = 1;
      All.push_back(P);
    }
  }
  for (void *P : All)
    free(P);
}

int main() {
  sizes();
  errors();
  mappings();
  std::vector<std::thread> Threads;
  for (int I = 0; I != 4; ++I)
    Threads.emplace_back(many);
  for (std::thread &T : Threads)
    T.join();
  std::printf("%d failures\n", Failures);
  return Failures != 0;
}
