// Small plans written by hand, for the tests of the runtime's rooms.
//
// The model: y = w * x + v over 4 rows, loss = sum(y), "gradients" y * x and y,
// applied with learning rate 1/8. Kernels run on the target `reference`.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "runtime/plan/PlanFile.h"
#include "runtime/plan/plan.pb.h"

namespace dtc::fixtures {

inline proto::TensorType f32(std::initializer_list<int64_t> shape) {
  proto::TensorType type;
  type.set_element(proto::F32);
  for (int64_t dim : shape)
    type.add_shape(dim);
  return type;
}

inline proto::Task task(const std::string &job, int index) {
  proto::Task task;
  task.set_job(job);
  task.set_index(index);
  return task;
}

inline uint64_t bytesOf(const proto::TensorType &type) {
  uint64_t bytes = type.element() == proto::I64 ? 8 : 4;
  for (int64_t dim : type.shape())
    bytes *= dim;
  return bytes;
}

/// Adds instructions and their buffers to an activation, one after another.
class ActivationBuilder {
public:
  ActivationBuilder(proto::Program &program, proto::Activation::Kind kind)
      : activation_(*program.add_activations()) {
    activation_.set_kind(kind);
  }

  uint32_t load(uint32_t variable, const proto::TensorType &type) {
    uint32_t buffer = activation_.buffers_size();
    *activation_.add_buffers()->mutable_type() = type;
    activation_.mutable_buffers(buffer)->set_bytes(bytesOf(type));
    auto *load = next("load")->mutable_load_variable();
    load->set_variable(variable);
    load->set_buffer(buffer);
    return buffer;
  }
  void store(uint32_t variable, uint32_t buffer) {
    auto *store = next("store")->mutable_store_variable();
    store->set_variable(variable);
    store->set_buffer(buffer);
  }
  void send(uint32_t edge, uint32_t buffer) {
    auto *send = next("send")->mutable_send();
    send->set_edge(edge);
    send->set_buffer(buffer);
  }
  uint32_t recv(uint32_t edge, const proto::TensorType &type) {
    uint32_t buffer = fresh(type);
    auto *recv = next("recv")->mutable_recv();
    recv->set_edge(edge);
    recv->set_buffer(buffer);
    return buffer;
  }
  void accumulate(const std::string &name, uint32_t buffer) {
    auto *accumulate = next("accumulate")->mutable_accumulate();
    accumulate->set_accumulator(name);
    accumulate->set_buffer(buffer);
  }
  uint32_t take(const std::string &name, const proto::TensorType &type,
                bool concat = false) {
    uint32_t buffer = fresh(type);
    auto *take = next("take")->mutable_take();
    take->set_accumulator(name);
    take->set_buffer(buffer);
    take->set_concat(concat);
    return buffer;
  }
  uint32_t replicaIndex() {
    proto::TensorType count;
    count.set_element(proto::I64);
    uint32_t buffer = fresh(count);
    next("replica_index")->mutable_replica_index()->set_buffer(buffer);
    return buffer;
  }
  uint32_t readInput(uint32_t input, const proto::TensorType &type) {
    uint32_t buffer = fresh(type);
    auto *read = next("read_input")->mutable_read_input();
    read->set_input(input);
    read->add_buffers(buffer);
    return buffer;
  }
  uint32_t readFeed(uint32_t feed, const proto::TensorType &type) {
    uint32_t buffer = fresh(type);
    auto *read = next("read_feed")->mutable_read_feed();
    read->set_feed(feed);
    read->set_buffer(buffer);
    return buffer;
  }
  void writeFetch(uint32_t fetch, uint32_t buffer) {
    auto *write = next("write_fetch")->mutable_write_fetch();
    write->set_fetch(fetch);
    write->set_buffer(buffer);
  }
  std::vector<uint32_t>
  launch(uint32_t kernel, std::initializer_list<uint32_t> inputs,
         std::initializer_list<proto::TensorType> outputs) {
    std::vector<uint32_t> results;
    for (const proto::TensorType &type : outputs)
      results.push_back(fresh(type));
    auto *launch = next("launch")->mutable_launch();
    launch->set_kernel(kernel);
    for (uint32_t input : inputs)
      launch->add_inputs(input);
    for (uint32_t result : results)
      launch->add_outputs(result);
    return results;
  }
  /// The last instruction also waits for instruction `before`.
  void after(uint32_t before) {
    activation_.mutable_instructions(last())->add_after(before);
  }
  uint32_t last() const { return activation_.instructions_size() - 1; }

private:
  uint32_t fresh(const proto::TensorType &type) {
    proto::Buffer *buffer = activation_.add_buffers();
    *buffer->mutable_type() = type;
    buffer->set_bytes(bytesOf(type));
    buffer->set_offset(activation_.arena_bytes());
    activation_.set_arena_bytes((buffer->offset() + buffer->bytes() + 63) / 64 *
                                64);
    return activation_.buffers_size() - 1;
  }
  proto::Instruction *next(const char *what) {
    proto::Instruction *instruction = activation_.add_instructions();
    instruction->set_name(what);
    instruction->set_location(
        "fixture.mlir:" + std::to_string(activation_.instructions_size()) +
        ":1");
    return instruction;
  }
  proto::Activation &activation_;
};

inline proto::Program *addProgram(proto::Entry &entry, const std::string &job,
                                  int index) {
  proto::Program *program = entry.add_programs();
  *program->mutable_task() = task(job, index);
  return program;
}

inline uint32_t addEdge(proto::Entry &entry, const std::string &key,
                        const proto::TensorType &type, proto::Task source,
                        proto::Task target) {
  proto::Edge *edge = entry.add_edges();
  edge->set_key(key);
  edge->set_tensor(key);
  *edge->mutable_type() = type;
  edge->set_bytes(bytesOf(type));
  *edge->mutable_source() = std::move(source);
  *edge->mutable_target() = std::move(target);
  edge->set_reason("the fixture says so");
  edge->set_location("fixture.mlir:1:1");
  return entry.edges_size() - 1;
}

inline void addJob(proto::Plan &plan, const std::string &name, uint32_t tasks) {
  proto::Job *job = plan.add_jobs();
  job->set_name(name);
  job->set_tasks(tasks);
  job->set_device_type("cpu");
}

inline uint32_t addVariable(proto::Plan &plan, const std::string &name,
                            proto::Task home) {
  proto::Variable *variable = plan.add_variables();
  variable->set_name(name);
  *variable->mutable_type() = f32({4});
  variable->mutable_initializer()->mutable_uniform()->set_low(-1);
  variable->mutable_initializer()->mutable_uniform()->set_high(1);
  *variable->mutable_home() = std::move(home);
  return plan.variables_size() - 1;
}

inline proto::Node *addNode(proto::Kernel &kernel, const std::string &op,
                            std::initializer_list<uint32_t> operands,
                            const proto::TensorType &type) {
  proto::Node *node = kernel.add_body();
  node->set_op(op);
  node->set_name(op);
  for (uint32_t operand : operands)
    node->add_operands(operand);
  *node->add_results() = type;
  return node;
}

inline proto::Kernel *addKernel(proto::Plan &plan, const std::string &name,
                                int inputs) {
  proto::Kernel *kernel = plan.add_kernels();
  kernel->set_name(name);
  for (int i = 0; i < inputs; ++i)
    *kernel->add_inputs() = f32({4});
  kernel->set_range(4);
  kernel->set_grain(1);
  return kernel;
}

enum : uint32_t { GradientsKernel, ApplyKernel, ForwardKernel, CopyKernel };

inline void addKernels(proto::Plan &plan) {
  proto::TensorType row = f32({4});
  // Values: w 0, v 1, x 2, w*x 3, y 4, y*x 5, loss 6.
  proto::Kernel *gradients = addKernel(plan, "gradients", 3);
  addNode(*gradients, "graph.mul", {0, 2}, row);
  addNode(*gradients, "graph.add", {3, 1}, row);
  addNode(*gradients, "graph.mul", {4, 2}, row);
  auto *loss = addNode(*gradients, "graph.reduce_sum", {4}, f32({}));
  (*loss->mutable_attributes())["axes"].mutable_ints()->add_values(0);
  (*loss->mutable_attributes())["keep_dims"].set_b(false);
  for (uint32_t value : {5, 4, 6})
    gradients->add_results(value);
  *gradients->add_outputs() = row;
  *gradients->add_outputs() = row;
  *gradients->add_outputs() = f32({});

  proto::Kernel *apply = addKernel(plan, "apply", 2);
  auto *rate = addNode(*apply, "graph.constant", {}, f32({}));
  (*rate->mutable_attributes())["value"].set_data(
      std::string("\0\0\0\x3e", 4)); // 0.125f
  addNode(*apply, "graph.apply_gradient_descent", {0, 1, 2}, row);
  apply->add_results(3);
  *apply->add_outputs() = row;

  proto::Kernel *forward = addKernel(plan, "forward", 3);
  addNode(*forward, "graph.mul", {0, 2}, row);
  addNode(*forward, "graph.add", {3, 1}, row);
  forward->add_results(4);
  *forward->add_outputs() = row;

  proto::Kernel *copy = addKernel(plan, "copy", 1);
  addNode(*copy, "graph.reshape", {0}, row);
  copy->add_results(1);
  *copy->add_outputs() = row;
  plan.add_objects()->set_target("reference");
}

inline void addInput(proto::Entry &entry, int64_t rows) {
  proto::Input *input = entry.add_inputs();
  input->set_dataset("numbers");
  input->set_end_row(rows);
  input->set_batch(4);
  input->set_shuffle(true);
  proto::Column *column = input->add_columns();
  column->set_name("x");
  column->set_fields(1);
  *column->mutable_type() = f32({4});
  column->set_scale(1);
  column->set_max(10);
}

/// A variable's number, and the edges of its value and gradient.
struct Served {
  uint32_t variable, value, gradient;
};

/// One parameter server's part in @train: w, v or both. With update async a
/// copy of the variable is sent.
inline void addServer(proto::Entry &train, std::vector<Served> served,
                      int index, bool sendsCopy) {
  proto::TensorType row = f32({4});
  proto::Program *ps = addProgram(train, "ps", index);
  auto nameOf = [](const Served &it) {
    return "gradient" + std::to_string(it.variable);
  };
  ActivationBuilder serve(*ps, proto::Activation::SERVE);
  for (const Served &it : served) {
    uint32_t read = serve.load(it.variable, row);
    if (sendsCopy)
      read = serve.launch(CopyKernel, {read}, {row})[0];
    serve.send(it.value, read);
  }
  for (const Served &it : served)
    serve.accumulate(nameOf(it), serve.recv(it.gradient, row));
  ActivationBuilder apply(*ps, proto::Activation::APPLY);
  for (const Served &it : served) {
    uint32_t mean = apply.take(nameOf(it), row);
    uint32_t old = apply.load(it.variable, row);
    uint32_t next = apply.launch(ApplyKernel, {old, mean}, {row})[0];
    uint32_t launch = apply.last();
    apply.store(it.variable, next);
    apply.after(launch);
  }
}

inline void addTrain(proto::Plan &plan, int servers, int workers) {
  proto::TensorType row = f32({4});
  proto::Entry &train = *plan.add_entries();
  train.set_name("train");
  train.set_replicas(workers);
  train.set_has_updates(true);
  addInput(train, 60);
  train.add_fetches()->set_name("loss");
  *train.mutable_fetches(0)->mutable_type() = f32({});
  proto::Task worker = task("worker", -1);
  int second = 1 % servers;
  uint32_t v = addEdge(train, "v", row, task("ps", 0), worker);
  uint32_t w = addEdge(train, "w", row, task("ps", second), worker);
  uint32_t dv = addEdge(train, "v.grad", row, worker, task("ps", 0));
  uint32_t dw = addEdge(train, "w.grad", row, worker, task("ps", second));
  uint32_t loss = addEdge(train, "loss", f32({}), worker, task("worker", 0));

  ActivationBuilder step(*addProgram(train, "worker", -1),
                         proto::Activation::STEP);
  uint32_t vHere = step.recv(v, row), wHere = step.recv(w, row);
  uint32_t x = step.readInput(0, row);
  auto out =
      step.launch(GradientsKernel, {wHere, vHere, x}, {row, row, f32({})});
  step.send(dv, out[1]);
  step.send(dw, out[0]);
  step.send(loss, out[2]);
  if (plan.update() == proto::ASYNC && servers == 1) {
    addServer(train, {{0, v, dv}, {1, w, dw}}, 0, /*sendsCopy=*/true);
  } else {
    addServer(train, {{0, v, dv}}, 0, plan.update() == proto::ASYNC);
    addServer(train, {{1, w, dw}}, second, plan.update() == proto::ASYNC);
  }

  proto::Program *chief = addProgram(train, "worker", 0);
  ActivationBuilder serve(*chief, proto::Activation::SERVE);
  serve.accumulate("loss", serve.recv(loss, f32({})));
  ActivationBuilder apply(*chief, proto::Activation::APPLY);
  apply.writeFetch(0, apply.take("loss", f32({})));
}

/// @predict over a feed, or @eval over the data set: y = w * x + v.
inline void addForward(proto::Plan &plan, const std::string &name, int servers,
                       bool fromFeed) {
  proto::TensorType row = f32({4});
  proto::Entry &entry = *plan.add_entries();
  entry.set_name(name);
  entry.set_replicas(1);
  entry.add_fetches()->set_name(fromFeed ? "y" : "loss");
  *entry.mutable_fetches(0)->mutable_type() = fromFeed ? row : f32({});
  int second = 1 % servers;
  uint32_t v = addEdge(entry, "v", row, task("ps", 0), task("worker", 0));
  uint32_t w = addEdge(entry, "w", row, task("ps", second), task("worker", 0));
  ActivationBuilder first(*addProgram(entry, "ps", 0),
                          proto::Activation::SERVE);
  first.send(v, first.load(0, row));
  ActivationBuilder other(*addProgram(entry, "ps", second),
                          proto::Activation::SERVE);
  other.send(w, other.load(1, row));
  ActivationBuilder step(*addProgram(entry, "worker", 0),
                         proto::Activation::STEP);
  uint32_t vHere = step.recv(v, row), wHere = step.recv(w, row);
  if (fromFeed) {
    entry.add_feeds()->set_name("x");
    *entry.mutable_feeds(0)->mutable_type() = row;
    uint32_t x = step.readFeed(0, row);
    step.writeFetch(0, step.launch(ForwardKernel, {wHere, vHere, x}, {row})[0]);
    return;
  }
  addInput(entry, 22);
  uint32_t x = step.readInput(0, row);
  auto out =
      step.launch(GradientsKernel, {wHere, vHere, x}, {row, row, f32({})});
  step.writeFetch(0, out[2]);
}

/// @train, @eval and @predict between-graph over `servers` and `workers`.
inline proto::Plan clusterPlan(int servers, int workers,
                               proto::Update update = proto::SYNC) {
  proto::Plan plan;
  plan.set_schema_version(planSchemaVersion);
  plan.set_compiler_version("fixture");
  plan.set_name("fixture");
  plan.set_mode(proto::BETWEEN_GRAPH);
  plan.set_update(update);
  addJob(plan, "ps", servers);
  addJob(plan, "worker", workers);
  addVariable(plan, "v", task("ps", 0));
  addVariable(plan, "w", task("ps", 1 % servers));
  addKernels(plan);
  addTrain(plan, servers, workers);
  addForward(plan, "eval", servers, /*fromFeed=*/false);
  addForward(plan, "predict", servers, /*fromFeed=*/true);
  return plan;
}

/// The same model's @train on one task, local:0.
inline proto::Plan localPlan() {
  proto::TensorType row = f32({4});
  proto::Plan plan;
  plan.set_schema_version(planSchemaVersion);
  plan.set_compiler_version("fixture");
  plan.set_name("fixture");
  plan.set_mode(proto::LOCAL);
  plan.set_update(proto::SYNC);
  addJob(plan, "local", 1);
  addVariable(plan, "v", task("local", 0));
  addVariable(plan, "w", task("local", 0));
  addKernels(plan);
  proto::Entry &train = *plan.add_entries();
  train.set_name("train");
  train.set_replicas(1);
  train.set_has_updates(true);
  addInput(train, 60);
  train.add_fetches()->set_name("loss");
  *train.mutable_fetches(0)->mutable_type() = f32({});
  ActivationBuilder step(*addProgram(train, "local", 0),
                         proto::Activation::STEP);
  uint32_t v = step.load(0, row), w = step.load(1, row);
  uint32_t x = step.readInput(0, row);
  auto out = step.launch(GradientsKernel, {w, v, x}, {row, row, f32({})});
  step.writeFetch(0, out[2]);
  uint32_t newV = step.launch(ApplyKernel, {v, out[1]}, {row})[0];
  uint32_t newW = step.launch(ApplyKernel, {w, out[0]}, {row})[0];
  step.store(0, newV);
  step.after(3);
  step.store(1, newW);
  step.after(3);
  return plan;
}

/// All edges between tasks are f32; now they cross as bf16.
inline proto::Plan withNarrowWire(proto::Plan plan) {
  for (proto::Entry &entry : *plan.mutable_entries())
    for (proto::Edge &edge : *entry.mutable_edges()) {
      edge.set_wire(proto::BF16);
      edge.set_bytes(edge.bytes() / 2);
    }
  return plan;
}

/// `plan` as a plan file's contents.
inline PlanContents contentsOf(proto::Plan plan) {
  PlanContents contents;
  contents.plan = std::move(plan);
  contents.sha256 = "fixture";
  return contents;
}

} // namespace dtc::fixtures
