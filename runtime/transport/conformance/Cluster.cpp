#include "runtime/transport/conformance/Cluster.h"

#include <algorithm>
#include <atomic>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/transport/grpc/GrpcTransport.h"
#include "runtime/transport/loopback/LoopbackNetwork.h"

namespace dtc::test {

void Recorder::onMessage(const TaskId &from, std::string message) {
  std::lock_guard lock(mutex_);
  messages_.push_back({from, std::move(message)});
  changed_.notify_all();
}

void Recorder::onTensor(const RendezvousKey &key, uint64_t totalBytes,
                        uint64_t offset, std::span<const std::byte> bytes) {
  std::lock_guard lock(mutex_);
  auto tensor =
      std::find_if(tensors_.begin(), tensors_.end(),
                   [&](const Tensor &t) { return t.key == key && !t.isWhole; });
  if (tensor == tensors_.end())
    tensor = tensors_.insert(tensors_.end(), Tensor{key, {}});
  if (offset != tensor->bytes.size())
    complaint_ = strCat("piece at ", offset, " instead of ",
                        tensor->bytes.size(), " of ", key.toString());
  tensor->bytes.append(reinterpret_cast<const char *>(bytes.data()),
                       bytes.size());
  if (tensor->bytes.size() > totalBytes)
    complaint_ = strCat("too many bytes of ", key.toString());
  tensor->isWhole = tensor->bytes.size() == totalBytes;
  wholeTensors_ += tensor->isWhole;
  changed_.notify_all();
}

void Recorder::onPeerLost(const TaskId &peer, Status why) {
  std::lock_guard lock(mutex_);
  for (auto &[other, status] : lost_)
    if (other == peer)
      complaint_ = strCat(peer, " was lost twice");
  lost_.emplace_back(peer, std::move(why));
  changed_.notify_all();
}

bool Recorder::waitFor(const std::function<bool()> &isTrue) {
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, soon().when(), isTrue);
}
bool Recorder::waitForMessages(size_t count) {
  return waitFor([&] { return messages_.size() >= count; });
}
bool Recorder::waitForTensors(size_t count) {
  return waitFor([&] { return wholeTensors_ >= count; });
}
bool Recorder::waitForLost(size_t count) {
  return waitFor([&] { return lost_.size() >= count; });
}

std::vector<Recorder::Message> Recorder::messages() const {
  std::lock_guard lock(mutex_);
  return messages_;
}
std::vector<Recorder::Tensor> Recorder::tensors() const {
  std::lock_guard lock(mutex_);
  return tensors_;
}
std::vector<std::pair<TaskId, Status>> Recorder::lost() const {
  std::lock_guard lock(mutex_);
  return lost_;
}
std::string Recorder::complaint() const {
  std::lock_guard lock(mutex_);
  return complaint_;
}

struct Outcome::State {
  std::mutex mutex; // guards calls
  std::condition_variable called;
  int calls = 0;
  Status status;
};

std::shared_ptr<Outcome::State> Outcome::makeState() {
  return std::make_shared<State>();
}

Completion Outcome::completion() {
  return [state = state_](Status status) {
    std::lock_guard lock(state->mutex);
    if (++state->calls == 1)
      state->status = std::move(status);
    state->called.notify_all();
  };
}

Status Outcome::wait() {
  std::unique_lock lock(state_->mutex);
  if (!state_->called.wait_until(lock, soon().when(),
                                 [&] { return state_->calls > 0; }))
    return Status::internal("the completion was not called");
  return state_->status;
}

int Outcome::calls() const {
  std::lock_guard lock(state_->mutex);
  return state_->calls;
}

namespace {

class LoopbackCluster final : public Cluster {
public:
  explicit LoopbackCluster(std::vector<TaskId> tasks)
      : network_(std::move(tasks)) {}
  std::unique_ptr<Transport> make(const TaskId &task) override {
    return network_.endpoint(task);
  }
  void kill(std::unique_ptr<Transport> &transport) override {
    network_.kill(transport->self());
  }

private:
  LoopbackNetwork network_;
};

class GrpcCluster final : public Cluster {
public:
  explicit GrpcCluster(std::vector<TaskId> tasks) {
    for (const TaskId &task : tasks)
      addresses_[task] = strCat("127.0.0.1:", freePort());
  }
  std::unique_ptr<Transport> make(const TaskId &task) override {
    return makeGrpcTransport(
        {.self = task, .addresses = addresses_, .token = "test"});
  }
  void kill(std::unique_ptr<Transport> &transport) override {
    transport = nullptr;
  }

private:
  std::map<TaskId, std::string> addresses_;
};

} // namespace

std::unique_ptr<Cluster> makeLoopbackCluster(std::vector<TaskId> tasks) {
  return std::make_unique<LoopbackCluster>(std::move(tasks));
}
std::unique_ptr<Cluster> makeGrpcCluster(std::vector<TaskId> tasks) {
  return std::make_unique<GrpcCluster>(std::move(tasks));
}

int freePort() {
  // Below the range from which the kernel takes ports for outgoing calls, and
  // elsewhere in each process: tests run side by side.
  static std::atomic<int> next = getpid() * 97;
  while (true) {
    int port = 15000 + next++ % 17000;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<uint16_t>(port));
    bool isFree =
        bind(fd, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0;
    close(fd);
    if (isFree)
      return port;
  }
}

} // namespace dtc::test
