// The init container that receives code before the driver starts, and the program that fills its volume.
import type { JsonObject } from "../../../base/json.ts";
import { quotedWord } from "../../../base/quotedWord.ts";
import { sumsName } from "./codeName.ts";
import { codeDirectory } from "./sentCode.ts";

export const codeContainerName = "spark-k8s-code";

/** Exit codes of the receiving program. If the program makes the init container fail, both exit with the same code. */
export const receiveCode = {
  /** The archive is incomplete. The init container waits for another one. */
  incomplete: 10,
  noTar: 11,
  /**
   * tar failed: the init container waits for another archive. Or the code directory is not writable: the init container
   * ends.
   */
  notUnpacked: 12,
  notVerified: 13,
  /** No init container waits for code in this directory. */
  noWaiter: 14,
} as const;

// Time limits in seconds: until the archive begins, and from there until it is complete.
const startSeconds = 300;
const archiveSeconds = 3600;

export interface StreamTarget {
  /** Spark's container of the driver pod. */
  readonly container: JsonObject;
  /** An `emptyDir` of the pod. */
  readonly volumeName: string;
}

/**
 * Returns an init container with the driver's image, so no other image is pulled. The container also has the driver's
 * security context: admission policies treat both alike, and the driver's user owns the files. The container succeeds
 * only after it has received verified code.
 */
export function streamContainer({ container, volumeName }: StreamTarget): JsonObject {
  const copied = ["image", "imagePullPolicy", "securityContext", "resources"] as const;
  return {
    name: codeContainerName,
    ...Object.fromEntries(
      copied.flatMap((key) => (container[key] === undefined ? [] : [[key, container[key]]])),
    ),
    command: ["bash", "-c", waitScript, codeContainerName, codeDirectory],
    // Makes the reason of a failure visible in the pod's status.
    terminationMessagePolicy: "FallbackToLogsOnError",
    volumeMounts: [{ name: volumeName, mountPath: codeDirectory }],
  };
}

/**
 * Returns the command that reads an archive from standard input into the volume of `streamContainer`. Exit codes:
 * `receiveCode`.
 */
export const receiveCommand = (): readonly string[] => [
  "bash",
  "-c",
  receiveScript(),
  codeContainerName,
  codeDirectory,
];

/**
 * Returns the first line of the receiving program's input. `length`: the archive's length in bytes; undefined (`-`):
 * the archive ends with the input.
 */
export const receiveHead = (length: number | undefined): string => `${length ?? "-"}\n`;

// Sets the owner of each file, because older versions of tarfile have no filter for this.
const pythonUnpack = `
import os, sys, tarfile
archive = tarfile.open(fileobj=sys.stdin.buffer, mode="r|")
for member in archive:
    member.uid, member.gid, member.uname, member.gname = os.getuid(), os.getgid(), "", ""
    archive.extract(member, sys.argv[1])
`;

// The exit code of `pythonCheck` if a hash differs. Python itself fails with 1.
const differs = 3;

const pythonCheck = `
import hashlib, sys
bad = 0
for line in open("${sumsName}", encoding="utf-8", errors="surrogateescape"):
    hash, name = line[:64], line[66:].rstrip("\\n")
    sum = hashlib.sha256()
    with open(name, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            sum.update(block)
    good = sum.hexdigest() == hash
    bad += not good
    print(name.encode("utf-8", "replace").decode("utf-8") + (": OK" if good else ": FAILED"))
sys.exit(${differs} if bad else 0)
`;

