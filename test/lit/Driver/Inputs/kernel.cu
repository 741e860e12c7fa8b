// A program with one kernel and one wrapper.
__global__ void scale(float *data, const float *by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= by[0];
}
void runScale(float *data, const float *by, int n) {
  scale<<<(n + 255) / 256, 256>>>(data, by, n);
}
