// How sbt, Maven and Gradle build a jar, and where they leave it.
import { fileName } from "../../fileName.ts";

export type BuildTool = "sbt" | "maven" | "gradle";

/** The files that mark the folder of a project or a module. */
export const buildToolFiles: ReadonlyMap<string, BuildTool> = new Map([
  ["pom.xml", "maven"],
  ["build.sbt", "sbt"],
  ["build.gradle", "gradle"],
  ["build.gradle.kts", "gradle"],
]);

/** A project as its files describe it. */
export interface JvmProject {
  readonly tool: BuildTool;
  /** Where the tool starts: the outermost folder with a build file of the tool. Absolute. */
  readonly root: string;
  /** The innermost one: the module of the program. Relative to `root` with `/`; empty if it is the root. */
  readonly module: string;
  /** The script of the project that starts the tool: `./mvnw`, `./gradlew`. Undefined: the tool of the PATH. */
  readonly wrapper: string | undefined;
  /** The texts of the build files and plugins. */
  readonly texts: readonly string[];
}

/** The command line that builds a jar, for the project's folder. A profile's `build` replaces it. */
export function buildCommand({ tool, module, wrapper, texts }: JvmProject): string {
  const names = (pattern: RegExp): boolean => texts.some((text) => pattern.test(text));
  switch (tool) {
    case "maven": {
      const one = module === "" ? "" : ` -pl ${quotedIfNeeded(module)} -am`;
      const goals = names(/maven-(?:shade|assembly)-plugin/)
        ? "package"
        : "package dependency:copy-dependencies -DincludeScope=runtime";
      return `${wrapper ?? "mvn"} -q -DskipTests ${goals}${one}`;
    }
    case "sbt":
      return `${wrapper ?? "sbt"} ${names(/\bsbt-assembly\b/) ? "assembly" : "package"}`;
    case "gradle": {
      const task = names(/\bshadow\b/i) ? "shadowJar" : "jar";
      const one = module === "" ? task : `:${module.replaceAll("/", ":")}:${task}`;
      return `${wrapper ?? "gradle"} -q ${one}`;
    }
  }
}

const quotedIfNeeded = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `"${path}"`);

/** Globs of the jars that the tool leaves in a module, relative to the module. */
export const artifactGlobs: Readonly<Record<BuildTool, readonly string[]>> = {
  maven: ["target/*.jar"],
  sbt: ["target/scala-*/*.jar", "target/out/jvm/**/*.jar", "target/*.jar"],
  gradle: ["build/libs/*.jar"],
};

/** Globs of the jars that a thin jar needs beside it. */
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

/** A jar that holds its dependencies, by its name. */
export const isWholeJar = (path: string): boolean => wholes.test(fileName(path));

/** The program's jar among those of a module: the newest, and of two from the same build the one with its dependencies. */
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
