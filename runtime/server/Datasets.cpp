#include "runtime/server/Datasets.h"

#include <algorithm>
#include <set>

#include <unistd.h>

namespace dtc {
namespace {

/// Does any instruction that `self` executes in the entry satisfy `isIt`?
template <typename Predicate>
bool executesAny(const Plan &plan, const proto::Entry &entry,
                 const TaskId &self, Predicate isIt) {
  for (const proto::Program &program : entry.programs())
    if (plan.executes(self, entry, program))
      for (const proto::Activation &activation : program.activations())
        for (const proto::Instruction &instruction : activation.instructions())
          if (isIt(instruction))
            return true;
  return false;
}

int64_t blocksOf(const proto::Input &input) {
  return std::max<int64_t>(input.blocks(), 1);
}

BatchSpec specOf(const proto::Input &input, uint32_t replicas, uint64_t seed) {
  BatchSpec spec;
  spec.firstRow = input.first_row();
  spec.endRow = input.end_row();
  spec.batch = input.batch();
  spec.replicas = replicas * blocksOf(input);
  spec.seed = seed;
  spec.shuffle = input.shuffle();
  for (const proto::Column &column : input.columns())
    spec.columns.push_back({column.name(), column.first_field(),
                            column.fields(),
                            *elementTypeFromNumber(column.type().element()),
                            column.scale(), column.min(), column.max()});
  return spec;
}

/// For each input the first one of the entry that reads the same rows, as
/// towers' inputs do, each its own block.
std::vector<uint32_t> firstsAlike(const proto::Entry &entry) {
  std::map<std::string, uint32_t> first;
  std::vector<uint32_t> firsts;
  for (proto::Input rows : entry.inputs()) {
    rows.clear_block();
    uint32_t index = firsts.size();
    firsts.push_back(
        first.try_emplace(rows.SerializeAsString(), index).first->second);
  }
  return firsts;
}

} // namespace

Result<std::shared_ptr<const Table>> TableCache::read(const std::string &path) {
  std::lock_guard lock(mutex_);
  std::shared_ptr<const Table> &table = tables_[path];
  if (!table) {
    DTC_ASSIGN_OR_RETURN(Table fresh, readTable(path));
    table = std::make_shared<const Table>(std::move(fresh));
  }
  return table;
}

bool readsInput(const Plan &plan, const proto::Entry &entry, const TaskId &self,
                uint32_t input) {
  return executesAny(plan, entry, self, [&](const proto::Instruction &it) {
    return it.has_read_input() && it.read_input().input() == input;
  });
}

bool readsFeed(const Plan &plan, const proto::Entry &entry, const TaskId &self,
               uint32_t feed) {
  return executesAny(plan, entry, self, [&](const proto::Instruction &it) {
    return it.has_read_feed() && it.read_feed().feed() == feed;
  });
}

Status checkDatasetNames(const Plan &plan,
                         const std::map<std::string, std::string> &data) {
  std::set<std::string> known;
  for (const proto::Entry &entry : plan.proto().entries())
    for (const proto::Input &input : entry.inputs())
      known.insert(input.dataset());
  std::string list;
  for (const std::string &name : known)
    list += (list.empty() ? "" : ", ") + name;
  for (const auto &[name, path] : data)
    if (!known.count(name))
      return Status::invalidArgument(strCat(plan.path(), " reads no data set '",
                                            name, "'\nhelp: it reads ",
                                            list.empty() ? "none" : list));
  return Status::ok();
}

Result<std::string>
datasetPath(const Plan &plan, const proto::Input &input,
            const std::map<std::string, std::string> &data) {
  const std::string &name = input.dataset();
  if (auto bound = data.find(name); bound != data.end())
    return bound->second;
  std::string help = strCat("\nhelp: --data ", name, "=PATH");
  const std::string &path = input.default_path();
  if (path.empty())
    return Status::invalidArgument(
        strCat("data set '", name, "' is not bound to a file", help));
  if (access(path.c_str(), F_OK) == 0)
    return path;
  size_t slash = plan.path().rfind('/');
  std::string beside = slash == std::string::npos || path.front() == '/'
                           ? path
                           : plan.path().substr(0, slash + 1) + path;
  if (access(beside.c_str(), F_OK) == 0)
    return beside;
  return Status::notFound(strCat("data set '", name, "': there is no ", path,
                                 beside == path ? "" : " and no " + beside,
                                 help));
}

Result<std::unique_ptr<Datasets>>
Datasets::open(const Plan &plan, const proto::Entry &entry, const TaskId &self,
               const RunOptions &options, uint64_t seed, TableCache &tables) {
  std::unique_ptr<Datasets> datasets(new Datasets());
  datasets->entry_ = &entry;
  datasets->rows_ = options.rows;
  std::vector<TaskId> replicas = plan.replicas(entry);
  auto me = std::find(replicas.begin(), replicas.end(), self);
  datasets->replica_ = me == replicas.end() ? 0 : me - replicas.begin();
  datasets->batchers_.resize(entry.inputs_size());
  if (options.rows)
    return datasets;
  std::vector<uint32_t> firsts = firstsAlike(entry);
  for (int i = 0; i < entry.inputs_size(); ++i) {
    const proto::Input &input = entry.inputs(i);
    if (!readsInput(plan, entry, self, i))
      continue;
    DTC_ASSIGN_OR_RETURN(std::string path,
                         datasetPath(plan, input, options.data));
    std::string where = strCat("data set '", input.dataset(), "': ");
    auto table = tables.read(path);
    if (!table.isOk())
      return table.status().withPrefix(where);
    uint64_t digest = (*table)->digest();
    auto batcher =
        Batcher::create(table.take(), specOf(input, replicas.size(), seed));
    if (!batcher.isOk())
      return batcher.status().withPrefix(where);
    datasets->batchers_[i] = batcher.take();
    const Batcher &rows = *datasets->batchers_[i];
    datasets->inputs_.push_back(
        {firsts[i], rows.stepsPerEpoch(), rows.droppedPerEpoch(), digest});
  }
  return datasets;
}

Status Datasets::read(uint32_t input, uint64_t step,
                      std::span<const std::span<std::byte>> columns) const {
  const proto::Input &declared = entry_->inputs(input);
  if (rows_)
    return rows_(declared, step, replica_, columns);
  return batchers_[input]->fill(
      step, replica_ * blocksOf(declared) + declared.block(), columns);
}

} // namespace dtc
