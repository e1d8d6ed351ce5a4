import { readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { nearestSparkVersion, type SparkVersion } from "../spark/conf/catalogue/sparkVersions.ts";
import { buildFiles, gradleProperties, versionOfBuild } from "../spark/surfaces/buildVersions.ts";
import { filesNamedIn, mayNameFiles, withFiles } from "../spark/surfaces/namedFiles.ts";
import { readSurface, type Surface } from "../spark/surfaces/surfaces.ts";

/** The maximum size of a file that is read, in bytes. */
const maxFileBytes = 4_000_000;

/**
 * Looks up facts about a file in other files. Reads only files below the search root or below the folder of the file.
 */
interface KnownFiles {
  /** Returns the Spark version of the nearest build file; undefined if none names a version. */
  readonly versionFor: (file: string) => SparkVersion | undefined;
  /**
   * Returns the contents of the files that a text refers to, directly or through another such file. The key is the path
   * as written. Unreadable files are absent.
   */
  readonly namedIn: (text: string, surface: Surface, file: string) => ReadonlyMap<string, string>;
}

export function knownFiles(root: string = resolve(".")): KnownFiles {
  const versions = new Map<string, SparkVersion | undefined>();
  const versionOf = (folder: string): SparkVersion | undefined => {
    if (!versions.has(folder)) versions.set(folder, versionIn(folder));
    return versions.get(folder);
  };
  return {
    versionFor: (file) => {
      for (const folder of foldersAbove(file, root)) {
        const version = versionOf(folder);
        if (version !== undefined) return version;
      }
      return undefined;
    },
    namedIn: (text, surface, file) => {
      const texts = new Map<string, string>();
      if (!mayNameFiles(text)) return texts;
      const documents = readSurface(text, surface);
      for (let isNew = true; isNew;) {
        isNew = false;
        for (const path of filesNamedIn(withFiles(documents, texts))) {
          const found = texts.has(path) ? undefined : textNamed(path, file, root);
          if (found === undefined) continue;
          texts.set(path, found);
          isNew = true;
        }
      }
      return texts;
    },
  };
}

/** Returns the folders from the file's folder up to the search root; for a file outside, only its own folder. */
function foldersAbove(file: string, root: string): readonly string[] {
  const first = file === "-" ? root : dirname(resolve(file));
  if (!isWithin(first, root)) return [first];
  const folders = [first];
  for (let folder = first; folder !== root; folders.push(folder)) folder = dirname(folder);
  return folders;
}

const isWithin = (path: string, root: string): boolean =>
  !/^\.\.(?:[\\/]|$)/.test(relative(root, path));

function versionIn(folder: string): SparkVersion | undefined {
  for (const file of buildFiles) {
    const text = textAt(join(folder, file));
    if (text === undefined) continue;
    const properties = textAt(join(folder, gradleProperties)) ?? "";
    const version = versionOfBuild(file, text, properties);
    const known = version === undefined ? undefined : nearestSparkVersion(version);
    if (known !== undefined) return known;
  }
  return undefined;
}

function textNamed(path: string, file: string, root: string): string | undefined {
  if (/^[a-z]+:/i.test(path)) return undefined;
  for (const folder of [root, file === "-" ? root : dirname(resolve(file))]) {
    const place = resolve(folder, path);
    const text = isWithin(place, root) || isWithin(place, folder) ? textAt(place) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}

function textAt(path: string): string | undefined {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status?.isFile() !== true || status.size > maxFileBytes) return undefined;
  return readFileSync(path, "utf8");
}
