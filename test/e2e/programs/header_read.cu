// A struct whose first fields a library function fills, beside the pointers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: g.index d unified
#include "e2e.h"

struct Graph {
  int nodes, edges;
  float *index;
  float *weight;
};

static Graph readGraph(FILE *from) {
  Graph g;
  if (fread(&g.nodes, sizeof(g.nodes), 1, from) != 1 ||
      fread(&g.edges, sizeof(g.edges), 1, from) != 1)
    exit(2);
  g.index = (float *)malloc(g.nodes * sizeof(float));
  g.weight = (float *)malloc(g.edges * sizeof(float));
  if (!g.index || !g.weight)
    exit(3);
  fill(g.index, g.nodes, 1);
  fill(g.weight, g.edges, 2);
  return g;
}

static void drop(Graph &g) {
  if (g.index)
    free(g.index);
  if (g.weight)
    free(g.weight);
  g.index = nullptr;
}

int main() {
  FILE *file = tmpfile();
  int header[] = {N, N / 2};
  fwrite(header, sizeof(int), 2, file);
  rewind(file);
  Graph g = readGraph(file);
  float *d;
  CHECK(cudaMalloc(&d, g.nodes * sizeof(float)));
  CHECK(cudaMemcpy(d, g.index, g.nodes * sizeof(float), cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, g.nodes, 1.0f);
  CHECK(cudaMemcpy(g.index, d, g.nodes * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(g.index, g.nodes), sum(g.weight, g.edges));
  cudaFree(d);
  drop(g);
  fclose(file);
}
