// The other file of event_marked_anew_blocked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime_api.h>

void mark(cudaEvent_t event, cudaStream_t stream) {
  cudaEventRecord(event, stream);
}
