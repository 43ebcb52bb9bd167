#include "runtime/input/Batcher.h"

#include "runtime/input/Elements.h"

namespace dtc {
namespace {

Status checkRows(const Table &table, const BatchSpec &spec) {
  if (spec.firstRow < 0 || spec.firstRow > spec.endRow ||
      spec.endRow > table.rows())
    return Status::outOfRange(strCat(table.name(), ": rows ", spec.firstRow,
                                     " to ", spec.endRow,
                                     " are wanted, it has ", table.rows()));
  int64_t step;
  if (spec.batch < 1 || spec.replicas < 1 ||
      __builtin_mul_overflow(spec.batch, spec.replicas, &step))
    return Status::invalidArgument(strCat(table.name(), ": a batch of ",
                                          spec.batch, " for ", spec.replicas,
                                          " replicas is no batch"));
  int64_t rows = spec.endRow - spec.firstRow;
  if (rows < step)
    return Status::outOfRange(
        strCat(table.name(), ": a step takes ", spec.replicas, " x ",
               spec.batch, " = ", step, " rows, rows ", spec.firstRow, " to ",
               spec.endRow, " are only ", rows, "; make the batch smaller"));
  return Status::ok();
}

Status checkField(const Table &table, int64_t row, int64_t field,
                  const BatchColumn &column) {
  double value = table.row(row)[field];
  if (!(value >= column.min && value <= column.max))
    return Status::invalidArgument(
        strCat(table.where(row, field), ": ", value, " is not in [", column.min,
               ", ", column.max, "], the range of '", column.name, "'"));
  if (!isRepresentable(column.type, value * column.scale))
    return Status::invalidArgument(
        strCat(table.where(row, field), ": ", value * column.scale, " is no ",
               column.type, ", the type of '", column.name, "'"));
  return Status::ok();
}

Status checkColumn(const Table &table, const BatchSpec &spec,
                   const BatchColumn &column) {
  int64_t end, size;
  if (column.firstField < 0 || column.fields < 0 ||
      __builtin_add_overflow(column.firstField, column.fields, &end) ||
      end > table.fields() ||
      __builtin_mul_overflow(column.fields * 8, spec.batch, &size))
    return Status::outOfRange(strCat(table.name(), ": column '", column.name,
                                     "' is ", column.fields,
                                     " fields from field ", column.firstField,
                                     " on, a row has ", table.fields()));
  for (int64_t row = spec.firstRow; row < spec.endRow; ++row)
    for (int64_t field = column.firstField; field < end; ++field)
      DTC_RETURN_IF_ERROR(checkField(table, row, field, column));
  return Status::ok();
}

} // namespace

Batcher::Batcher(std::shared_ptr<const Table> table, BatchSpec spec)
    : table_(std::move(table)), spec_(std::move(spec)),
      rows_(spec_.endRow - spec_.firstRow),
      stepsPerEpoch_(rows_ / (spec_.batch * spec_.replicas)),
      order_(rows_, spec_.seed, spec_.shuffle) {}

Result<std::unique_ptr<Batcher>>
Batcher::create(std::shared_ptr<const Table> table, BatchSpec spec) {
  if (spec.endRow <= 0)
    spec.endRow = table->rows();
  DTC_RETURN_IF_ERROR(checkRows(*table, spec));
  for (const BatchColumn &column : spec.columns)
    DTC_RETURN_IF_ERROR(checkColumn(*table, spec, column));
  return std::unique_ptr<Batcher>(
      new Batcher(std::move(table), std::move(spec)));
}

int64_t Batcher::droppedPerEpoch() const {
  return rows_ - stepsPerEpoch_ * spec_.batch * spec_.replicas;
}

size_t Batcher::blockBytes(size_t column) const {
  const BatchColumn &c = spec_.columns[column];
  return size_t(c.fields * spec_.batch) * sizeBytes(c.type);
}

Status Batcher::fill(uint64_t step, int64_t replica,
                     std::span<const std::span<std::byte>> destinations) const {
  if (replica < 0 || replica >= spec_.replicas ||
      destinations.size() != spec_.columns.size())
    return Status::invalidArgument(
        strCat(table_->name(), ": replica ", replica, " wants ",
               destinations.size(), " columns; there are ", spec_.replicas,
               " replicas and ", spec_.columns.size(), " columns"));
  for (size_t c = 0; c < destinations.size(); ++c)
    if (destinations[c].size() != blockBytes(c))
      return Status::invalidArgument(
          strCat(table_->name(), ": column '", spec_.columns[c].name,
                 "' of a block has ", blockBytes(c), " bytes, the buffer ",
                 destinations[c].size()));
  auto order = order_.order(step / stepsPerEpoch_);
  int64_t inEpoch = static_cast<int64_t>(step % stepsPerEpoch_);
  int64_t first = (inEpoch * spec_.replicas + replica) * spec_.batch;
  for (size_t c = 0; c < destinations.size(); ++c) {
    const BatchColumn &column = spec_.columns[c];
    for (int64_t i = 0; i < spec_.batch; ++i) {
      auto row = table_->row(spec_.firstRow + (*order)[first + i]);
      storeScaled(column.type, destinations[c].data(), i * column.fields,
                  row.subspan(column.firstField, column.fields), column.scale);
    }
  }
  return Status::ok();
}

} // namespace dtc
