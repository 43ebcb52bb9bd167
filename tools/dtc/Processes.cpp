#include "tools/dtc/Processes.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <netinet/in.h>
#include <poll.h>
#include <random>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace dtc::tool {
namespace {

using Milliseconds = std::chrono::milliseconds;

/// Everything that exec needs, made before fork: a child of a process with
/// threads may not allocate.
struct Command {
  Command(const std::vector<std::string> &arguments,
          const std::vector<std::pair<std::string, std::string>> &environment)
      : argumentText(arguments) {
    for (char **entry = environ; *entry; ++entry) {
      std::string text = *entry;
      bool replaced = std::any_of(environment.begin(), environment.end(),
                                  [&](const auto &pair) {
                                    return text.rfind(pair.first + "=", 0) == 0;
                                  });
      if (!replaced)
        environmentText.push_back(text);
    }
    for (const auto &[name, value] : environment)
      environmentText.push_back(name + "=" + value);
    for (std::string &text : argumentText)
      argv.push_back(text.data());
    for (std::string &text : environmentText)
      envp.push_back(text.data());
    argv.push_back(nullptr);
    envp.push_back(nullptr);
  }
  std::vector<std::string> argumentText, environmentText;
  std::vector<char *> argv, envp;
};

[[noreturn]] void becomeChild(Command &command, int output, int errors,
                              int parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) // it died before the line above
    _exit(200);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  execve("/proc/self/exe", command.argv.data(), command.envp.data());
  _exit(127);
}

} // namespace

bool Child::wasSignalled() const {
  return waitStatus && WIFSIGNALED(*waitStatus);
}

int Child::exitCode() const {
  return WIFSIGNALED(*waitStatus) ? 128 + WTERMSIG(*waitStatus)
                                  : WEXITSTATUS(*waitStatus);
}

ProcessGroup::~ProcessGroup() {
  signalAll(SIGKILL);
  drain(Milliseconds(2000)); // a killed child ends at once
  for (Child &child : children_)
    for (int fd : {child.outputFd, child.errorFd})
      if (fd >= 0)
        close(fd);
}

Status ProcessGroup::start(
    const TaskId &task, const std::string &address,
    const std::vector<std::string> &arguments,
    const std::vector<std::pair<std::string, std::string>> &environment,
    bool forwardsOutput) {
  int output[2], errors[2];
  if (pipe2(output, O_CLOEXEC) != 0)
    return Status::resourceExhausted(
        strCat("cannot start ", task, ": ", std::strerror(errno)));
  if (pipe2(errors, O_CLOEXEC) != 0) {
    close(output[0]), close(output[1]);
    return Status::resourceExhausted(
        strCat("cannot start ", task, ": ", std::strerror(errno)));
  }
  Command command(arguments, environment);
  int parent = getpid();
  int pid = fork();
  if (pid == 0)
    becomeChild(command, output[1], errors[1], parent);
  close(output[1]);
  close(errors[1]);
  if (pid < 0) {
    close(output[0]), close(errors[0]);
    return Status::resourceExhausted(
        strCat("cannot start ", task, ": ", std::strerror(errno)));
  }
  Child child;
  child.task = task;
  child.address = address;
  child.pid = pid;
  child.outputFd = output[0];
  child.errorFd = errors[0];
  child.forwardsOutput = forwardsOutput;
  children_.push_back(std::move(child));
  return Status::ok();
}

void ProcessGroup::printLine(Child &child, const std::string &line,
                             bool isOutput) {
  if (isOutput && child.forwardsOutput) {
    std::cout << line << std::endl;
    return;
  }
  if (line.find("error[DTC") != std::string::npos)
    child.lastError = line;
  std::cerr << "[" << child.task << "] " << line << std::endl;
}

void ProcessGroup::read(Child &child, int &fd, std::string &line,
                        bool isOutput) {
  char buffer[65536];
  ssize_t count = ::read(fd, buffer, sizeof buffer);
  if (count < 0 && (errno == EINTR || errno == EAGAIN))
    return;
  if (count <= 0) {
    if (!line.empty())
      printLine(child, line, isOutput);
    line.clear();
    close(fd);
    fd = -1;
    return;
  }
  line.append(buffer, count);
  for (size_t end; (end = line.find('\n')) != std::string::npos;
       line.erase(0, end + 1))
    printLine(child, line.substr(0, end), isOutput);
}

void ProcessGroup::reap() {
  for (Child &child : children_) {
    int status = 0;
    if (child.isRunning() && waitpid(child.pid, &status, WNOHANG) == child.pid)
      child.waitStatus = status;
  }
}

bool ProcessGroup::poll(Milliseconds timeout) {
  std::vector<pollfd> fds;
  std::vector<std::pair<Child *, bool>> owners;
  for (Child &child : children_)
    for (bool isOutput : {true, false})
      if (int fd = isOutput ? child.outputFd : child.errorFd; fd >= 0) {
        fds.push_back({fd, POLLIN, 0});
        owners.push_back({&child, isOutput});
      }
  // With all pipes closed this is the pause between two looks at waitpid.
  ::poll(fds.data(), fds.size(), static_cast<int>(timeout.count()));
  for (size_t i = 0; i < fds.size(); ++i) {
    auto [child, isOutput] = owners[i];
    if (fds[i].revents && isOutput)
      read(*child, child->outputFd, child->outputLine, true);
    else if (fds[i].revents)
      read(*child, child->errorFd, child->errorLine, false);
  }
  reap();
  return std::any_of(
      children_.begin(), children_.end(), [](const Child &child) {
        return child.isRunning() || child.outputFd >= 0 || child.errorFd >= 0;
      });
}

void ProcessGroup::signalAll(int signal) {
  for (Child &child : children_)
    if (child.isRunning())
      kill(child.pid, signal);
}

void ProcessGroup::drain(Milliseconds limit) {
  auto end = std::chrono::steady_clock::now() + limit;
  while (poll(Milliseconds(20)) && std::chrono::steady_clock::now() < end)
    continue;
}

/// A socket bound to 127.0.0.1:`port`, or -1 when that is taken.
static int bindTo(int port) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  if (fd >= 0 &&
      bind(fd, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0) {
    close(fd);
    return -1;
  }
  return fd;
}

Result<std::vector<int>> freePorts(size_t count) {
  // Below the range from which the kernel picks ports for connections, where
  // one could be taken before the task listens.
  constexpr int lowest = 15000, highest = 32767, tries = 10000;
  std::mt19937 random(std::random_device{}());
  std::uniform_int_distribution<int> anyPort(lowest, highest);
  std::vector<int> sockets, ports;
  for (int i = 0; i < tries && ports.size() < count; ++i) {
    int port = anyPort(random), fd = bindTo(port);
    if (fd < 0)
      continue;
    sockets.push_back(fd); // held until all are chosen, so that they differ
    ports.push_back(port);
  }
  for (int fd : sockets)
    close(fd);
  if (ports.size() < count)
    return Status::resourceExhausted("no free port on 127.0.0.1");
  return ports;
}

} // namespace dtc::tool
