import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import type { CodeError, JvmPrograms } from "../../engine/ports/files.ts";
import { systemCode } from "../../io/systemCode.ts";
import { compileGlob, type GlobPlace } from "../../spark/submit/code/pathGlob.ts";
import {
  artifactGlobs,
  buildCommand,
  buildToolFiles,
  chooseJar,
  dependencyGlobs,
  isWholeJar,
  type BuiltJar,
  type JvmProject,
} from "../../spark/submit/jvm/jvmBuild.ts";
import { isDistributed, isSparkCore } from "../../spark/submit/jvm/sparkJars.ts";
import { jvmLanguageOf, mainClassIn } from "../../spark/submit/jvm/mainClass.ts";
import { readZipEntry } from "../zipEntry.ts";

const maxBytes = 1 << 20;
const maxEntries = 20_000;

/** Finds the project of a Scala or Java program on the local disk, and the jar that its build left. */
export const jvmPrograms: JvmPrograms = {
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
      return failed(source, `no folder above it has a build file (${names}).`);
    }
    return ok({
      source,
      mainClass: main.name,
      root: project.root,
      command: buildCommand(project),
      project,
    });
  },
  built: async ({ source, mainClass, project }, artifact) => {
    const module = join(project.root, project.module);
    const jars =
      artifact === undefined
        ? await jarsOf(module, artifactGlobs[project.tool])
        : await jarsOf(project.root, [relativeTo(project.root, artifact)]);
    const jar = chooseJar(jars);
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
    const beside = isWholeJar(jar.path)
      ? []
      : (await jarsOf(module, dependencyGlobs[project.tool])).map(({ path }) => path);
    // A folder with Spark has all that Spark needs, which the image has, too.
    const own = beside.some(isSparkCore) ? beside.filter((path) => !isDistributed(path)) : beside;
    return ok({ jar: jar.path, dependencies: own.toSorted() });
  },
};

const failed = (path: string, detail: string): Result<never, CodeError> => err({ path, detail });

async function projectOf(source: string, root: string): Promise<JvmProject | undefined> {
  // sbt and Gradle describe modules in the build file of the root, too.
  const sources = /^(.*?)[/\\]src[/\\]/.exec(relative(root, source))?.[1];
  let module =
    sources === undefined || source.includes(`${root}${sep}src${sep}`)
      ? undefined
      : join(root, sources);
  let found: JvmProject | undefined;
  for (const folder of foldersAbove(source, root)) {
    const names = new Set(await readdir(folder).catch(() => []));
    const marks = [...buildToolFiles].filter(([name]) => names.has(name));
    // A folder with two build files belongs to the tool of the module below.
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
      texts: [...(found?.texts ?? []), ...(await buildTexts(folder, name))],
    };
  }
  return found;
}

const wrappers = { maven: "mvnw", sbt: "sbtx", gradle: "gradlew" } as const;

async function buildTexts(folder: string, name: string): Promise<readonly string[]> {
  const plugins = (await readdir(join(folder, "project")).catch(() => []))
    .filter((file) => file.endsWith(".sbt"))
    .map((file) => join(folder, "project", file));
  const texts = await Promise.all([join(folder, name), ...plugins].map(textOf));
  return texts.filter((text) => text !== undefined);
}

/** From the file's folder to the workspace folder. */
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

async function textOf(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > maxBytes) return undefined;
    return await readFile(path, "utf8");
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
