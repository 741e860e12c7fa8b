// Fields beside members of classes of the library, and of objects that are
// cleared as a whole.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../../Inputs/case.h"
#include <atomic>
#include <cstddef>
#include <list>
#include <map>
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
// OK-COUNT-14: unified
// OK: 14 pairs: 14 unified
// A table that moved is none that Echo follows.
// BAD: 13 pairs: 13 declined

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

/// Lists and trees of the library link what they get: who walks them finds it.
std::__detail::_List_node_base firstNode;
std::_Rb_tree_node_base rootNode;
struct ListNode : std::__detail::_List_node_base {
  float *host, *device;
};
float inList() {
  auto *job = new ListNode();
  MAKE(*job);
  UNSAFE(job->_M_hook(&firstNode);)
  float seen = RUN(*job);
  DONE(*job);
  SAFE(delete job;)
  return seen;
}
struct TreeNode : std::_Rb_tree_node_base {
  float *host, *device;
};
float inTree(bool left) {
  auto *job = new TreeNode();
  MAKE(*job);
  UNSAFE(std::_Rb_tree_insert_and_rebalance(left, job, &rootNode, rootNode);)
  float seen = RUN(*job);
  DONE(*job);
  SAFE(delete job;)
  return seen;
}

/// A table that is moved when it grows.
float resized(int n) {
  auto **table = (float **)malloc(2 * sizeof(float *));
  table[0] = (float *)malloc(Bytes);
  cudaMalloc(&table[1], Bytes);
  memset(table[0], 0, Bytes);
  UNSAFE(table = (float **)realloc(table, 4 * sizeof(float *));)
  cudaMemcpy(table[1], table[0], Bytes, cudaMemcpyHostToDevice);
  cudaMemset(table[1], 0, 1);
  cudaMemcpy(table[0], table[1], Bytes, cudaMemcpyDeviceToHost);
  float seen = table[0][n];
  cudaFree(table[1]);
  free(table[0]);
  free(table);
  return seen;
}

/// A last array may have more elements than it says.
struct Flexible {
  long size;
  float *more[];
};
struct OneOrMore {
  long size;
  float *more[1];
};
#define BEHIND(T)                                                              \
  auto *all = (T *)malloc(sizeof(T) + 2 * sizeof(float *));                    \
  auto *job = (Plain *)(all + 1);                                              \
  MAKE(*job);                                                                  \
  SAFE(all->size = n;)                                                         \
  UNSAFE(all->more[n] = other;)                                                \
  float seen = RUN(*job);                                                      \
  DONE(*job);                                                                  \
  free(all);                                                                   \
  return seen
float behindAny(int n, float *other) { BEHIND(Flexible); }
float behindOne(int n, float *other) { BEHIND(OneOrMore); }
