// The window's methods, with a pair of buffers that merges.
#include "bars.h"
#include <QDebug>
#include <QPainter>
#include <cstdlib>

__global__ void scale(float *Heights, int Count, int Factor) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Heights[I] *= Factor;
}

Bars::Bars(int Count, QWidget *Parent) : QWidget(Parent), Heights(Count) {
  connect(this, &Bars::computed, this, [this](double) { update(); });
}

void Bars::compute(int Factor) {
  const int Count = count();
  size_t Bytes = Count * sizeof(float);
  float *Host = static_cast<float *>(malloc(Bytes)), *Device;
  for (int I = 0; I < Count; ++I)
    Host[I] = I % 100;
  cudaMalloc(&Device, Bytes);
  cudaMemcpy(Device, Host, Bytes, cudaMemcpyHostToDevice);
  scale<<<(Count + 255) / 256, 256>>>(Device, Count, Factor);
  cudaMemcpy(Host, Device, Bytes, cudaMemcpyDeviceToHost);
  double Sum = 0;
  for (int I = 0; I < Count; ++I)
    Sum += Heights[I] = Host[I];
  cudaFree(Device);
  free(Host);
  emit computed(Sum);
}

void Bars::paintEvent(QPaintEvent *) {
  QPainter Painter(this);
  for (int I = 0; I < 100; ++I)
    Painter.drawLine(I, 0, I, static_cast<int>(Heights[I]));
}
