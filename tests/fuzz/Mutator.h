// Mutator: graph files that nobody would write.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dtc::fuzz {

/// Name and text of each file, by name.
using Corpus = std::vector<std::pair<std::string, std::string>>;

/// Every *.mlir of a folder; empty if there is none.
Corpus readCorpus(const std::string &folder);

/// A file of the corpus with one to four mutations, at most 2 MiB long. Depends
/// on its arguments alone, on every machine.
std::string mutant(const Corpus &corpus, uint64_t seed);

} // namespace dtc::fuzz
