// What host sanitizers are given of device code.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: %echo_cc --device=cpu --no-unify -O1 -fsanitize=thread -S -emit-llvm %s -o - | FileCheck %s --check-prefix=THREAD
// RUN: %echo_cc --device=cpu --no-unify -O1 -fsanitize=address -S -emit-llvm %s -o - | FileCheck %s --check-prefix=ADDRESS
// RUN: %echo_cc --device=cpu --no-unify -O0 -fsanitize=undefined -S -emit-llvm %s -o - | FileCheck %s --check-prefix=UNDEFINED
// RUN: %echo_cc --device=cpu --no-unify -O1 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE

// NONE-NOT: __tsan
// NONE-NOT: __asan
// NONE-NOT: __ubsan

// Operations that ThreadSanitizer's pass does not know, and volatile accesses,
// are atomics that it does know.
// THREAD-LABEL: define internal void @echo_cpu.kernel._Z7atomicsPjPfPVi(
// THREAD: call void @__tsan_func_entry
// THREAD: call i32 @__tsan_atomic32_compare_exchange_val
// THREAD: call i32 @__tsan_atomic32_compare_exchange_val
// THREAD: call i32 @__tsan_atomic32_load(ptr {{.*}}, i32 2)
// THREAD-NOT: atomicrmw
// THREAD-LABEL: {{^}}}
// UNDEFINED: define {{.*}} @{{.*}}_Z7atomicsPjPfPVi(
// UNDEFINED: __ubsan_handle_add_overflow
__global__ void atomics(unsigned *P, float *F, volatile int *Flag) {
  atomicInc(P, 7);
  atomicAdd(F, 1.0f);
  *P = *Flag + 1;
}

// Where threads of a block take turns there is no shadow stack. AddressSanitizer
// is told of the guards behind shared variables.
// THREAD-LABEL: define internal void @echo_cpu.kernel._Z5turnsPi(
// THREAD-NOT: __tsan_func_
// THREAD: call void @__tsan_read4
// THREAD-NOT: __tsan_func_
// THREAD: call void @echo_cpu_barrier
// THREAD-NOT: __tsan_func_
// THREAD: ret void
// ADDRESS-LABEL: define internal void @echo_cpu.kernel._Z5turnsPi(
// ADDRESS: call void @__asan_poison_memory_region(ptr {{.*}}, i64 64)
// ADDRESS: call void @__asan_report_load4
__global__ void turns(int *P) {
  __shared__ int S[32];
  S[threadIdx.x] = P[threadIdx.x];
  __syncthreads();
  P[threadIdx.x] = S[31 - threadIdx.x];
}

int main() {}
