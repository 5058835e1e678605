#!/bin/sh
# Runs the shards with GNU parallel, on this machine or on others by ssh.
#
#     scale/parallel.sh N FOLDER [OPTION of oxiconv]... FILE...
#     scale/parallel.sh 64 work -f gb18030 -e report big.txt && scale/join 64 work big.utf8
#     scale/parallel.sh 64 work -f cp1252 -r texts -O converted
#     HOSTS=alpha,beta JOBS=8 scale/parallel.sh 1000 /shared/work --check -r /shared/texts
#
# HOSTS   where to run: names for ssh, separated by commas; ":" is this machine, and the default. The hosts share the
#         file system, and have this folder and the program at the same path.
# JOBS    shards at a time on each host; default: one for each core
#
# A shard that fails or is killed is run again, on another host if there is one, at most five times. Run the same command
# again after a stop: the shards that are complete are skipped.
set -eu
if [ $# -lt 3 ]; then
  echo 'usage: scale/parallel.sh N FOLDER [OPTION]... FILE...' >&2
  exit 2
fi
if ! parallel --version 2>/dev/null | grep -q GNU; then
  echo 'scale/parallel.sh: GNU parallel is needed (Debian: parallel); that of moreutils is another program' >&2
  exit 1
fi
n=$1 folder=$2
shift 2
mkdir -p "$folder"
# One thread for each shard: parallel runs as many shards as there are cores. --quote keeps blanks in the arguments.
seq "$n" | parallel --quote --env OXICONV --sshlogin "${HOSTS:-:}" --jobs "${JOBS:-100%}" --workdir "$PWD" \
  --retries 5 --joblog "$folder/jobs.tsv" "$(realpath "$(dirname "$0")")/shard" {} "$n" "$folder" -j 1 "$@"
