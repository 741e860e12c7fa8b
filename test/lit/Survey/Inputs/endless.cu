// 2^60 classes.
template <int N, long M> struct Tree {
  static constexpr long Value = Tree<N - 1, 2 * M>::Value + Tree<N - 1, 2 * M + 1>::Value;
};
template <long M> struct Tree<0, M> {
  static constexpr long Value = M;
};
long all() { return Tree<60, 1>::Value; }
