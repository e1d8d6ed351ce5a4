import { readdir, readFile, stat } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join, relative, sep } from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import type { CodeError, JvmProgram, JvmPrograms } from "../../engine/ports/files.ts";
import { systemCode } from "../../io/systemCode.ts";
import { fileName } from "../../spark/fileName.ts";
import { compileGlob, type GlobPlace } from "../../spark/submit/code/pathGlob.ts";
import {
  artifactGlobs,
  buildCommand,
  buildToolFiles,
  chooseJar,
  classPathCommand,
  classPathFiles,
  dependencyGlobs,
  isBuildFile,
  isWholeJar,
  mergesJars,
  type BuiltJar,
  type JvmProject,
} from "../../spark/submit/jvm/jvmBuild.ts";
import { isDistributed, isScalaLibrary, isSparkCore } from "../../spark/submit/jvm/sparkJars.ts";
import { jvmLanguageOf, mainClassIn } from "../../spark/submit/jvm/mainClass.ts";
import { readZipEntry } from "../zipEntry.ts";

const maxBytes = 1 << 20;
const maxEntries = 20_000;

/**
 * Returns functions that find the project and the built jar of a Scala or Java program on the local disk. `initScript`:
 * the path of the Gradle init script with the task that writes the class path.
 */
export const jvmPrograms = (initScript: string): JvmPrograms => ({
  find: async (source, root) => {
    const language = jvmLanguageOf(source);
    const text = language && (await textOf(source));
    if (language === undefined || text === undefined) {
      return failed(source, "the file cannot be read.");
    }
    const main = mainClassIn(text, language);
    if (main === undefined) return failed(source, "it has no main method.");
    const project = await projectOf(source, root);
    if (project === undefined) {
      const names = [...buildToolFiles.keys()].join(", ");
      return failed(source, `no parent folder has a build file (${names}).`);
    }
    return ok({
      source,
      mainClass: main.name,
      root: project.root,
      command: buildCommand(project, initScript),
      project,
    });
  },
  built: async ({ source, mainClass, project }, artifact) => {
    const jar = await jarOf(project, artifact);
    if (jar === undefined) {
      const place = artifact ?? artifactGlobs[project.tool].join(", ");
      return failed(source, `no jar matches ${place}. Build the project, or set "artifact".`);
    }
    if (!hasClass(jar.path, mainClass)) {
      return failed(
        source,
        `${jar.path} has no class ${mainClass}. Build the project, or set "artifact".`,
      );
    }
    if (isWholeJar(jar.path)) return ok({ jar: jar.path, dependencies: [] });
    const classPath = artifact === undefined ? await classPathOf(project) : undefined;
    const needed =
      classPath?.filter((path) => !isScalaLibrary(path) && fileName(path) !== fileName(jar.path)) ??
      (await jarsOf(moduleOf(project), dependencyGlobs[project.tool])).map(({ path }) => path);
    // If the class path contains Spark, it also contains Spark's dependencies. The image has them, so leave them out.
    const own = needed.some(isSparkCore) ? needed.filter((path) => !isDistributed(path)) : needed;
    return ok({ jar: jar.path, dependencies: own.toSorted() });
  },
  classPathCommand: async ({ project }: JvmProgram, artifact) => {
    // An artifact that the profile names may be a fat jar with any file name.
    if (artifact !== undefined || mergesJars(project)) return undefined;
    const jar = await jarOf(project, artifact);
    if (jar === undefined || isWholeJar(jar.path)) return undefined;
    if ((await classPathOf(project)) !== undefined) return undefined;
    return classPathCommand(project, initScript);
  },
});

const moduleOf = ({ root, module }: JvmProject): string => join(root, module);

async function jarOf(
  project: JvmProject,
  artifact: string | undefined,
): Promise<BuiltJar | undefined> {
  return chooseJar(
    artifact === undefined
      ? await jarsOf(moduleOf(project), artifactGlobs[project.tool])
      : await jarsOf(project.root, [relativeTo(project.root, artifact)]),
  );
}

/** Returns the jars of the class path file that the build tool wrote; undefined if a build file is newer. */
async function classPathOf(project: JvmProject): Promise<readonly string[] | undefined> {
  const file = join(moduleOf(project), classPathFiles[project.tool]);
  if ((await modifiedMs(file)) < project.changedMs) return undefined;
  const text = await textOf(file);
  return text
    ?.trim()
    .split(delimiter)
    .filter((path) => isAbsolute(path) && path.endsWith(".jar"));
}

