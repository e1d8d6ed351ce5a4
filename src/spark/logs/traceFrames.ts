import type { Span } from "../../base/span.ts";

/** A source location in a stack trace line. */
export interface TraceFrame {
  /** The span of the location within the line. */
  readonly span: Span;
  /** The path in the trace, with `/` as separator. In a JVM frame, the package as folders, and the file name. */
  readonly path: string;
  readonly isWholePath: boolean;
  /** The line number in the source file, from 1. */
  readonly line: number;
}

const pythonFrame = /File "([^"\n]{1,1000})", line (\d{1,7})/;
const jvmFrame =
  /\bat ((?:[\w\p{L}\p{M}$-]+[./@])*)[\w\p{L}\p{M}$]+\.(?:[\w\p{L}\p{M}$<>]+)\(([\w\p{L}\p{M}$-]+\.(?:scala|java|kt|py|sc)):(\d{1,7})\)/u;
/** PySpark call sites: `orders.py:12`, as in "count at orders.py:12". */
const callSite =
  /(?:^|\s)((?:[\w\p{L}\p{M}.-]+\/)*[\w\p{L}\p{M}-]+\.(?:py|scala|java)):(\d{1,7})\b/u;

/** Returns the source location in a line of a Python, Java or Scala stack trace; undefined if there is none. */
export function frameIn(text: string): TraceFrame | undefined {
  const python = pythonFrame.exec(text);
  if (python) {
    // A Windows path has backslashes.
    const path = (python[1] ?? "").replaceAll("\\", "/");
    return frameOf(python, path, python[2] ?? "", true);
  }
  const jvm = jvmFrame.exec(text);
  if (jvm) {
    const folder = (jvm[1] ?? "").replace(/^.*[@/]/, "").replaceAll(".", "/");
    return frameOf(jvm, `${folder}${jvm[2] ?? ""}`, jvm[3] ?? "", false);
  }
  const site = callSite.exec(text);
  return site ? frameOf(site, site[1] ?? "", site[2] ?? "", false) : undefined;
}

/**
 * Returns the index of the first line of a Python traceback in a log record, which may begin with an earlier log line.
 * 0 without a Python traceback.
 */
export function traceStart(lines: readonly string[]): number {
  const header = lines.findIndex((line) => line.startsWith("Traceback "));
  // A syntax error of the program has no header.
  const start = header >= 0 ? header : lines.findIndex((line) => /^ {2}File "/.test(line));
  return Math.max(0, start);
}

function frameOf(
  match: RegExpExecArray,
  path: string,
  line: string,
  isWholePath: boolean,
): TraceFrame | undefined {
  if (Number(line) < 1) return undefined;
  const blank = match[0].length - match[0].trimStart().length;
  const start = match.index + blank;
  return {
    span: { start, end: match.index + match[0].length },
    path,
    isWholePath,
    line: Number(line),
  };
}

export const fileNameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/**
 * Returns the file that shares the longest path suffix with the frame, at least `least` path segments. Undefined if
 * there is none or the result is ambiguous. If the frame has a package, a file that shares only the file name belongs
 * to another package. Ignores packages in a virtual environment, because they are not the user's program.
 */
export function fileOfFrame(
  frame: TraceFrame,
  files: readonly string[],
  least = 1,
): string | undefined {
  const wanted = frame.path.split("/").reverse();
  const enough = frame.isWholePath
    ? Math.max(least, leastOfWhole(frame.path))
    : Math.max(least, Math.min(2, wanted.length));
  const scored = files
    .filter((file) => !installedFile.test(file))
    .map((file) => ({ file, score: sharedEnd(wanted, file.split("/").reverse()) }))
    .filter(({ score }) => score >= enough)
    .sort((a, b) => b.score - a.score);
  const [best, next] = scored;
  return best && best.score !== next?.score ? best.file : undefined;
}

const installedFile = /\/(?:site|dist)-packages\//;

// Matches a folder of installed Python packages, or of the packages in Spark: `pyspark.zip`, `python/pyspark`.
const packagesFolder =
  /^.*\/(?:site-packages|dist-packages|python\d+\.\d+|(?:pyspark|py4j)[\w.-]*\.zip|python(?=\/(?:pyspark|py4j)\/))\//;

/** Spark's temporary folders, and archives of Python modules. */
const temporaryFolder = /^(?:spark|userFiles)-[\da-f-]{36}$|\.(?:zip|egg)$/;

/** True for a folder in a container to which workspace files are copied without their parent folders. */
const receivesFiles = (folder: string): boolean =>
  ["/opt/spark-k8s/code", "/opt/spark/work-dir"].some((end) => folder.endsWith(end)) ||
  temporaryFolder.test(fileNameOf(folder));

/**
 * Returns the minimum number of path segments that a workspace file must share with the frame. A file of an installed
 * package is in the workspace only if its whole path below the packages folder matches. Other files need a common
 * parent folder, because the image may contain another file of the same name.
 */
function leastOfWhole(path: string): number {
  const folder = packagesFolder.exec(path)?.[0];
  if (folder !== undefined) return Math.max(2, path.slice(folder.length).split("/").length);
  const end = path.lastIndexOf("/");
  return end < 0 || receivesFiles(path.slice(0, end)) ? 1 : 2;
}

function sharedEnd(wanted: readonly string[], parts: readonly string[]): number {
  let shared = 0;
  while (shared < wanted.length && wanted[shared] === parts[shared]) shared += 1;
  return shared;
}
