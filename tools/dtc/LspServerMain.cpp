// dtc-lsp-server: diagnostics, definitions and hovers for editors, over stdin
// and stdout, in the language server protocol.
#include "dialects/dist/Dist.h"
#include "dialects/graph/Dialect.h"
#include "dialects/plan/Plan.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<dtc::graph::GraphDialect, dtc::dist::DistDialect,
                  dtc::plan::PlanDialect>();
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
