// Java and Python of this machine, asked once, so that containers get the programs and not somebody's launchers,
// which look for their versions in a home that containers do not have.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

export interface MachinePrograms {
  readonly javaHome: string | undefined;
  /** The interpreter itself. */
  readonly python: string | undefined;
}

export interface ProgramChoice {
  /** A home of Java to take instead of the one on the PATH. */
  readonly javaHome: string | undefined;
  /** An interpreter to take instead of `python3` on the PATH. */
  readonly python: string | undefined;
}

const patienceMs = 20_000;
const run = promisify(execFile);

export async function findPrograms(choice: ProgramChoice): Promise<MachinePrograms> {
  const [javaHome, python] = await Promise.all([
    choice.javaHome ?? askJava(),
    askPython(choice.python ?? "python3"),
  ]);
  return { javaHome, python };
}

async function askJava(): Promise<string | undefined> {
  const fromEnvironment = process.env["JAVA_HOME"];
  if (fromEnvironment !== undefined && fromEnvironment !== "") return fromEnvironment;
  const asked = await answer("java", ["-XshowSettings:properties", "-version"]);
  return /^\s*java\.home = (.+)$/m.exec(asked ?? "")?.[1]?.trim();
}

async function askPython(python: string): Promise<string | undefined> {
  const path = (await answer(python, ["-c", "import sys; print(sys.executable)"]))?.trim();
  return path === "" ? undefined : path;
}

async function answer(program: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await run(program, args, { timeout: patienceMs });
    return stdout + stderr;
  } catch {
    // Not installed, or a launcher that has nothing to launch: both mean that there is none.
    return undefined;
  }
}
