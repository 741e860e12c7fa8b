// Fields beside members of classes of the library, and of objects that are
// cleared as a whole.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../Inputs/case.h"
#include <atomic>
#include <cstddef>
#include <string>

template <typename T> struct Job {
  float *host = nullptr, *device = nullptr;
  T member;
};
#define MAKE(job)                                                              \
  (job).host = (float *)malloc(Bytes);                                         \
  cudaMalloc(&(job).device, Bytes);                                            \
  memset((job).host, 0, Bytes)
#define RUN(job)                                                               \
  (cudaMemcpy((job).device, (job).host, Bytes, cudaMemcpyHostToDevice),        \
   cudaMemset((job).device, 0, 1),                                             \
   cudaMemcpy((job).host, (job).device, Bytes, cudaMemcpyDeviceToHost),        \
   (job).host[0])
#define DONE(job)                                                              \
  cudaFree((job).device);                                                      \
  free((job).host)

// The OK run has a pair for each function, in this order; none is declined.
// OK-COUNT-9: unified
// OK: 9 pairs: 9 unified
// BAD: 9 pairs: 9 declined

/// A text, which functions of the library change.
void show(std::string &text);
float text(const char *name) {
  Job<std::string> job;
  MAKE(job);
  job.member = name;
  SAFE(job.member += "!";)
  UNSAFE(show(job.member);)
  float seen = RUN(job);
  DONE(job);
  return seen;
}

/// Who has the address of a member may count back to the object.
float countsBack(const char *name, float *other, size_t bytes) {
  Job<std::string> job;
  MAKE(job);
  job.member = name;
  float seen = RUN(job);
  char *at = (char *)&job.member;
  SAFE(at -= offsetof(Job<std::string>, member);)
  UNSAFE(at -= bytes;)
  seen += ((Job<std::string> *)at)->host[1];
  seen += RUN(job);
  DONE(job);
  return seen;
}

/// An object of the heap.
Job<std::string> *volatile last;
float onHeap(const char *name) {
  auto *job = new Job<std::string>();
  MAKE(*job);
  job->member = name;
  UNSAFE(last = job;)
  float seen = RUN(*job);
  DONE(*job);
  delete job;
  return seen;
}

/// A member whose address is in a variable that others see.
std::string *volatile seenByOthers;
float kept(const char *name) {
  Job<std::string> job;
  MAKE(job);
  job.member = name;
  UNSAFE(seenByOthers = &job.member;)
  float seen = RUN(job);
  DONE(job);
  return seen;
}

/// Atomics are hooks from which programs find the object around.
namespace std {
void notifyAll(atomic<int> *);
}
float hook(int n) {
  SAFE(Job<int> job;)
  UNSAFE(Job<std::atomic<int>> job;)
  MAKE(job);
  job.member = n;
  UNSAFE(std::notifyAll(&job.member);)
  float seen = RUN(job);
  DONE(job);
  return seen;
}

struct Plain {
  float *host, *device;
  int sizes[8];
};
/// Cleared as a whole, before the pointers are put there.
int cleared(int n, int byte) {
  Plain job;
  SAFE(memset(&job, 0, sizeof(job));)
  UNSAFE(memset(&job, byte, sizeof(job));)
  MAKE(job);
  job.sizes[n] = 1;
  RUN(job);
  DONE(job);
  return job.sizes[n / 2];
}

/// Not all of a pointer is cleared.
int clearedInPart(int n) {
  Plain job;
  MAKE(job);
  RUN(job);
  SAFE(memset(&job.sizes, 0, sizeof(job.sizes));)
  UNSAFE(memset((char *)&job + 12, 0, 16);)
  job.sizes[n] = 1;
  DONE(job);
  return job.sizes[n / 2];
}

/// A copy that goes on past the array that it names takes what is behind.
struct Sizes {
  int sizes[8];
  float *host, *device;
};
int copiedPast(int n, Sizes *there) {
  Sizes job;
  MAKE(job);
  job.sizes[n] = 1;
  SAFE(cudaMemcpy(there, job.sizes, sizeof(job.sizes), cudaMemcpyHostToDevice);)
  UNSAFE(cudaMemcpy(there, job.sizes, sizeof(job), cudaMemcpyHostToDevice);)
  RUN(job);
  DONE(job);
  return job.sizes[n / 2];
}
int readPast(int n, FILE *from) {
  Sizes job;
  MAKE(job);
  job.sizes[n] = 1;
  SAFE(fread(job.sizes, sizeof(job.sizes), 1, from);)
  UNSAFE(fread(job.sizes, sizeof(job.sizes) + 8, 1, from);)
  RUN(job);
  DONE(job);
  return job.sizes[n / 2];
}
