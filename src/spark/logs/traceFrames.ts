import type { Span } from "../../base/span.ts";

/** A place in a program that a line of a trace names. */
export interface TraceFrame {
  /** In the line. */
  readonly span: Span;
  /** As the trace names it, with slashes: a path, or a file's name below the folders of its package. */
  readonly path: string;
  readonly isWholePath: boolean;
  /** From 1. */
  readonly line: number;
}

const pythonFrame = /File "([^"\n]{1,1000})", line (\d{1,7})/;
const jvmFrame =
  /\bat ((?:[\w\p{L}\p{M}$-]+[./@])*)[\w\p{L}\p{M}$]+\.(?:[\w\p{L}\p{M}$<>]+)\(([\w\p{L}\p{M}$-]+\.(?:scala|java|kt|py|sc)):(\d{1,7})\)/u;
/** What PySpark adds of its own: `orders.py:12`, as in "at count at orders.py:12". */
const callSite =
  /(?:^|\s)((?:[\w\p{L}\p{M}.-]+\/)*[\w\p{L}\p{M}-]+\.(?:py|scala|java)):(\d{1,7})\b/u;

/** The place that a line of a Python, Java or Scala trace names. */
export function frameIn(text: string): TraceFrame | undefined {
  const python = pythonFrame.exec(text);
  if (python) {
    // As Windows has it, too.
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
 * Which of the files is meant: the one that shares most of the path's end, and no less than `least` names. A file that
 * only has the same name as a frame of a package is another file, and what is installed in a virtual environment of
 * the workspace is nobody's program; undefined where two suit alike.
 */
export function fileOfFrame(
  frame: TraceFrame,
  files: readonly string[],
  least = 1,
): string | undefined {
  const wanted = frame.path.split("/").reverse();
  const enough = frame.isWholePath
    ? Math.max(least, leastOfInstalled(frame.path))
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

// Python's own folder, where packages are installed, and where a Spark has its own: `pyspark.zip`, `python/pyspark`.
const packagesFolder =
  /^.*\/(?:site-packages|dist-packages|python\d+\.\d+|(?:pyspark|py4j)[\w.-]*\.zip|python(?=\/(?:pyspark|py4j)\/))\//;

/** What is installed is the workspace's only if all of its path below the packages' folder is found there. */
function leastOfInstalled(path: string): number {
  const folder = packagesFolder.exec(path)?.[0];
  return folder === undefined ? 1 : Math.max(2, path.slice(folder.length).split("/").length);
}

function sharedEnd(wanted: readonly string[], parts: readonly string[]): number {
  let shared = 0;
  while (shared < wanted.length && wanted[shared] === parts[shared]) shared += 1;
  return shared;
}
