#include "passes/dist/PlacementProblem.h"

#include <gmock/gmock.h>

namespace dtc::dist {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

PlacementSolution solve(const PlacementProblem &problem) {
  PlacementSolution solution = solvePlacement(problem);
  EXPECT_EQ(checkPlacement(problem, solution), "");
  return solution;
}

TEST(PlacementProblem, TheLargestGoesFirstSoThatLoadsAreEven) {
  // P7. TensorFlow's order of declaration would give (3, 1).
  PlacementSolution solution = solve({2, {{"a", 1}, {"b", 1}, {"c", 2}}});
  EXPECT_THAT(solution.task, ElementsAre(1, 1, 0));
  EXPECT_THAT(solution.load, ElementsAre(2, 2));
}

TEST(PlacementProblem, TiesGoToTheLowestTaskInOrderOfDeclaration) {
  PlacementSolution solution =
      solve({3, {{"a", 4}, {"b", 4}, {"c", 4}, {"d", 4}}});
  EXPECT_THAT(solution.task, ElementsAre(0, 1, 2, 0));
}

// P7: the sizes of a convolutional network's layers, on four tasks.
TEST(PlacementProblem, LoadsAreAsEvenAsTheLargestAllows) {
  PlacementSolution solution = solve(
      {4, {{"a", 700}, {"b", 4000}, {"c", 15000}, {"d", 93000}, {"e", 4300}}});
  EXPECT_THAT(solution.task, ElementsAre(3, 3, 1, 0, 2));
  EXPECT_THAT(solution.load, ElementsAre(93000, 15000, 4300, 4700));
}

// P6: in order of declaration, whatever the sizes.
TEST(PlacementProblem, RoundRobinGoesInOrderOfDeclaration) {
  PlacementSolution solution = solve({2,
                                      {{"a", 1}, {"b", 1}, {"c", 9}, {"d", 1}},
                                      PlacementPolicy::RoundRobin});
  EXPECT_THAT(solution.task, ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(solution.load, ElementsAre(10, 2));
}

// P6: what the user fixed wins, and its turn is over.
TEST(PlacementProblem, RoundRobinCountsWishes) {
  PlacementSolution solution = solve(
      {3, {{"a", 1}, {"b", 1, 0}, {"c", 1}}, PlacementPolicy::RoundRobin});
  EXPECT_THAT(solution.task, ElementsAre(0, 0, 2));
}

TEST(PlacementProblem, WishesAreKeptAndCountAsLoad) {
  PlacementSolution solution = solve({2, {{"a", 8}, {"b", 2}, {"c", 9, 0}}});
  EXPECT_THAT(solution.task, ElementsAre(1, 1, 0));
  EXPECT_THAT(solution.before, ElementsAre(0, 8, 0));
}

TEST(PlacementProblem, OneTaskTakesAll) {
  EXPECT_THAT(solve({1, {{"a", 8}, {"b", 2}}}).load, ElementsAre(10));
  EXPECT_THAT(solve({1, {}}).load, ElementsAre(0));
}

TEST(PlacementProblem, ACheckNamesTheVariableThatIsMisplaced) {
  PlacementProblem problem{2, {{"a", 8, 1}}};
  EXPECT_THAT(checkPlacement(problem, {{2}, {0}, {}}),
              HasSubstr("'a' is on task 2"));
  EXPECT_THAT(checkPlacement(problem, {{0}, {0}, {}}),
              HasSubstr("task 1 was asked for"));
  EXPECT_THAT(checkPlacement(problem, {}), HasSubstr("not every variable"));
}

} // namespace
} // namespace dtc::dist
