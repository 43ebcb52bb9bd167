#include "runtime/transport/Transport.h"

namespace dtc {

std::string RendezvousKey::toString() const {
  return strCat("edge ", edge, " of step ", step, " from ", source);
}

} // namespace dtc
