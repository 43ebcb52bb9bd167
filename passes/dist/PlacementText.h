// PlacementText: a placement that a person reads, edits and compiles with.
// Plain C++: what the names mean is PlacementFile's business.
//
//   # A remark, to the end of the line.
//   variables
//     w1  ps:0/cpu:0
//   entry train
//     h1  worker:*/cpu:0
//
// A device is a task of the cluster, `ps:0` or `ps:0/cpu:0`, or `worker:*`,
// each worker; TensorFlow's `/job:ps/task:0` is read, too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace dtc::dist {

struct PlacementText {
  /// A word and where it stands; line and column count from 1.
  struct Word {
    std::string text;
    unsigned line = 0, column = 0;
  };
  struct Line {
    Word name, device;
  };
  struct Section {
    bool isEntry = false; // else the section of the variables
    Word name;            // the entry's; of variables "variables"
    std::vector<Line> lines;
  };
  std::string remark; // at the head, without its '#'; printed, never read
  std::vector<Section> sections;

  /// The text in its one form: names in a column. A text that was read comes
  /// back so, without its remarks.
  std::string toString() const;
};

/// What is wrong, where, and what would be right ("" if nothing can be said).
struct PlacementTextError {
  unsigned line = 0, column = 0;
  std::string message, help;
};

std::variant<PlacementText, PlacementTextError>
parsePlacementText(std::string_view text);

/// A task of a job.
struct PlacedTask {
  std::string job;
  int64_t task = 0; // -1: each task of the job
};

/// The task that a device's text names, or a sentence about what is wrong.
std::variant<PlacedTask, std::string> parsePlacedTask(std::string_view text);

} // namespace dtc::dist
