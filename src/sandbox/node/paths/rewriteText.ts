// A container's paths, as they stand in arguments, environment and mounted text, become paths of this machine.

/** Where the paths of a container lie on this machine. */
export interface PathMap {
  /** The folder that stands for the container's `/`. */
  readonly root: string;
  /** Absolute paths of the container that lie below `root`; all others are the machine's own. */
  readonly prefixes: readonly string[];
  /** What begins with it is of this machine already. */
  readonly own: string;
}

/** Names that only the cluster's DNS would know, and what they stand for here. */
export type HostNames = ReadonlyMap<string, string>;

// What may go on a name: `/opt/spark` is not a part of `/opt/sparkling` nor of `/data/opt/spark`.
const nameCharacter = /[A-Za-z0-9_.+@%~-]/;

/**
 * Replaces each path that begins with one of the prefixes. A URI's path counts when its scheme is that of a
 * container's files (`local`, `file`); a bucket's or another host's is left alone.
 */
export function rewritePaths(text: string, { root, prefixes, own }: PathMap): string {
  // The longest first, so that `/opt/spark/conf` is not taken for `/opt/spark`; both lead to the same place.
  const sorted = prefixes.filter((prefix) => prefix !== "/").sort((a, b) => b.length - a.length);
  let result = "";
  let done = 0;
  for (let at = text.indexOf("/"); at !== -1; at = text.indexOf("/", at + 1)) {
    if (at < done) continue;
    if (text.startsWith(`${own}/`, at)) {
      const end = at + own.length;
      const inner = rootEnd(text, end);
      const shared = sorted.find(
        (one) => text.startsWith(one, inner) && ends(text, inner + one.length),
      );
      // A driver hands its own paths to the executors that it makes: theirs are meant.
      if (inner > end && shared !== undefined) {
        result += `${text.slice(done, at)}${root}${shared}`;
        done = inner + shared.length;
        continue;
      }
      result += text.slice(done, end);
      // The rest of that path is the machine's as well.
      const rest = pathEnd(text, end);
      result += text.slice(end, rest);
      done = rest;
      continue;
    }
    const prefix = sorted.find((one) => text.startsWith(one, at) && ends(text, at + one.length));
    if (prefix === undefined || !begins(text, at)) continue;
    result += `${text.slice(done, at)}${root}${prefix}`;
    done = at + prefix.length;
  }
  return result + text.slice(done);
}

/** Where the root of some container ends that `from` leads into; `from` itself when it does not. */
function rootEnd(text: string, from: number): number {
  const inside = new RegExp(containerRoot, "y");
  inside.lastIndex = from;
  return inside.test(text) ? inside.lastIndex : from;
}

const containerRoot = /\/pods\/[^/\s]+\/containers\/[^/\s]+\/[0-9]+\/root(?=\/)/;

/** A path as the container knows it, without the root that another container put before it. */
export function insidePath(path: string, own: string): string {
  const end = path.startsWith(`${own}/`) ? rootEnd(path, own.length) : own.length;
  return end === own.length ? path : path.slice(end);
}

function pathEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && (text[at] === "/" || nameCharacter.test(text[at] ?? ""))) at += 1;
  return at;
}

const ends = (text: string, at: number): boolean =>
  at >= text.length || text[at] === "/" || !nameCharacter.test(text[at] ?? "");

function begins(text: string, at: number): boolean {
  const before = text[at - 1];
  if (before === undefined) return true;
  if (before !== "/") return !nameCharacter.test(before) && !isQueryOf(text, at);
  // `local:///opt/spark`: three slashes, or the last of one that some programs leave out.
  return /(?:^|[^A-Za-z0-9+.-])(?:file|local)\\?:\/\/$/.test(text.slice(Math.max(0, at - 10), at));
}

// `s3a:/data` is written by nobody, but `hdfs:/data` is: the path of another file system.
function isQueryOf(text: string, at: number): boolean {
  // `/gs:/data` is a list of two paths.
  const before = text.slice(Math.max(0, at - 12), at);
  const scheme = /(?<![A-Za-z0-9_.+@%~/-])([A-Za-z][A-Za-z0-9+.-]*)\\?:$/.exec(before)?.[1];
  return scheme !== undefined && remote.has(scheme);
}

const remote: ReadonlySet<string> = new Set(
  "hdfs,viewfs,webhdfs,s3,s3a,s3n,gs,abfs,abfss,wasb,wasbs,adl,oci,oss,cosn,http,https,ftp".split(
    ",",
  ),
);

/** Replaces whole host names; `a.b.svc` is not a part of `xa.b.svc` nor of `a.b.svc.example.org`. */
export function rewriteHosts(text: string, hosts: HostNames): string {
  if (!text.includes(".svc")) return text;
  return text.replaceAll(serviceName, (whole: string, name: string, port: string | undefined) => {
    const host = hosts.get(name);
    if (host === undefined) return whole;
    // One that brings its port does not need the cluster's.
    return host.includes(":") ? host : `${host}${port ?? ""}`;
  });
}

const serviceName =
  /(?<![A-Za-z0-9_.-])([a-z0-9][a-z0-9-]*\.[a-z0-9][a-z0-9-]*\.svc)(?:\.cluster\.local)?(?![A-Za-z0-9_-]|\.[A-Za-z0-9])(:[0-9]+)?/g;
