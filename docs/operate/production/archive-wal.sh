#!/bin/sh
# Archives one file of the write-ahead log, for Postgres' archive_command:
#   archive_command = '/etc/rewards/archive-wal.sh "%p" "/archive/%f"'
# A file has its name in the archive only when it is complete and on disk: a full disk, a kill or a power cut leaves a .part, which
# the next try overwrites. Postgres may ask for the same file twice: an equal one is a success, any other one a failure.
set -eu
from=$1
to=$2
if [ -e "$to" ]; then
  exec cmp -s "$from" "$to"
fi
cp "$from" "$to.part"
sync "$to.part"
mv "$to.part" "$to"
sync "$(dirname "$to")"
