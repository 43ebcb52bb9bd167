#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "runtime/plan/PlanCheck.h"

namespace dtc {
namespace {

constexpr uint32_t maxTasks = 65536;

Result<TensorType> typeAt(const proto::TensorType &type,
                          const std::string &where) {
  auto result = TensorType::create(type);
  if (!result.isOk())
    return result.status().withPrefix(where + ": ");
  return result;
}

bool isIdentifier(const std::string &text) {
  if (text.empty() || text.size() > 200 || std::isdigit((unsigned char)text[0]))
    return false;
  for (unsigned char c : text)
    if (!std::isalnum(c) && c != '_')
      return false;
  return true;
}

Status checkJobs(const proto::Plan &plan) {
  if (plan.jobs_size() == 0)
    return Status::dataLoss("the plan has no job");
  std::set<std::string> names;
  uint64_t tasks = 0;
  for (const proto::Job &job : plan.jobs()) {
    if (!isIdentifier(job.name()))
      return Status::dataLoss(strCat("job name '", job.name(), "' is no name"));
    if (!names.insert(job.name()).second)
      return Status::dataLoss(strCat("there are two jobs '", job.name(), "'"));
    tasks += job.tasks();
    if (job.tasks() == 0 || tasks > maxTasks)
      return Status::dataLoss(strCat("job '", job.name(), "' has ", job.tasks(),
                                     " tasks, allowed are 1 to ", maxTasks,
                                     " in all"));
  }
  return Status::ok();
}

/// Is `value` one that the integer type can hold?
bool isValueOf(ElementType integer, double value) {
  double low = 0, high = 1; // i1
  switch (integer) {
  case ElementType::I8:
    low = -128, high = 127;
    break;
  case ElementType::U8:
    high = 255;
    break;
  case ElementType::I32:
    low = INT32_MIN, high = INT32_MAX;
    break;
  case ElementType::I64:
    low = -0x1p63, high = 0x1p63 - 1024; // the last double below 2^63
    break;
  default:
    break;
  }
  return value >= low && value <= high && std::trunc(value) == value;
}

/// All elements, or one that stands for all.
bool holdsElements(const std::string &bytes, const TensorType &type) {
  return bytes.size() == type.bytes ||
         (type.elements > 0 && bytes.size() == sizeBytes(type.element));
}

Status checkInitializer(const PlanContents &contents, const TensorType &type,
                        const proto::Initializer &initializer,
                        const std::string &where) {
  bool integer = !isFloat(type.element);
  switch (initializer.kind_case()) {
  case proto::Initializer::kFill:
    if (integer && !isValueOf(type.element, initializer.fill()))
      return Status::dataLoss(strCat(where, ": fill ", initializer.fill(),
                                     " is no ", type.element));
    return Status::ok();
  case proto::Initializer::kConstant: {
    std::string name = "constants/" + initializer.constant();
    auto member = contents.members.find(name);
    if (member == contents.members.end())
      return Status::dataLoss(
          strCat(where, ": member '", name, "' is missing"));
    if (!holdsElements(member->second, type))
      return Status::dataLoss(strCat(where, ": member '", name, "' has ",
                                     member->second.size(), " bytes, ", type,
                                     " has ", type.bytes));
    return Status::ok();
  }
  case proto::Initializer::kUniform:
  case proto::Initializer::kNormal:
    if (integer)
      return Status::dataLoss(
          strCat(where, ": random values need a float type, not ", type));
    return Status::ok();
  case proto::Initializer::KIND_NOT_SET:
    return Status::dataLoss(where + ": has no initializer");
  }
  return Status::dataLoss(where + ": has no initializer");
}

bool isTask(const proto::Plan &plan, const proto::Task &task) {
  for (const proto::Job &job : plan.jobs())
    if (job.name() == task.job())
      return task.index() >= 0 &&
             static_cast<uint32_t>(task.index()) < job.tasks();
  return false;
}

Status checkVariables(const PlanContents &contents) {
  const proto::Plan &plan = contents.plan;
  std::string previous;
  for (const proto::Variable &variable : plan.variables()) {
    std::string where = strCat("variable '", variable.name(), "'");
    if (variable.name().empty() ||
        variable.name().find('\0') != std::string::npos)
      return Status::dataLoss("a variable has no name");
    if (variable.name() <= previous)
      return Status::dataLoss(strCat(where, " comes after '", previous,
                                     "', but variables are in name order"));
    previous = variable.name();
    DTC_ASSIGN_OR_RETURN(TensorType type, typeAt(variable.type(), where));
    if (!isTask(plan, variable.home()))
      return Status::dataLoss(strCat(where, ": its home ",
                                     toTaskId(variable.home()),
                                     " is not in the cluster"));
    DTC_RETURN_IF_ERROR(
        checkInitializer(contents, type, variable.initializer(), where));
    if (variable.reason() > static_cast<uint32_t>(plan.reasons_size()))
      return Status::dataLoss(strCat(where, ": names reason ",
                                     variable.reason(), " of ",
                                     plan.reasons_size()));
  }
  return Status::ok();
}

/// Errors go on after the attribute's name.
Status checkAttribute(const proto::Node &node,
                      const proto::Attribute &attribute) {
  if (attribute.kind_case() == proto::Attribute::KIND_NOT_SET)
    return Status::dataLoss("has no value");
  if (attribute.kind_case() != proto::Attribute::kData)
    return Status::ok();
  if (node.results_size() == 0)
    return Status::dataLoss(
        "holds the elements of a result, but there is none");
  DTC_ASSIGN_OR_RETURN(TensorType type, TensorType::create(node.results(0)));
  if (!holdsElements(attribute.data(), type))
    return Status::dataLoss(strCat("has ", attribute.data().size(), " bytes, ",
                                   type, " has ", type.bytes));
  return Status::ok();
}

Status checkBody(const proto::Kernel &kernel, const std::string &where) {
  std::vector<TensorType> values;
  for (const proto::TensorType &input : kernel.inputs()) {
    DTC_ASSIGN_OR_RETURN(TensorType type, typeAt(input, where));
    values.push_back(std::move(type));
  }
  for (const proto::Node &node : kernel.body()) {
    std::string nodeWhere = strCat(where, ", node '", node.name(), "'");
    for (uint32_t operand : node.operands())
      if (operand >= values.size())
        return Status::dataLoss(strCat(nodeWhere, ": reads value ", operand,
                                       ", but only ", values.size(),
                                       " are defined before it"));
    for (const auto &[name, attribute] : node.attributes())
      DTC_RETURN_IF_ERROR(
          checkAttribute(node, attribute)
              .withPrefix(strCat(nodeWhere, ": attribute '", name, "' ")));
    for (const proto::TensorType &result : node.results()) {
      DTC_ASSIGN_OR_RETURN(TensorType type, typeAt(result, nodeWhere));
      values.push_back(std::move(type));
    }
  }
  if (kernel.body_size() == 0 && kernel.results_size() == 0)
    return Status::ok(); // code alone, nothing for `reference`
  if (kernel.results_size() != kernel.outputs_size())
    return Status::dataLoss(strCat(where, ": has ", kernel.results_size(),
                                   " results for ", kernel.outputs_size(),
                                   " outputs"));
  for (int i = 0; i < kernel.results_size(); ++i) {
    if (kernel.results(i) >= values.size())
      return Status::dataLoss(strCat(where, ": result ", i, " is value ",
                                     kernel.results(i), " of ", values.size()));
    DTC_ASSIGN_OR_RETURN(TensorType output, typeAt(kernel.outputs(i), where));
    if (!(values[kernel.results(i)] == output))
      return Status::dataLoss(strCat(where, ": output ", i, " is ", output,
                                     ", its body computes ",
                                     values[kernel.results(i)]));
  }
  return Status::ok();
}

Status checkKernels(const proto::Plan &plan) {
  std::set<std::string> names;
  for (const proto::Kernel &kernel : plan.kernels()) {
    std::string where = strCat("kernel '", kernel.name(), "'");
    if (!isIdentifier(kernel.name()))
      return Status::dataLoss(where + " has no valid name");
    if (!names.insert(kernel.name()).second)
      return Status::dataLoss(
          strCat("there are two kernels '", kernel.name(), "'"));
    if (kernel.range() < 0 || kernel.grain() < 0)
      return Status::dataLoss(strCat(where, ": range ", kernel.range(),
                                     " and grain ", kernel.grain(),
                                     " must not be negative"));
    uint64_t most = 0; // each index writes an element of its own
    for (const proto::TensorType &output : kernel.outputs()) {
      DTC_ASSIGN_OR_RETURN(TensorType type, typeAt(output, where));
      most += type.elements;
    }
    most = std::max<uint64_t>(most, 1);
    if (static_cast<uint64_t>(kernel.range()) > most)
      return Status::dataLoss(strCat(where, ": range ", kernel.range(),
                                     " is more than its outputs' ", most,
                                     " elements"));
    DTC_RETURN_IF_ERROR(checkBody(kernel, where));
  }
  return Status::ok();
}

Status checkObjects(const PlanContents &contents) {
  std::set<std::string> targets;
  for (const proto::CodeObject &object : contents.plan.objects()) {
    if (!targets.insert(object.target()).second)
      return Status::dataLoss(
          strCat("there are two code objects for '", object.target(), "'"));
    if (object.target() != "reference" &&
        !contents.members.count(object.member()))
      return Status::dataLoss(strCat("code object '", object.target(),
                                     "': member '", object.member(),
                                     "' is missing"));
  }
  return Status::ok();
}

} // namespace

Status checkTables(const PlanContents &contents) {
  DTC_RETURN_IF_ERROR(checkJobs(contents.plan));
  DTC_RETURN_IF_ERROR(checkVariables(contents));
  DTC_RETURN_IF_ERROR(checkKernels(contents.plan));
  DTC_RETURN_IF_ERROR(checkObjects(contents));
  std::set<std::string> entries;
  for (const proto::Entry &entry : contents.plan.entries())
    if (!entries.insert(entry.name()).second)
      return Status::dataLoss(
          strCat("there are two entry points '", entry.name(), "'"));
  return Status::ok();
}

} // namespace dtc
