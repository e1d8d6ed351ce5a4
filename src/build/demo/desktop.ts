import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

export interface DesktopOptions {
  /** The extension's folder. */
  readonly root: string;
  /** A profile of its own: what the user's VS Code has set up stays as it is. */
  readonly data: string;
  readonly workspace: string;
  readonly environment: NodeJS.ProcessEnv;
}

export function hasDesktop(): boolean {
  const screen =
    process.platform !== "linux" ||
    process.env["DISPLAY"] !== undefined ||
    process.env["WAYLAND_DISPLAY"] !== undefined;
  return screen && isOnPath(process.platform === "win32" ? "code.cmd" : "code");
}

/** Gives the exit code once its window has been closed. */
export function openDesktop(options: DesktopOptions): Promise<number> {
  const { root, data, workspace, environment } = options;
  const parameters = [
    `--extensionDevelopmentPath=${root}`,
    ...["--user-data-dir", data, "--extensions-dir", join(data, "extensions")],
    ...["--new-window", "--wait", workspace],
  ];
  return new Promise((resolve, reject) => {
    // On Windows, `code` is a script.
    const shell = process.platform === "win32";
    const child = spawn("code", parameters, { stdio: "inherit", env: environment, shell });
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      resolve(code ?? (signal === "SIGINT" ? 0 : 1));
    });
  });
}

function isOnPath(name: string): boolean {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
