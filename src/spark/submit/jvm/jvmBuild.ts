// The build commands of sbt, Maven and Gradle, and the places of the jars that they build.
import { fileName } from "../../fileName.ts";

export type BuildTool = "sbt" | "maven" | "gradle";

/** Build tools by the file that marks the folder of a project or a module. */
export const buildToolFiles: ReadonlyMap<string, BuildTool> = new Map([
  ["pom.xml", "maven"],
  ["build.sbt", "sbt"],
  ["build.gradle", "gradle"],
  ["build.gradle.kts", "gradle"],
]);

/** True for a build file that is not in `buildToolFiles`, but can change the dependencies of a project. */
export const isBuildFile = (path: string): boolean =>
  /(?:^|\/)(?:gradle\.properties|settings\.gradle(?:\.kts)?|gradle\/[\w.-]+\.toml|project\/[\w.-]+\.(?:sbt|scala|properties))$/.test(
    path,
  );

/** A project, as read from its build files. */
export interface JvmProject {
  readonly tool: BuildTool;
  /** The outermost folder with a build file of the tool, where the tool starts. Absolute. */
  readonly root: string;
  /**
   * The innermost folder with a build file: the program's module. Relative to `root` with `/`; empty if it is the root.
   */
  readonly module: string;
  /** The project's own script that starts the tool: `./mvnw`, `./gradlew`. Undefined: the tool of the PATH. */
  readonly wrapper: string | undefined;
  /** The texts of the main build files and, for sbt, of the files that declare plugins. */
  readonly texts: readonly string[];
  /** The last change of a build file in the module or in a folder above it, in epoch milliseconds. */
  readonly changedMs: number;
}

// Plugins that merge a program and its dependencies into one jar.
const mergingPlugins: Readonly<Record<BuildTool, RegExp>> = {
  maven: /maven-(?:shade|assembly)-plugin/,
  sbt: /\bsbt-assembly\b/,
  gradle: /\bshadow\b/i,
};

/** True if the build of the project can merge the dependencies into the jar. */
export const mergesJars = ({ tool, texts }: JvmProject): boolean =>
  texts.some((text) => mergingPlugins[tool].test(text));

/**
 * Returns the command line that builds a jar. The command runs in the project's folder; a profile's `build` replaces
 * it. For a thin jar the tool also writes the class path file. `initScript`: the path of Gradle's script with the task
 * that writes this file.
 */
export function buildCommand(project: JvmProject, initScript: string): string {
  const { tool, module } = project;
  const isThin = !mergesJars(project);
  switch (tool) {
    case "maven": {
      const one = module === "" ? "" : ` -pl ${quotedIfNeeded(module)} -am`;
      // PowerShell splits an unquoted option at its dot.
      const classPath = `dependency:build-classpath -DincludeScope=runtime "-Dmdep.outputFile=${classPathFiles.maven}"`;
      return `${startOf(project)} -q -DskipTests package${isThin ? ` ${classPath}` : ""}${one}`;
    }
    case "sbt":
      return `${startOf(project)} ${isThin ? `package ${sbtClassPath}` : "assembly"}`;
    case "gradle":
      return isThin
        ? gradleCommand(project, ["jar", gradleClassPath], initScript)
        : gradleCommand(project, ["shadowJar"], undefined);
  }
}

/**
 * Returns the command line that only writes the class path file. Undefined for Maven: it would have to build the jar
 * again for the class path of a module.
 */
export function classPathCommand(project: JvmProject, initScript: string): string | undefined {
  switch (project.tool) {
    case "maven":
      return undefined;
    case "sbt":
      return `${startOf(project)} ${sbtClassPath}`;
    case "gradle":
      return gradleCommand(project, [gradleClassPath], initScript);
  }
}

// `fullClasspathAsJars` lists the modules of the build as jars, `fullClasspath` as folders. The former needs sbt 1.1 or
// later.
const sbtClassPath = "Runtime/fullClasspathAsJars";
const gradleClassPath = "sparkClassPath";

const startOf = ({ tool, wrapper }: JvmProject): string =>
  wrapper ?? (tool === "maven" ? "mvn" : tool);

function gradleCommand(
  project: JvmProject,
  taskNames: readonly string[],
  initScript: string | undefined,
): string {
  const { module } = project;
  const prefix = module === "" ? "" : `:${module.replaceAll("/", ":")}:`;
  const script = initScript === undefined ? [] : ["--init-script", quotedIfNeeded(initScript)];
  const names = taskNames.map((name) => quotedIfNeeded(`${prefix}${name}`));
  return [startOf(project), "-q", ...script, ...names].join(" ");
}

const quotedIfNeeded = (path: string): string => (/^[\w./:-]+$/.test(path) ? path : `"${path}"`);

/** Globs of the jars that the tool leaves in a module, relative to the module. */
export const artifactGlobs: Readonly<Record<BuildTool, readonly string[]>> = {
  maven: ["target/*.jar"],
  sbt: ["target/scala-*/*.jar", "target/out/jvm/**/*.jar", "target/*.jar"],
  gradle: ["build/libs/*.jar"],
};

/**
 * The file with the run-time class path that the tool writes, relative to the module. The platform's separator (`:` or
 * `;`) separates the entries. sbt writes the result of the task `Runtime/fullClasspathAsJars` to this file.
 */
export const classPathFiles: Readonly<Record<BuildTool, string>> = {
  maven: "target/sparkClassPath.txt",
  sbt: "target/streams/runtime/fullClasspathAsJars/_global/streams/export",
  gradle: "build/tmp/sparkClassPath/classPath.txt",
};

/** Globs of the jars that a thin jar needs, for a project whose class path is unknown. */
export const dependencyGlobs: Readonly<Record<BuildTool, readonly string[]>> = {
  maven: ["target/dependency/*.jar", "target/lib/*.jar"],
  sbt: ["lib/*.jar", "target/pack/lib/*.jar"],
  gradle: ["libs/*.jar", "build/dependencies/*.jar"],
};

export interface BuiltJar {
  readonly path: string;
  readonly modifiedMs: number;
}

const notPrograms = /(?:^original-|-(?:sources|javadoc|tests|test-sources|test-fixtures)\.jar$)/;
const wholes = /-(?:assembly|all|fat|uber|shaded|jar-with-dependencies)(?=[-.])/;

/** True if the jar contains its dependencies, judged by its name. */
export const isWholeJar = (path: string): boolean => wholes.test(fileName(path));

/**
 * Returns the newest program jar of a module. Among the jars that are less than two minutes older, which are probably
 * of the same build, prefers one with dependencies. Undefined if there is none.
 */
export function chooseJar(jars: readonly BuiltJar[]): BuiltJar | undefined {
  const programs = jars.filter(({ path }) => !notPrograms.test(fileName(path)));
  const newest = Math.max(...programs.map(({ modifiedMs }) => modifiedMs));
  const recent = programs.filter(({ modifiedMs }) => newest - modifiedMs < sameBuildMs);
  return recent.toSorted(
    (a, b) =>
      Number(isWholeJar(b.path)) - Number(isWholeJar(a.path)) || b.modifiedMs - a.modifiedMs,
  )[0];
}

const sameBuildMs = 120_000;
