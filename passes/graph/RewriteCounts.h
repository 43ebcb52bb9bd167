// How often each rewrite was applied.
#pragma once

#include "mlir/Pass/PassInstrumentation.h"
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace dtc::graph {

// A switch of `dtc compile --disable-rewrite`.
struct RewriteName {
  llvm::StringLiteral name, summary;
};
// All of them, in the order in which they are applied.
llvm::ArrayRef<RewriteName> rewriteNames();
bool isRewriteName(llvm::StringRef name);

// By rewrite; a rewrite that was never applied is not in it.
using RewriteCounts = std::map<std::string, int64_t>;

// A pass that counts what it does.
class CountingPass {
public:
  virtual ~CountingPass() = default;
  // What was counted since the last call.
  RewriteCounts takeCounts() { return std::exchange(counts_, {}); }

protected:
  void count(llvm::StringRef rewrite, int64_t times = 1) {
    if (times)
      counts_[rewrite.str()] += times;
  }

private:
  RewriteCounts counts_;
};

// Adds to `total` what the passes of a pass manager count. Passes may run on
// several threads; `total` is read when they are done.
class RewriteCounter : public mlir::PassInstrumentation {
public:
  explicit RewriteCounter(RewriteCounts &total) : total_(total) {}
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override;

private:
  std::mutex mutex_; // guards total_
  RewriteCounts &total_;
};

} // namespace dtc::graph
