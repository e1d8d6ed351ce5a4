// Finds Java and Python on this machine. Containers get the real executables: launchers such as pyenv read their
// configuration from a home folder that containers do not have.
import { execFile } from "node:child_process";
import { isAbsolute } from "node:path";
import { promisify } from "node:util";
import { neutralFolder, programOnPath, type Variables } from "./programEnvironment.ts";

export interface MachinePrograms {
  readonly javaHome: string | undefined;
  /** Absolute path of the interpreter. */
  readonly python: string | undefined;
}

export interface ProgramChoice {
  /** Folder of Java; undefined to use JAVA_HOME of the environment or the `java` on the PATH. */
  readonly javaHome: string | undefined;
  /** Python interpreter; undefined to use the `python3` on the PATH. */
  readonly python: string | undefined;
}

const timeoutMs = 20_000;
const run = promisify(execFile);

export async function findPrograms(
  choice: ProgramChoice,
  environment: Variables,
): Promise<MachinePrograms> {
  const [javaHome, python] = await Promise.all([
    choice.javaHome ?? askJava(environment),
    askPython(choice.python ?? programOnPath("python3", environment), environment),
  ]);
  return { javaHome, python };
}

async function askJava(environment: Variables): Promise<string | undefined> {
  const fromEnvironment = environment["JAVA_HOME"];
  if (fromEnvironment !== undefined && isAbsolute(fromEnvironment)) return fromEnvironment;
  const java = programOnPath("java", environment);
  const options = ["-XshowSettings:properties", "-version"];
  const asked = java && (await answer(java, options, environment));
  return /^\s*java\.home = (.+)$/m.exec(asked ?? "")?.[1]?.trim();
}

async function askPython(
  python: string | undefined,
  environment: Variables,
): Promise<string | undefined> {
  const asked =
    python && (await askIsolated(python, "import sys; print(sys.executable)", environment));
  return asked === "" ? undefined : asked;
}

/**
 * Returns the trimmed output of a Python program; undefined if it fails or takes more than 20 s. Python runs in
 * isolated mode (`-I`): it loads no code from the working directory, PYTHONPATH or the user's packages.
 */
export const askIsolated = async (
  python: string,
  program: string,
  environment: Variables,
): Promise<string | undefined> =>
  (await answer(python, ["-I", "-c", program], environment))?.trim();

async function answer(
  program: string,
  args: readonly string[],
  environment: Variables,
): Promise<string | undefined> {
  try {
    const options = { timeout: timeoutMs, cwd: neutralFolder, env: { ...environment } };
    const { stdout, stderr } = await run(program, args, options);
    return stdout + stderr;
  } catch {
    // The program is missing, failed or timed out. Launchers, such as pyenv's, fail without an installed version.
    return undefined;
  }
}
