#include "tools/dtc/PlanReport.h"

#include <algorithm>
#include <map>

#include "runtime/plan/Instructions.h"
#include "runtime/plan/WireType.h"
#include "tools/dtc/Loads.h"
#include "tools/dtc/Table.h"

namespace dtc::tool {
namespace {

std::string modeName(proto::Mode mode) {
  switch (mode) {
  case proto::LOCAL:
    return "local";
  case proto::IN_GRAPH:
    return "in-graph";
  default:
    return "between-graph";
  }
}

std::string updateName(proto::Update update) {
  return update == proto::ASYNC ? "async" : "sync";
}

std::string deviceOf(const Plan &plan, const std::string &job) {
  for (const proto::Job &candidate : plan.proto().jobs())
    if (candidate.name() == job)
      return candidate.device_type() + ":0";
  return "";
}

/// How many executions of an activation of this kind a task may have under way.
/// Pushes are applied one by one.
uint64_t runsAtOnce(const proto::Entry &entry, proto::Activation::Kind kind) {
  return kind == proto::Activation::SERVE ? entry.replicas() : 1;
}

void countInstructions(const Plan &plan, const proto::Activation &activation,
                       TaskReport &task) {
  for (const proto::Instruction &instruction : activation.instructions()) {
    if (instruction.has_launch()) {
      ++task.launches;
      task.ops +=
          plan.proto().kernels(instruction.launch().kernel()).body_size();
    } else if (!instruction.has_send() && !instruction.has_recv()) {
      ++task.ops;
    }
  }
}

void countVariables(const Plan &plan, TaskReport &task) {
  for (int i = 0; i < plan.proto().variables_size(); ++i) {
    const proto::Variable &variable = plan.proto().variables(i);
    if (toTaskId(variable.home()) != task.task)
      continue;
    task.variableBytes += plan.variableType(i).bytes;
    if (!variable.is_slot())
      task.parameters += plan.variableType(i).elements;
  }
}

TaskReport reportTask(const Plan &plan, const proto::Entry &entry,
                      const TaskId &id) {
  TaskReport task{.task = id, .device = deviceOf(plan, id.job)};
  countVariables(plan, task);
  for (const proto::Program &program : entry.programs()) {
    if (!plan.executes(id, entry, program))
      continue;
    for (const proto::Activation &activation : program.activations()) {
      countInstructions(plan, activation, task);
      task.arenaBytes +=
          memoryBytes(entry, activation) * runsAtOnce(entry, activation.kind());
    }
  }
  return task;
}

Json taskJson(const TaskReport &task) {
  return {{"task", task.task.toString()},
          {"device", task.device},
          {"ops", task.ops},
          {"kernels", task.launches},
          {"sends", task.sends},
          {"recvs", task.recvs},
          {"bytes_sent_per_step", task.bytesSentPerStep},
          {"bytes_received_per_step", task.bytesReceivedPerStep},
          {"arena_bytes", task.arenaBytes},
          {"variable_bytes", task.variableBytes},
          {"parameters", task.parameters}};
}

Json edgeJson(const EdgeReport &edge) {
  return {{"key", edge.key},
          {"tensor", edge.tensor},
          {"type", edge.type},
          {"wire", edge.wire},
          {"source", edge.source.toString()},
          {"target", edge.target.toString()},
          {"bytes", edge.bytes},
          {"reason", edge.reason},
          {"location", edge.location}};
}

Json kernelsJson(const Plan &plan) {
  Json kernels = Json::array();
  for (const proto::Kernel &kernel : plan.proto().kernels()) {
    Json ops = Json::array();
    for (const proto::Node &node : kernel.body())
      ops.push_back(node.op());
    kernels.push_back({{"name", kernel.name()},
                       {"ops", ops},
                       {"range", kernel.range()},
                       {"grain", kernel.grain()}});
  }
  return kernels;
}

Json variablesJson(const Plan &plan) {
  Json variables = Json::array();
  for (int i = 0; i < plan.proto().variables_size(); ++i) {
    const proto::Variable &variable = plan.proto().variables(i);
    variables.push_back({{"name", variable.name()},
                         {"type", plan.variableType(i).toString()},
                         {"task", toTaskId(variable.home()).toString()},
                         {"bytes", plan.variableType(i).bytes},
                         {"slot", variable.is_slot()}});
  }
  return variables;
}

} // namespace

std::string humanBytes(uint64_t bytes) {
  if (bytes < 10000)
    return std::to_string(bytes) + " B";
  const char *units[] = {"KB", "MB", "GB", "TB"};
  double value = bytes / 1000.0;
  size_t unit = 0;
  for (; value >= 10000 && unit < 3; ++unit)
    value /= 1000;
  return std::to_string(static_cast<uint64_t>(value + 0.5)) + " " + units[unit];
}

EntryReport reportEntry(const Plan &plan, const proto::Entry &entry) {
  EntryReport report{.entry = &entry, .tasks = {}, .edges = {}};
  for (const TaskId &id : plan.tasks())
    report.tasks.push_back(reportTask(plan, entry, id));
  auto find = [&](const TaskId &id) -> TaskReport * {
    auto it =
        std::find_if(report.tasks.begin(), report.tasks.end(),
                     [&](const TaskReport &task) { return task.task == id; });
    return it == report.tasks.end() ? nullptr : &*it;
  };
  for (const proto::Edge &edge : entry.edges()) {
    TensorType type = *TensorType::create(edge.type());
    std::string wire(name(wireElement(edge)));
    for (const auto &[source, target] : edgeEnds(plan, entry, edge)) {
      if (source == target)
        continue; // handed over in memory
      report.edges.push_back({edge.key(), edge.tensor(), type.toString(), wire,
                              edge.reason(), edge.location(), source, target,
                              edge.bytes(), wireElement(edge) != type.element});
      if (TaskReport *task = find(source))
        ++task->sends, task->bytesSentPerStep += edge.bytes();
      if (TaskReport *task = find(target))
        ++task->recvs, task->bytesReceivedPerStep += edge.bytes();
    }
  }
  return report;
}

Result<const proto::Entry *> chooseEntry(const Plan &plan,
                                         const std::string &name) {
  if (!name.empty()) {
    DTC_ASSIGN_OR_RETURN(uint32_t index, plan.entryIndex(name));
    return &plan.entry(index);
  }
  for (const proto::Entry &entry : plan.proto().entries())
    if (entry.has_updates())
      return &entry;
  if (plan.proto().entries_size() == 0)
    return Status::notFound("the plan has no entry point");
  return &plan.proto().entries(0);
}

Json toJson(const Plan &plan, const EntryReport &report) {
  Json tasks = Json::array(), edges = Json::array(), entries = Json::array(),
       targets = Json::array();
  for (const TaskReport &task : report.tasks)
    tasks.push_back(taskJson(task));
  for (const EdgeReport &edge : report.edges)
    edges.push_back(edgeJson(edge));
  for (const proto::Entry &entry : plan.proto().entries())
    entries.push_back(entry.name());
  for (const proto::CodeObject &object : plan.proto().objects())
    targets.push_back(object.target());
  return {{"schema", "dtc.inspect/1"},
          {"name", plan.proto().name()},
          {"mode", modeName(plan.proto().mode())},
          {"update", updateName(plan.proto().update())},
          {"entry", report.entry->name()},
          {"entries", entries},
          {"replicas", report.entry->replicas()},
          {"targets", targets},
          {"plan_sha256", plan.sha256()},
          {"source_sha256", plan.proto().source_sha256()},
          {"compiler_version", plan.proto().compiler_version()},
          {"bytes_per_step", plan.bytesPerStep(*report.entry)},
          {"tasks", tasks},
          {"edges", edges},
          {"variables", variablesJson(plan)},
          {"ps_loads", toJson(loadsOf(plan.proto()))},
          {"kernels", kernelsJson(plan)}};
}

std::string taskTable(const EntryReport &report) {
  Table table({"TASK", "DEVICE", "OPS", "KERNELS", "PARAMS", "SENDS", "RECVS",
               "BYTES/STEP", "ARENA"});
  for (const TaskReport &task : report.tasks)
    table.add({task.task.toString(), task.device, std::to_string(task.ops),
               std::to_string(task.launches), std::to_string(task.parameters),
               std::to_string(task.sends), std::to_string(task.recvs),
               humanBytes(task.bytesSentPerStep), humanBytes(task.arenaBytes)});
  return table.toString();
}

std::string edgeTable(const EntryReport &report) {
  Table table({"EDGE", "TENSOR", "TYPE", "BYTES", "WHY"});
  for (const EdgeReport &edge : report.edges)
    table.add({edge.source.toString() + " -> " + edge.target.toString(),
               edge.tensor,
               edge.type + (edge.isNarrow ? " as " + edge.wire : ""),
               humanBytes(edge.bytes), edge.reason});
  return table.toString();
}

std::string kernelTable(const Plan &plan) {
  std::map<uint32_t, uint64_t> uses;
  for (const proto::Entry &entry : plan.proto().entries())
    for (const proto::Program &program : entry.programs())
      for (const proto::Activation &activation : program.activations())
        for (const proto::Instruction &instruction : activation.instructions())
          if (instruction.has_launch())
            ++uses[instruction.launch().kernel()];
  Table table({"KERNEL", "OPS", "LAUNCHES", "RANGE", "GRAIN"});
  for (int i = 0; i < plan.proto().kernels_size(); ++i) {
    const proto::Kernel &kernel = plan.proto().kernels(i);
    table.add({kernel.name(), std::to_string(kernel.body_size()),
               std::to_string(uses[i]), std::to_string(kernel.range()),
               std::to_string(kernel.grain())});
  }
  return table.toString();
}

std::string memoryTable(const Plan &plan, const EntryReport &report) {
  Table table({"TASK", "ACTIVATION", "ARENA", "BUFFERS", "AT ONCE"});
  for (const TaskReport &task : report.tasks)
    for (const proto::Program &program : report.entry->programs())
      if (plan.executes(task.task, *report.entry, program))
        for (const proto::Activation &activation : program.activations())
          table.add(
              {task.task.toString(), kindName(activation.kind()),
               humanBytes(memoryBytes(*report.entry, activation)),
               std::to_string(activation.buffers_size()),
               std::to_string(runsAtOnce(*report.entry, activation.kind()))});
  return table.toString();
}

} // namespace dtc::tool
