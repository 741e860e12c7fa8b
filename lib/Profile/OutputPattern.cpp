//===- OutputPattern.cpp - What runs of a program agree on ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See OutputPattern.h. Lines are put side by side by their words without
// digits, since a line with a time in it is another text in each run; tokens
// by their number in the line.
//
//===----------------------------------------------------------------------===//
#include "Profile/OutputPattern.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <functional>

namespace echo::drtool {

using Item = OutputPattern::Item;
using Line = OutputPattern::Line;

/// Characters that are tokens of their own: "0.5s,42" has three.
static bool standsAlone(char C) {
  return std::string_view(",;=()[]{}<>\"'|").find(C) != std::string_view::npos;
}

static bool isBlank(char C) {
  return C == ' ' || C == '\t' || C == '\r' || C == '\v' || C == '\f';
}

static Line tokensOf(std::string_view Text) {
  Line Out;
  for (size_t At = 0, From = 0; At < Text.size(); From = At) {
    while (At < Text.size() && isBlank(Text[At]))
      ++At;
    if (At == Text.size())
      break;
    size_t End = At + 1;
    if (!standsAlone(Text[At]))
      while (End < Text.size() && !isBlank(Text[End]) &&
             !standsAlone(Text[End]))
        ++End;
    Out.push_back({Item::Fixed, std::string(Text.substr(At, End - At)),
                   std::string(Text.substr(From, At - From))});
    At = End;
  }
  return Out;
}

/// Blank lines are none. A progress bar's lines end with a carriage return.
static std::vector<Line> linesOf(std::string_view Text, bool Sorted) {
  std::vector<std::string_view> Texts;
  for (size_t At = 0; At < Text.size();) {
    const size_t End = std::min(Text.find_first_of("\n\r", At), Text.size());
    Texts.push_back(Text.substr(At, End - At));
    At = End + 1;
  }
  if (Sorted)
    std::sort(Texts.begin(), Texts.end());
  std::vector<Line> Out;
  for (std::string_view T : Texts)
    if (Line L = tokensOf(T); !L.empty())
      Out.push_back(std::move(L));
  return Out;
}

OutputPattern::OutputPattern(std::string_view Text, bool Sorted)
    : Sorted(Sorted) {
  for (Line &L : linesOf(Text, Sorted))
    Lines.push_back(std::move(L));
}

/// What two lines have in common by their words: digits say nothing, as a line
/// with a time in it differs in each run.
static uint64_t shapeOf(const Line &L) {
  uint64_t Hash = 14695981039346656037ull;
  for (const Item &I : L) {
    if (I.What == Item::AnyNumber)
      continue;
    const bool Number =
        I.What == Item::AnyOne ||
        std::any_of(I.Text.begin(), I.Text.end(),
                    [](unsigned char C) { return std::isdigit(C); });
    const std::string &Text = Number ? std::string("0") : I.Text;
    for (char C : Text + " ")
      Hash = (Hash ^ static_cast<unsigned char>(C)) * 1099511628211ull;
  }
  return Hash;
}

/// \p Was also fits \p Now, a token with the same text; the blanks may differ.
static void mergeBlanks(Item &Was, const Item &Now) {
  if (Was.Blanks != Now.Blanks)
    Was.Blanks.reset();
}

/// What stands after a token that differs may be moved by it.
static void forgetMoved(Line &L) {
  for (size_t I = 1; I < L.size(); ++I)
    if (L[I - 1].What != Item::Fixed)
      L[I].Blanks.reset();
}

/// Makes of \p Was what also fits \p Now.
static void mergeLine(Line &Was, const Line &Now) {
  const bool Plain = std::none_of(Was.begin(), Was.end(), [](const Item &I) {
    return I.What == Item::AnyNumber;
  });
  if (Plain && Was.size() == Now.size()) {
    for (size_t I = 0; I < Was.size(); ++I)
      if (Was[I].What == Item::Fixed && Was[I].Text != Now[I].Text)
        Was[I] = {Item::AnyOne, "", {}};
      else
        mergeBlanks(Was[I], Now[I]);
    return forgetMoved(Was);
  }
  // What the beginnings and the ends agree on stays; between them is any
  // number. An AnyOne fits whatever stands there.
  auto Fits = [](const Item &P, const Item &T) {
    return P.What == Item::AnyOne ||
           (P.What == Item::Fixed && P.Text == T.Text);
  };
  size_t Head = 0, Tail = 0;
  const size_t Least = std::min(Was.size(), Now.size());
  while (Head < Least && Fits(Was[Head], Now[Head]))
    ++Head;
  while (Tail < Least - Head &&
         Fits(Was[Was.size() - 1 - Tail], Now[Now.size() - 1 - Tail]))
    ++Tail;
  for (size_t I = 0; I < Head; ++I)
    mergeBlanks(Was[I], Now[I]);
  for (size_t I = 1; I <= Tail; ++I)
    mergeBlanks(Was[Was.size() - I], Now[Now.size() - I]);
  Line Out(Was.begin(), Was.begin() + ptrdiff_t(Head));
  Out.push_back({Item::AnyNumber, "", {}});
  Out.insert(Out.end(), Was.end() - ptrdiff_t(Tail), Was.end());
  Was = std::move(Out);
  forgetMoved(Was);
}

/// The longest common sequence of \p N and \p M things, two of which are alike
/// if \p Same: their places. None where that would take too long.
template <class SameFn>
static std::vector<std::pair<size_t, size_t>> commonSequence(size_t N, size_t M,
                                                             SameFn Same) {
  constexpr size_t MostCells = size_t(1) << 24;
  std::vector<std::pair<size_t, size_t>> Places;
  if (!N || !M || N * M > MostCells)
    return Places;
  // Best[I][J]: of what is left from I and J on.
  std::vector<uint32_t> Best((N + 1) * (M + 1), 0);
  auto At = [&](size_t I, size_t J) -> uint32_t & {
    return Best[I * (M + 1) + J];
  };
  for (size_t I = N; I-- > 0;)
    for (size_t J = M; J-- > 0;)
      At(I, J) = Same(I, J) ? At(I + 1, J + 1) + 1
                            : std::max(At(I + 1, J), At(I, J + 1));
  for (size_t I = 0, J = 0; I < N && J < M;)
    if (Same(I, J))
      Places.push_back({I++, J++});
    else if (At(I + 1, J) >= At(I, J + 1))
      ++I;
    else
      ++J;
  return Places;
}

void OutputPattern::merge(std::string_view Text) {
  const std::vector<Line> Now = linesOf(Text, Sorted);
  std::vector<std::optional<Line>> Out;
  auto AddGap = [&] {
    if (Out.empty() || Out.back())
      Out.push_back(std::nullopt);
  };
  std::vector<uint64_t> Old, New;
  for (const std::optional<Line> &L : Lines)
    Old.push_back(L ? shapeOf(*L) : 0);
  for (const Line &L : Now)
    New.push_back(shapeOf(L));
  const bool Aligned =
      Lines.size() == Now.size() &&
      std::all_of(Lines.begin(), Lines.end(),
                  [](const std::optional<Line> &L) { return L.has_value(); });
  if (Aligned) { // line by line, whatever their words
    for (size_t I = 0; I < Now.size(); ++I)
      mergeLine(*Lines[I], Now[I]);
    return;
  }
  // The beginnings, the longest common sequence of the middles, the ends.
  size_t Head = 0, Tail = 0;
  const size_t Least = std::min(Old.size(), New.size());
  while (Head < Least && Lines[Head] && Old[Head] == New[Head])
    ++Head;
  while (Tail < Least - Head && Lines[Old.size() - 1 - Tail] &&
         Old[Old.size() - 1 - Tail] == New[New.size() - 1 - Tail])
    ++Tail;
  auto Take = [&](size_t I, size_t J) {
    mergeLine(*Lines[I], Now[J]);
    Out.push_back(std::move(Lines[I]));
  };
  for (size_t I = 0; I < Head; ++I)
    Take(I, I);
  const size_t OldEnd = Old.size() - Tail, NewEnd = New.size() - Tail;
  size_t I = Head, J = Head;
  for (auto [AtI, AtJ] :
       commonSequence(OldEnd - Head, NewEnd - Head, [&](size_t M, size_t N) {
         return Lines[Head + M] && Old[Head + M] == New[Head + N];
       })) {
    if (I < Head + AtI || J < Head + AtJ)
      AddGap();
    I = Head + AtI;
    J = Head + AtJ;
    Take(I++, J++);
  }
  if (I < OldEnd || J < NewEnd)
    AddGap();
  for (size_t I = Tail; I-- > 0;)
    Take(Old.size() - 1 - I, New.size() - 1 - I);
  Lines = std::move(Out);
}

/// Whether \p Items fit a pattern in which some stand for any number: as a
/// shell matches '*', the first place is taken that fits.
template <class P, class T, class AnyFn, class FitsFn>
static bool matches(const std::vector<P> &Pattern, const std::vector<T> &Items,
                    AnyFn IsAny, FitsFn Fits, size_t &Reached) {
  size_t At = 0, Star = SIZE_MAX, From = 0, I = 0;
  while (I < Items.size()) {
    if (At < Pattern.size() && IsAny(Pattern[At])) {
      Star = At++;
      From = I;
    } else if (At < Pattern.size() && Fits(Pattern[At], Items[I])) {
      ++At;
      ++I;
      Reached = std::max(Reached, I);
    } else if (Star != SIZE_MAX) {
      At = Star + 1;
      I = ++From;
    } else {
      return false;
    }
  }
  while (At < Pattern.size() && IsAny(Pattern[At]))
    ++At;
  return At == Pattern.size();
}

static bool fitsLine(const Line &Pattern, const Line &Tokens) {
  size_t Reached = 0;
  return matches(
      Pattern, Tokens, [](const Item &I) { return I.What == Item::AnyNumber; },
      [](const Item &P, const Item &T) {
        return P.What == Item::AnyOne ||
               (P.Text == T.Text && (!P.Blanks || P.Blanks == T.Blanks));
      },
      Reached);
}

static std::string textOf(const Line &L) {
  std::string Text;
  for (const Item &I : L) {
    if (!Text.empty())
      Text += ' ';
    Text += I.What == Item::Fixed    ? I.Text
            : I.What == Item::AnyOne ? "..."
                                     : "... ...";
    if (Text.size() > 100)
      return Text.substr(0, 100) + "...";
  }
  return Text;
}

std::string OutputPattern::differs(std::string_view Text) const {
  const std::vector<Line> Now = linesOf(Text, Sorted);
  size_t Reached = 0;
  if (matches(
          Lines, Now, [](const std::optional<Line> &L) { return !L; },
          [](const std::optional<Line> &P, const Line &T) {
            return fitsLine(*P, T);
          },
          Reached))
    return "";
  if (Reached == Now.size())
    return "its output ends too early";
  if (Lines.size() == Now.size() && Lines[Reached] &&
      textOf(Now[Reached]) == textOf(*Lines[Reached]))
    return "the blanks in '" + textOf(Now[Reached]) + "' are others";
  if (Lines.size() == Now.size() && Lines[Reached])
    return "'" + textOf(Now[Reached]) + "' instead of '" +
           textOf(*Lines[Reached]) + "'";
  return "'" + textOf(Now[Reached]) + "' is not as ever";
}

size_t OutputPattern::fixedTokens() const {
  size_t Count = 0;
  for (const std::optional<Line> &L : Lines)
    if (L)
      Count += size_t(std::count_if(L->begin(), L->end(), [](const Item &I) {
        return std::any_of(I.Text.begin(), I.Text.end(), [](unsigned char C) {
          return std::isalnum(C) || C >= 0x80;
        });
      }));
  return Count;
}

/// What a token says that stays as it is.
namespace {
enum class Says { Nothing, Count, Number, Verdict };
}

/// Whether \p Text is a number, perhaps as in "x=12.5," or "(3)". L2, fp32 and
/// 1.2x are names.
static Says numberIn(std::string_view Text) {
  if (const size_t At = Text.find_last_of("=:");
      At != std::string_view::npos && At + 1 < Text.size())
    Text.remove_prefix(At + 1);
  constexpr std::string_view Around = "([{<\"'+-)]}>,;:.%|";
  const size_t First = Text.find_first_not_of(Around);
  if (First == std::string_view::npos)
    return Says::Nothing;
  Text = Text.substr(First, Text.find_last_not_of(Around) + 1 - First);
  double Value = 0;
  const auto [End, Error] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  if (Error != std::errc() || End != Text.data() + Text.size() ||
      !std::isdigit(static_cast<unsigned char>(Text.front())))
    return Says::Nothing;
  constexpr size_t MostDigits = 10; // of a count; checksums have more
  return Text.size() <= MostDigits &&
                 Text.find_first_of(".eE") == std::string_view::npos
             ? Says::Count
             : Says::Number;
}

/// Also whether \p Text says how a program's own check ended.
static Says saidBy(const std::string &Text) {
  static constexpr std::string_view Words[] = {
      "ok",       "okay",        "pass",      "passed",  "passes",
      "success",  "successful",  "succeeded", "correct", "correctly",
      "valid",    "validated",   "verified",  "match",   "matches",
      "matched",  "equal",       "agree",     "agrees",  "identical",
      "fail",     "failed",      "wrong",     "invalid", "incorrect",
      "mismatch", "successfully"};
  std::string Lower;
  for (unsigned char C : Text)
    if (std::isalpha(C))
      Lower += static_cast<char>(std::tolower(C));
  return std::find(std::begin(Words), std::end(Words), Lower) != std::end(Words)
             ? Says::Verdict
             : numberIn(Text);
}

/// True if a fixed token of \p L is a result. Beside what differs, a count
/// ("step 10") may be a label, and a word is one right before it ("valid
/// loss").
static bool tellsLine(const Line &L) {
  const auto IsOpen = [](const Item &I) { return I.What != Item::Fixed; };
  const bool HasOpen = std::any_of(L.begin(), L.end(), IsOpen);
  for (auto It = L.begin(); It != L.end(); ++It) {
    const Says What = IsOpen(*It) ? Says::Nothing : saidBy(It->Text);
    const bool IsLabel = What == Says::Count ||
                         (What == Says::Verdict && std::next(It) != L.end() &&
                          IsOpen(*std::next(It)));
    if (What != Says::Nothing && !(HasOpen && IsLabel))
      return true;
  }
  return false;
}

/// Whether \p L has bytes that no text has.
static bool isBinary(const Line &L) {
  return std::any_of(L.begin(), L.end(), [](const Item &I) {
    return std::any_of(I.Text.begin(), I.Text.end(),
                       [](unsigned char C) { return C < ' ' || C == 0x7f; });
  });
}

bool OutputPattern::tells() const {
  return std::any_of(Lines.begin(), Lines.end(), [](const auto &L) {
    return L && (tellsLine(*L) || isBinary(*L));
  });
}

size_t OutputPattern::openTokens() const {
  size_t Count = 0;
  for (const std::optional<Line> &L : Lines)
    Count += L ? size_t(std::count_if(
                     L->begin(), L->end(),
                     [](const Item &I) { return I.What != Item::Fixed; }))
               : 1;
  return Count;
}

} // namespace echo::drtool
