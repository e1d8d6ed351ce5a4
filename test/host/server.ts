// The VS Code server, as a child process that cannot outlive this program (see guard.ts).
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { kitFolder, node22, serverMain, type VersionName } from "./places.ts";

export interface Server {
  readonly port: number;
  log(): string;
  /** Stops the server with all its descendants, and deletes its folder. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly version: VersionName;
  /** The folder of all files that the server writes: settings, extensions, logs. */
  readonly folder: string;
  readonly port: number | undefined;
  /** `ask`: workspace trust prompts as for users. `off`: every workspace is trusted. */
  readonly trust: "off" | "ask";
  /** True if the page may load extensions in development. VS Code then shows no notifications of its own. */
  readonly development: boolean;
  readonly env: Readonly<Record<string, string>>;
}

export async function startServer(options: ServerOptions): Promise<Server> {
  const port = options.port ?? (await freePort());
  const parameters = [
    ...["--host", "127.0.0.1", "--port", String(port), "--without-connection-token"],
    ...["--telemetry-level", "off", "--server-data-dir", options.folder],
    "--accept-server-license-terms",
    ...(options.trust === "off" ? ["--disable-workspace-trust"] : []),
    ...(options.development ? ["--enable-smoke-test-driver"] : []),
  ];
  const guard = join(kitFolder, "../guard.ts");
  const main = serverMain(options.version);
  // Inside the folder, so that sockets and other temporary files are deleted with it.
  const temporary = join(options.folder, "tmp");
  await mkdir(temporary, { recursive: true });
  // A separate process group: Ctrl+C in a terminal reaches only this program, which then stops the server cleanly.
  const child = spawn(node22, [guard, options.folder, node22, main, ...parameters], {
    env: { ...options.env, TMPDIR: temporary },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const exited = once(child, "exit");
  let log = "";
  const started = new Promise<boolean>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        log += text;
        if (log.includes("Extension host agent started")) resolve(true);
      });
    }
    void exited.then(() => {
      resolve(false);
    });
    setTimeout(resolve, 30_000, false).unref();
  });
  const stop = async (): Promise<void> => {
    child.stdin.destroy();
    await exited;
  };
  if (!(await started)) {
    await stop();
    throw new Error(`VS Code (${options.version}) did not start:\n${log}`);
  }
  return { port, log: () => log, stop };
}

export async function installVsix(
  version: VersionName,
  folder: string,
  vsix: string,
): Promise<void> {
  const parameters = ["--server-data-dir", folder, "--accept-server-license-terms"];
  await promisify(execFile)(node22, [
    serverMain(version),
    ...parameters,
    "--install-extension",
    vsix,
  ]);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("no port to listen on");
  return address.port;
}
