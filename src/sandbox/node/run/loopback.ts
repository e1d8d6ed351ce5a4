// Finds the process that listens on the machine's loopback address, which the pods of a sandbox share.
import { readdir, readFile, readlink } from "node:fs/promises";

/** 127.0.0.1 as Linux prints it in /proc/net: as an IPv4 address, and as an IPv4-mapped IPv6 address. */
const loopbacks = ["0100007F", "0000000000000000FFFF00000100007F"];
const listening = "0A";

/**
 * True if one of the processes listens on this port of 127.0.0.1. False on systems without /proc, where 127.0.0.1 is
 * the address of all pods.
 */
export async function isServedOnLoopback(pids: readonly number[], port: number): Promise<boolean> {
  const inodes = await listenersOf(port);
  if (inodes.size === 0) return false;
  const links = await Promise.all(pids.map(openFilesOf));
  return links.flat().some((link) => inodes.has(link));
}

/** Returns the sockets that listen on the port, named like the links in `/proc/PID/fd`: `socket:[123]`. */
async function listenersOf(port: number): Promise<ReadonlySet<string>> {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const wanted = new Set(loopbacks.map((address) => `${address}:${hex}`));
  const tables = await Promise.all(
    ["/proc/net/tcp", "/proc/net/tcp6"].map((path) => readFile(path, "latin1").catch(() => "")),
  );
  const rows = tables.flatMap((table) => table.split("\n").map((row) => row.trim().split(/\s+/)));
  return new Set(
    rows.flatMap(([, local = "", , state, , , , , , inode = ""]) =>
      state === listening && wanted.has(local) ? [`socket:[${inode}]`] : [],
    ),
  );
}

async function openFilesOf(pid: number): Promise<readonly string[]> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => "")));
}
