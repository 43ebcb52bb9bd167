#!/usr/bin/env bash
# Installs those Debian packages of third_party/packages.txt that are missing.
#   scripts/install-packages.sh build   what building and running dtc needs
#   scripts/install-packages.sh test    the same, and what the tests need
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
  build) groups='^build$' ;;
  test) groups='^(build|test)$' ;;
  *) echo "usage: $0 build|test" >&2; exit 2 ;;
esac
wanted=$(awk -v groups="$groups" '$1 ~ groups { print $2 }' third_party/packages.txt)

missing=()
for package in $wanted; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

echo "installing ${#missing[@]} Debian packages: ${missing[*]}" >&2
if ! command -v apt-get >/dev/null; then
  echo "$0: there is no apt-get here; dtc is built on Debian 12 with the packages above" >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "$0: run as root, or install sudo" >&2; exit 1; }
  as_root=(sudo)
fi
apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq \
    -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 "$@" >&2
}
# The lists have a lock of their own, and apt does not wait for that one.
for try in 1 2 3; do
  apt update && break
  [ "$try" -lt 3 ] || { echo "$0: apt-get update failed" >&2; exit 1; }
  sleep 10
done
if ! apt install --yes --no-install-recommends "${missing[@]}"; then
  echo "$0: LLVM 22 is in Debian 12's security archive: apt needs bookworm-security in its sources" >&2
  exit 1
fi