const failed = (path: string, detail: string): Result<never, CodeError> => err({ path, detail });

async function projectOf(source: string, root: string): Promise<JvmProject | undefined> {
  // Use the folder above `src` as the module, because sbt and Gradle may describe a module only in the root's build
  // file.
  const sources = /^(.*?)[/\\]src[/\\]/.exec(relative(root, source))?.[1];
  let module =
    sources === undefined || source.includes(`${root}${sep}src${sep}`)
      ? undefined
      : join(root, sources);
  let found: JvmProject | undefined;
  for (const folder of foldersAbove(source, root)) {
    const names = new Set(await readdir(folder).catch(() => []));
    const marks = [...buildToolFiles].filter(([name]) => names.has(name));
    // If a folder has build files of two tools, prefer the tool of the module found below it.
    const [name, tool] = marks.find(([, each]) => each === found?.tool) ?? marks[0] ?? [];
    if (name === undefined || tool === undefined) continue;
    if (found !== undefined && found.tool !== tool) break;
    module ??= folder;
    if (relative(folder, module).startsWith("..")) module = folder;
    const wrapper = wrappers[tool];
    found = {
      tool,
      root: folder,
      module: relative(folder, module).split(sep).join("/"),
      wrapper: names.has(wrapper) ? `./${wrapper}` : undefined,
      ...(await buildFiles(folder, names, name, found)),
    };
  }
  return found;
}

const wrappers = { maven: "mvnw", sbt: "sbtx", gradle: "gradlew" } as const;

/**
 * Returns the texts of a folder's main build file and `.sbt` files, and the newest modification time of all its build
 * files. Includes the texts and the time of `below`. `name`: the main build file. `names`: the entries of the folder.
 */
async function buildFiles(
  folder: string,
  names: Iterable<string>,
  name: string,
  below: JvmProject | undefined,
): Promise<Pick<JvmProject, "texts" | "changedMs">> {
  const others = [...names];
  for (const place of ["gradle", "project"]) {
    const inside = await readdir(join(folder, place)).catch(() => []);
    others.push(...inside.map((each) => `${place}/${each}`));
  }
  const files = [name, ...others.filter(isBuildFile)].map((file) => join(folder, file));
  const plugins = files.filter((file) => file.endsWith(".sbt"));
  const texts = await Promise.all([...new Set([join(folder, name), ...plugins])].map(textOf));
  return {
    texts: [...(below?.texts ?? []), ...texts.filter((text) => text !== undefined)],
    changedMs: Math.max(below?.changedMs ?? 0, ...(await Promise.all(files.map(modifiedMs)))),
  };
}

/**
 * Returns the folders from the file's folder up to the workspace folder, innermost first. Empty if the file is outside
 * it.
 */
function foldersAbove(source: string, root: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = dirname(source); ; folder = dirname(folder)) {
    const way = relative(root, folder);
    if (way.startsWith("..") || isAbsolute(way)) return folders;
    folders.push(folder);
    if (way === "") return folders;
  }
}

async function jarsOf(root: string, globs: readonly string[]): Promise<readonly BuiltJar[]> {
  const jars: BuiltJar[] = [];
  let left = maxEntries;
  const visit = async (folder: string, places: readonly GlobPlace[]): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if ((left -= 1) < 0) return;
      const next = places
        .map((place) => place.step(entry.name))
        .filter(({ isOver, isMatch }) => isMatch || !isOver);
      if (next.length === 0) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await visit(path, next);
      else if (entry.isFile() && path.endsWith(".jar") && next.some(({ isMatch }) => isMatch)) {
        const { mtimeMs } = await stat(path);
        jars.push({ path, modifiedMs: mtimeMs });
      }
    }
  };
  await visit(
    root,
    globs.map((glob) => compileGlob(glob).start),
  );
  return jars;
}

const relativeTo = (root: string, glob: string): string =>
  isAbsolute(glob) ? relative(root, glob).split(sep).join("/") : glob;

function hasClass(jar: string, mainClass: string): boolean {
  try {
    return readZipEntry(jar, `${mainClass.replaceAll(".", "/")}.class`) !== undefined;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

/** Returns the modification time in epoch ms; 0 if the file cannot be read. */
async function modifiedMs(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return 0;
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > maxBytes) return undefined;
    return await readFile(path, "utf8");
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
