import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

interface DesktopOptions {
  /** The extension folder. */
  readonly root: string;
  /** Folder of a separate VS Code profile, so the user's own settings stay unchanged. */
  readonly data: string;
  readonly workspace: string;
  readonly environment: NodeJS.ProcessEnv;
}

export function hasDesktop(): boolean {
  const hasScreen =
    process.platform !== "linux" ||
    process.env["DISPLAY"] !== undefined ||
    process.env["WAYLAND_DISPLAY"] !== undefined;
  return hasScreen && isOnPath(process.platform === "win32" ? "code.cmd" : "code");
}

/** Opens a VS Code window. Resolves with the exit code when the window closes. */
export function openDesktop(options: DesktopOptions): Promise<number> {
  const { root, data, workspace, environment } = options;
  const parameters = [
    `--extensionDevelopmentPath=${root}`,
    ...["--user-data-dir", data, "--extensions-dir", join(data, "extensions")],
    ...["--new-window", "--wait", workspace],
  ];
  return new Promise((resolve, reject) => {
    // On Windows, `code` is a script, and only a shell starts scripts.
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
