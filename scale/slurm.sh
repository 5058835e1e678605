#!/usr/bin/env bash
#SBATCH --job-name=oxiconv
#SBATCH --array=1-1000
#SBATCH --cpus-per-task=1
#SBATCH --mem=256M
#SBATCH --time=00:30:00
#SBATCH --requeue
# Runs the shards as a Slurm array job: one task of the array is one shard.
#
#     sbatch scale/slurm.sh FOLDER [OPTION of oxiconv]... FILE...
#     sbatch --array=1-64 scale/slurm.sh /shared/work -f gb18030 -e report /shared/big.txt
#     scale/join 64 /shared/work /shared/big.utf8
#
# Slurm sets SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT. The count is that of the submitted tasks, so to run only
# some shards again, name the number of all: SHARDS=1000 sbatch --array=17,230 scale/slurm.sh …
# (or submit the whole array again: shards that are complete end at once).
#
# Slurm runs a copy of this script, so SCALE names the folder of scale/shard; default: ./scale where sbatch was called.
set -eu
exec "${SCALE:-${SLURM_SUBMIT_DIR:-.}/scale}/shard" \
  "$SLURM_ARRAY_TASK_ID" "${SHARDS:-$SLURM_ARRAY_TASK_COUNT}" "$1" -j "${SLURM_CPUS_PER_TASK:-1}" \
  "${@:2}"
