//===- CpuModule.h - What compiled code and the CPU device agree on -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contract between code that echo-cc --device=cpu emits (lib/Transform/
// CpuDevice) and the CPU device's runtime (runtime/cpu). It fixes layouts and
// names only; a change of either bumps ECHO_CPU_ABI_VERSION. It must never
// depend on CUDA's headers.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_ABI_CPUMODULE_H
#define ECHO_RUNTIME_ABI_CPUMODULE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ECHO_CPU_ABI_VERSION 2u
/// First word of EchoCpuModule, so that a real fat binary is told apart.
#define ECHO_CPU_MODULE_MAGIC 0x4f484345u /* "ECHO" */

/// One thread block about to run. Filled by the runtime, read by generated
/// code. All counts are CUDA's own units (threads, blocks, bytes).
typedef struct EchoCpuBlock {
  char *params;    ///< parameters, packed at EchoCpuKernel::paramOffsets
  char *sharedMem; ///< static shared memory, then dynamic; 256-aligned
  uint32_t gridDim[3];
  uint32_t blockDim[3];
  uint32_t blockIdx[3];
  uint32_t
      dynamicSharedOffset; ///< where dynamic shared memory starts in sharedMem
  uint32_t dynamicSharedBytes;
  uint32_t reserved;
} EchoCpuBlock;

/// One CUDA thread, seen by functions that were not inlined into the kernel.
/// echo_cpu_self points to it while the thread runs.
typedef struct EchoCpuThread {
  const EchoCpuBlock *block;
  uint32_t tid[3];
  uint32_t linear; ///< x + y * dim.x + z * dim.x * dim.y
} EchoCpuThread;

/// The CUDA thread that this host thread runs now. A block runs on one host
/// thread from start to end, so the address never goes stale.
extern __thread EchoCpuThread *echo_cpu_self;

/// Runs every thread of the block, in a loop (kernels without barriers and
/// without warp operations). The generated code sets echo_cpu_self's tid where
/// a callee needs it; the runtime has set echo_cpu_self->block.
typedef void (*EchoCpuBlockFn)(const EchoCpuBlock *);
/// Runs one thread of the block to its end (kernels that need fibers); the
/// runtime has set echo_cpu_self to this thread.
typedef void (*EchoCpuThreadFn)(const EchoCpuBlock *);

enum EchoCpuKernelFlags {
  ECHO_CPU_NEEDS_FIBERS = 1u, ///< `thread` is set and `block` is null
  /// From this bit on: the architecture that it was compiled for (89 for
  /// sm_89), or 0.
  ECHO_CPU_ARCH_SHIFT = 16,
};

typedef struct EchoCpuKernel {
  const char *name;     ///< mangled name as __cudaRegisterFunction passes it
  EchoCpuBlockFn block; ///< null where fibers are needed
  EchoCpuThreadFn thread;
  uint32_t flags;
  uint32_t numParams;
  const uint32_t *paramOffsets; ///< into EchoCpuBlock::params, bytes
  const uint32_t *paramSizes;   ///< bytes
  uint32_t paramBytes;          ///< size of the packed block
  uint32_t staticSharedBytes;
  uint32_t maxThreadsPerBlock; ///< __launch_bounds__, or 0
  uint32_t sharedGapBytes; ///< of staticSharedBytes, between variables: what
                           ///< AddressSanitizer guards
} EchoCpuKernel;

/// A __device__, __constant__ or __managed__ variable.
typedef struct EchoCpuVariable {
  const char *name; ///< as __cudaRegisterVar passes it
  void *address;
  size_t bytes;
  uint32_t managed; ///< 1 if it is __managed__
} EchoCpuVariable;

/// What the `data` field of __cudaRegisterFatBinary's wrapper points to.
typedef struct EchoCpuModule {
  uint32_t magic;   ///< ECHO_CPU_MODULE_MAGIC
  uint32_t version; ///< ECHO_CPU_ABI_VERSION
  uint32_t numKernels;
  uint32_t numVariables;
  const EchoCpuKernel *kernels;
  const EchoCpuVariable *variables;
  const char *source; ///< translation unit, for messages
} EchoCpuModule;

// Services of the runtime that generated code calls. A warp is 32 threads of
// consecutive `linear`. `mask` names lanes; lanes of the mask that have exited
// or do not exist are not waited for.

/// __syncthreads; id is the barrier's number (0 to 15), count the number of
/// threads that take part, or 0 for all of the block.
void echo_cpu_barrier(uint32_t id, uint32_t count);
/// bar.arrive: counts for the barrier, does not wait.
void echo_cpu_barrier_arrive(uint32_t id, uint32_t count);
enum EchoCpuReduce { ECHO_CPU_POPC, ECHO_CPU_AND, ECHO_CPU_OR };
/// __syncthreads_count/_and/_or.
int32_t echo_cpu_barrier_reduce(uint32_t op, int32_t predicate);
void echo_cpu_syncwarp(uint32_t mask);
enum EchoCpuShuffle {
  ECHO_CPU_SHFL_IDX,
  ECHO_CPU_SHFL_UP,
  ECHO_CPU_SHFL_DOWN,
  ECHO_CPU_SHFL_BFLY
};
/// shfl.sync with PTX's operands: `b` lane or delta, `c` clamp | segmask << 8.
/// *inRange (may be null) gets PTX's predicate.
uint32_t echo_cpu_shfl(uint32_t mask, uint32_t mode, uint32_t value, uint32_t b,
                       uint32_t c, int32_t *inRange);
enum EchoCpuVote {
  ECHO_CPU_VOTE_ALL,
  ECHO_CPU_VOTE_ANY,
  ECHO_CPU_VOTE_UNI,
  ECHO_CPU_VOTE_BALLOT
};
uint32_t echo_cpu_vote(uint32_t mask, uint32_t op, int32_t predicate);
/// match.any.sync / match.all.sync (`all` sets *predicate, may be null).
uint32_t echo_cpu_match(uint32_t mask, uint32_t all, uint64_t value,
                        int32_t *predicate);
enum EchoCpuRedux {
  ECHO_CPU_REDUX_ADD,
  ECHO_CPU_REDUX_MIN,
  ECHO_CPU_REDUX_MAX,
  ECHO_CPU_REDUX_UMIN,
  ECHO_CPU_REDUX_UMAX,
  ECHO_CPU_REDUX_AND,
  ECHO_CPU_REDUX_OR,
  ECHO_CPU_REDUX_XOR
};
uint32_t echo_cpu_redux(uint32_t mask, uint32_t op, uint32_t value);
/// activemask: the lanes of this warp that run; with fibers only this one is
/// known to run now, so the answer is the lane itself.
uint32_t echo_cpu_activemask(void);
/// Lets other threads of the block run (spin loops, __nanosleep).
void echo_cpu_yield(void);
/// Device printf: CUDA's packed argument buffer, 8-byte slots for doubles and
/// 64-bit values, 4-byte slots else, each naturally aligned.
int32_t echo_cpu_vprintf(const char *format, const void *args);
/// Device assert: prints CUDA's message and makes the device fail.
void echo_cpu_assertfail(const char *message, const char *file, uint32_t line,
                         const char *function, size_t charSize);
/// trap and __brkpt: makes the device fail.
void echo_cpu_trap(void);
void *echo_cpu_device_malloc(size_t bytes);
void echo_cpu_device_free(void *pointer);
/// Nanoseconds since some start (globaltimer, clock64).
uint64_t echo_cpu_clock(void);

#ifdef __cplusplus
}
#endif
#endif
