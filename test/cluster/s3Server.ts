// A real S3 server on the loopback interface: rclone, built once from its Go module and kept in the cache folder.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface S3Server {
  readonly url: string;
  /** Its subfolders are the buckets, and their files are the objects. */
  readonly folder: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly processId: number;
  stop(): Promise<void>;
}

const version = "v1.75.1";

/** Serves `folder`. The first call builds the server, which takes minutes and needs the network. */
export async function startS3Server(folder: string): Promise<S3Server> {
  const program = await builtServer();
  const accessKey = "test-access";
  const secretKey = "test-secret/with+signs=";
  const options = ["serve", "s3", "--addr", "127.0.0.1:0", "--config", "/dev/null", folder];
  const child = spawn(program, options, {
    env: { ...process.env, RCLONE_AUTH_KEY: `"${accessKey},${secretKey}"` },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = once(child, "exit");
  return {
    url: await addressOf(child),
    folder,
    accessKey,
    secretKey,
    processId: child.pid ?? 0,
    stop: async () => {
      child.kill();
      await exited;
    },
  };
}

// Reads the server's address from its log.
async function addressOf({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error("the server has no log");
  const said: string[] = [];
  for await (const line of createInterface({ input: stderr })) {
    said.push(line);
    const [, address] = /Starting s3 server on \[(http:\/\/127\.0\.0\.1:\d+)\/?\]/.exec(line) ?? [];
    if (address !== undefined) {
      // If the pipe were closed, the server would end at its next log line.
      stderr.resume();
      return address;
    }
  }
  throw new Error(`the S3 server has ended: ${said.join("\n")}`);
}

const mainFile = `package main

import (
	_ "github.com/rclone/rclone/backend/local"
	"github.com/rclone/rclone/cmd"
	_ "github.com/rclone/rclone/cmd/serve/s3"
)

func main() { cmd.Main() }
`;

// Builds only the part of rclone that serves a local folder, without its storage clients.
async function builtServer(): Promise<string> {
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "spark-k8s-test");
  const program = join(cache, `s3-server-${version}`);
  if (await isThere(program)) return program;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "build-"));
  try {
    await writeFile(join(folder, "main.go"), mainFile);
    const requirement = `require github.com/rclone/rclone ${version}`;
    await writeFile(join(folder, "go.mod"), `module s3server\n\ngo 1.26\n\n${requirement}\n`);
    const build = spawn("go", ["build", "-mod=mod", "-ldflags=-s -w", "-o", "s3server", "."], {
      cwd: folder,
      env: { ...process.env, CGO_ENABLED: "0" },
      stdio: ["ignore", "inherit", "inherit"],
    });
    const ended: readonly unknown[] = await once(build, "exit");
    if (ended[0] !== 0) throw new Error("the S3 server could not be built: is Go 1.26 installed?");
    await rename(join(folder, "s3server"), program);
    return program;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}
