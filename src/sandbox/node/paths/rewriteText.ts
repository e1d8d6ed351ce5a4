// Rewrites container paths in arguments, environment and mounted text to paths of this machine.

/** Maps paths of a container to this machine. */
export interface PathMap {
  /** The local folder that represents the container's `/`. */
  readonly root: string;
  /** Absolute container paths that exist below `root`; all others are paths of the machine. */
  readonly prefixes: readonly string[];
  /** Prefix of paths that are already local: the folder of the node. */
  readonly own: string;
}

/** Maps DNS names of the cluster to local addresses. */
export type HostNames = ReadonlyMap<string, string>;

// Characters that extend a name: `/opt/spark` does not match in `/opt/sparkling` or `/data/opt/spark`.
const nameCharacter = /[A-Za-z0-9_.+@%~-]/;

/**
 * Replaces each path that begins with one of the prefixes. In URIs, it replaces only paths with the schemes `local` and
 * `file`. URIs of object stores and other hosts stay unchanged.
 */
export function rewritePaths(text: string, { root, prefixes, own }: PathMap): string {
  // Longest prefix first: `/opt/spark/conf` before `/opt/spark`.
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
      // A driver passes its local paths to executors: map them to paths of the executor's container.
      if (inner > end && shared !== undefined) {
        result += `${text.slice(done, at)}${root}${shared}`;
        done = inner + shared.length;
        continue;
      }
      result += text.slice(done, end);
      // This is a host path: copy it to its end without matching container prefixes.
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

/** Returns the end of a container's root folder that starts at `from`; `from` itself if there is none. */
function rootEnd(text: string, from: number): number {
  const inside = new RegExp(containerRoot, "y");
  inside.lastIndex = from;
  return inside.test(text) ? inside.lastIndex : from;
}

const containerRoot = /\/pods\/[^/\s]+\/containers\/[^/\s]+\/[0-9]+\/root(?=\/)/;

/**
 * Returns the path as seen inside a container, without the container's local root folder. `own`: the node's folder.
 */
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
  if (before !== "/") return !nameCharacter.test(before) && !isRemotePath(text, at);
  // Matches `local:///opt/spark`. The check above accepts `local:/opt/spark`, which some programs write.
  return /(?:^|[^A-Za-z0-9+.-])(?:file|local)\\?:\/\/$/.test(text.slice(Math.max(0, at - 10), at));
}

// True if the path belongs to another file system, as in `hdfs:/data`.
function isRemotePath(text: string, at: number): boolean {
  // `/gs:/data` is a list of two paths, so `gs` is not a scheme.
  const before = text.slice(Math.max(0, at - 12), at);
  const scheme = /(?<![A-Za-z0-9_.+@%~/-])([A-Za-z][A-Za-z0-9+.-]*)\\?:$/.exec(before)?.[1];
  return scheme !== undefined && remote.has(scheme);
}

const remote: ReadonlySet<string> = new Set(
  "hdfs,viewfs,webhdfs,s3,s3a,s3n,gs,abfs,abfss,wasb,wasbs,adl,oci,oss,cosn,http,https,ftp".split(
    ",",
  ),
);

/** Replaces complete host names: `a.b.svc` does not match in `xa.b.svc` or `a.b.svc.example.org`. */
export function rewriteHosts(text: string, hosts: HostNames): string {
  if (!text.includes(".svc")) return text;
  return text.replaceAll(serviceName, (whole: string, name: string, port: string | undefined) => {
    const host = hosts.get(name);
    if (host === undefined) return whole;
    // A host with a port replaces the port as well.
    return host.includes(":") ? host : `${host}${port ?? ""}`;
  });
}

const serviceName =
  /(?<![A-Za-z0-9_.-])([a-z0-9][a-z0-9-]*\.[a-z0-9][a-z0-9-]*\.svc)(?:\.cluster\.local)?(?![A-Za-z0-9_-]|\.[A-Za-z0-9])(:[0-9]+)?/g;
