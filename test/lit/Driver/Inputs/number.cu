// Odd kernels write, even ones read, so that mixed-up facts change the code.
__global__ void kernelNUMBER(float *data, float *out) {
  if (NUMBER % 2)
    data[threadIdx.x] = NUMBER;
  else
    out[threadIdx.x] = data[threadIdx.x];
}
void run(float *data, float *out) { kernelNUMBER<<<1, 32>>>(data, out); }
