// Saver: variables in a folder, one .npy file each, so that NumPy can read and
// write what dtc trains. All of them or none.
//
// bf16, which NumPy does not have, is f32 there, and rounded when it is loaded.
// A file is called as its variable, with the characters that file names do not
// like as %XX ("dense/w" → "dense%2Fw.npy").
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runtime/base/Status.h"
#include "runtime/base/Tensor.h"

namespace dtc {

/// What a variable that is loaded must look like.
struct VariableShape {
  ElementType element;
  std::vector<int64_t> shape;
};

/// May variables be saved to `directory`? It is not there yet, or holds nothing
/// but .npy files; else FAILED_PRECONDITION. To be asked before a long run.
Status checkSaveDirectory(const std::string &directory);

/// Writes all `variables` to `directory`. They appear there in one step: into
/// a folder beside it, which then takes its place. A folder that stands there
/// is replaced if checkSaveDirectory() allows it. Errors name the path.
Status saveVariables(const std::string &directory,
                     const std::map<std::string, Tensor> &variables);

/// Reads every variable in `expected` from `directory`; other files are left
/// alone. INVALID_ARGUMENT lists the variables that do not fit, with both
/// shapes, and those that are missing.
Result<std::map<std::string, Tensor>>
loadVariables(const std::string &directory,
              const std::map<std::string, VariableShape> &expected);

/// The file name of a variable.
std::string variableFileName(const std::string &variable);

} // namespace dtc
