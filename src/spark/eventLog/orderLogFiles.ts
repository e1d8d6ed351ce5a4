/**
 * Returns the event files of a rolling event log (`eventlog_v2_…`) in the order of their events. A compacted file
 * replaces all files with the same or a lower index. Omits other files, such as the status file.
 */
export function orderLogFiles(names: readonly string[]): readonly string[] {
  const files = names.flatMap((name) => {
    const [, index, end] = /^events_(\d{1,9})_[^/]*?(\.compact)?$/.exec(name) ?? [];
    return index === undefined
      ? []
      : [{ name, index: Number(index), isCompact: end !== undefined }];
  });
  const compacted = Math.max(
    0,
    ...files.filter(({ isCompact }) => isCompact).map(({ index }) => index),
  );
  return files
    .filter(({ index, isCompact }) => index > compacted || (isCompact && index === compacted))
    .sort((a, b) => a.index - b.index)
    .map(({ name }) => name);
}

/**
 * Returns the path of the whole log: for a file of a rolling log its folder `eventlog_v2_…`, otherwise the path itself.
 * `path`: separated by slashes on all platforms, as in a URI.
 */
export function wholeLogPath(path: string): string {
  const [, folder] = /^(.*\/eventlog_v2_[^/]+)\/(?:events_\d+|appstatus)_[^/]*$/.exec(path) ?? [];
  return folder ?? path;
}

/** Returns the application id and attempt from the name of a log file or folder. `path`: separated by slashes. */
export const idInLogPath = (path: string): string =>
  (path.split("/").findLast((part) => part !== "") ?? path)
    .replace(/^(?:eventlog_v2|events_\d+|appstatus)_/, "")
    .replace(/\.(?:inprogress|compact)$/, "")
    .replace(/\.(?:zstd|zst|lz4|snappy|lzf|gz)$/, "");

export type LogCodec = "zstd" | "lz4" | "snappy" | "lzf" | "gzip";

/** Returns the compression codec of an event log from its file extension. Undefined for an uncompressed log. */
export function codecOf(name: string): LogCodec | undefined {
  const plain = name.replace(/\.(?:inprogress|compact)$/, "");
  const extension = /\.(zstd|zst|lz4|snappy|lzf|gz)$/.exec(plain)?.[1];
  if (extension === undefined) return undefined;
  return codecs[extension];
}

const codecs: Readonly<Record<string, LogCodec>> = {
  ...{ zst: "zstd", zstd: "zstd", gz: "gzip", lz4: "lz4", snappy: "snappy", lzf: "lzf" },
};