// The receiving program sends messages to the init container through a FIFO. Each archive has a folder, named by the id
// of the process that receives it. Only the init container removes or moves files, so a process that remains after a
// broken connection cannot damage the next archive.
//
// The FIFO is opened for reading and writing, so opening never blocks, and `read` never sees end of file. bash as PID 1
// ignores SIGTERM without a trap, and the pod would use its whole grace period. If a node loses the pod's sandbox, init
// containers run again; the file `complete` then ends the script. No here-documents: bash writes them to a file.
const waitScript = `
dir=$1; own=$dir/.spark-k8s
say() { echo "$1" >&2; }
end() { say "$2"; rm -rf "$own"; exit "$1"; }
trap 'exit 143' TERM INT
[ -e "$own/complete" ] && exit 0
rm -rf "$own"
mkdir "$own" && mkfifo -m 600 "$own/words" && exec 3<>"$own/words" || end 1 "Cannot prepare the code directory \\"$dir\\"."
current=; limit=${startSeconds}
while read -r -t "$limit" -u 3 word id rest; do
  case $word in
    start)
      current=$id; limit=${archiveSeconds}
      for old in "$own"/[0-9]*; do [ "$old" = "$own/$id" ] || rm -rf "$old"; done;;
    lost)
      [ "$id" = "$current" ] || continue
      rm -rf "$own/$id"; current=; limit=${startSeconds};;
    failed)
      [ "$id" = "$current" ] || continue
      end "\${rest%% *}" "\${rest#* }";;
    ok)
      [ "$id" = "$current" ] || continue
      shopt -s dotglob nullglob
      mv -f -- "$own/$id"/* "$dir"/ || end 1 "Cannot move the received files."
      rm -rf "$own"; mkdir "$own" && : > "$own/complete"
      exit 0;;
    *) end 1 "Unexpected word.";;
  esac
done
if [ -z "$current" ]; then end 1 "No code arrived within $limit seconds."; fi
end 1 "The code did not arrive completely within $limit seconds."
`;

// Prefers Python to compute the hashes, because it is three to four times as fast as the sha256sum of coreutils.
// tar exits with 0 for an archive that is truncated between two entries, so the script checks for the last entry, the
// file of hashes. `-o` is `--no-same-owner`, also in busybox.
function receiveScript(): string {
  return `
dir=$1; own=$dir/.spark-k8s; id=$$; at=$own/$id
say() { echo "$1" >&2; }
tries=0
until [ -p "$own/words" ]; do
  tries=$((tries + 1))
  if [ "$tries" -gt 200 ] || [ -e "$own/complete" ]; then say "No init container waits for code."; exit ${receiveCode.noWaiter}; fi
  sleep 0.05
done
exec 4<>"$own/words"
fail() { say "$2"; echo "failed $id $1 $2" >&4; exit "$1"; }
lost() { say "$2"; echo "lost $id" >&4; exit "$1"; }
mkdir "$at" || fail ${receiveCode.notUnpacked} "Cannot write to the code directory."
echo "start $id" >&4
if command -v tar > /dev/null; then
  unpack() { tar -xof - -C "$at"; }
elif command -v python3 > /dev/null; then
  unpack() { python3 -W ignore -c ${quotedWord(pythonUnpack)} "$at"; }
else
  fail ${receiveCode.noTar} "The image has neither tar nor python3."
fi
read -r length || lost ${receiveCode.incomplete} "The archive is incomplete."
if [ "$length" = - ]; then unpack; else head -c "$length" | unpack; fi || lost ${receiveCode.notUnpacked} "The archive was not unpacked."
cd "$at" || fail ${receiveCode.notVerified} "The received files are missing."
[ -f ${sumsName} ] || lost ${receiveCode.incomplete} "The archive is incomplete."
check() {
  if command -v python3 > /dev/null; then
    python3 -c ${quotedWord(pythonCheck)}
    case $? in 0) return 0;; ${differs}) return 1;; esac
  fi
  sha256sum -c ${sumsName}
}
check > /dev/null 2>&1 || fail ${receiveCode.notVerified} "Hashes differ: $(check 2> /dev/null | { n=0; while read -r line; do
  case $line in *": OK") ;; *) [ "$n" -lt 3 ] && printf '%s; ' "\${line:0:200}"; n=$((n + 1));; esac; done; })"
mapfile -t lines < ${sumsName}
declare -A seen
for line in "\${lines[@]}"; do
  [[ $line =~ ^\\\\?[0-9a-f]{64}" "[\\ *]. ]] || fail ${receiveCode.notVerified} "The list of hashes is not valid."
  seen[$line]=1
done
shopt -s globstar dotglob nullglob
files=0
for file in **; do
  if [ -L "$file" ] || [ ! -e "$file" ]; then fail ${receiveCode.notVerified} "A received entry is not a file."; fi
  [ -d "$file" ] || files=$((files + 1))
done
[ "$files" -eq "$((\${#seen[@]} + 1))" ] || fail ${receiveCode.notVerified} "The list of hashes has \${#seen[@]} files, and $((files - 1)) arrived."
rm ${sumsName}
echo "ok $id" >&4
`;
}
