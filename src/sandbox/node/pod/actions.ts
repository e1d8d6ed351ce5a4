// Actions of hooks and probes: exec, httpGet, tcpSocket and sleep.
import { connect } from "node:net";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { fieldsOf, itemsOf, numberOf, textOf, type Fields } from "../../../base/json.ts";
import { findProgram, type LocalRun, type ProgramStart } from "../run/localRun.ts";
import type { ContainerSpec } from "../spec/podSpec.ts";

/** The container in which an action runs. */
interface ActionPlace {
  readonly spec: ContainerSpec;
  inside(command: readonly string[]): { run: LocalRun; start: ProgramStart } | undefined;
}

/**
 * Runs an action. Returns undefined on success, else a message like the kubelet's. An abort counts as a failure.
 * Never rejects.
 */
export async function runAction(
  action: Fields,
  place: ActionPlace,
  podAddress: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    if (action["exec"] !== undefined) {
      return await runCommand(
        itemsOf(fieldsOf(action["exec"])["command"]).map(String),
        place,
        signal,
      );
    }
    if (action["httpGet"] !== undefined)
      return await askPage(fieldsOf(action["httpGet"]), podAddress, signal);
    if (action["tcpSocket"] !== undefined)
      return await knock(fieldsOf(action["tcpSocket"]), podAddress, signal);
    const seconds = numberOf(fieldsOf(action["sleep"])["seconds"]) ?? 0;
    await sleep(seconds * 1000, undefined, { signal, ref: false });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function runCommand(
  command: readonly string[],
  place: ActionPlace,
  signal: AbortSignal,
): Promise<string | undefined> {
  const inside = place.inside(command);
  // A simulated container has no processes, so its exec actions succeed.
  if (inside === undefined) return undefined;
  if ((await findProgram(inside.start)) === undefined) return `"${command[0] ?? ""}" was not found`;
  const child = inside.run.start(inside.start);
  child.stdin?.end();
  let output = "";
  const read = (chunk: Buffer): void => {
    output = (output + chunk.toString("utf8")).slice(0, 1024);
  };
  child.stdout?.on("data", read);
  child.stderr?.on("data", read);
  const end = (): void => void inside.run.end(child);
  signal.addEventListener("abort", end, { once: true });
  const [code] = (await once(child, "close")) as [number | null];
  signal.removeEventListener("abort", end);
  return code === 0 ? undefined : output.trim() || `command ended with ${String(code)}`;
}

function askPage(
  action: Fields,
  podAddress: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const isSecure = action["scheme"] === "HTTPS";
  const headers = itemsOf(action["httpHeaders"]).map((header) => {
    const { name, value } = fieldsOf(header);
    return [textOf(name) ?? "", textOf(value) ?? ""] as const;
  });
  const options = {
    host: textOf(action["host"]) ?? podAddress,
    port: numberOf(action["port"]) ?? 80,
    path: textOf(action["path"]) ?? "/",
    headers: Object.fromEntries(headers),
    signal,
    // A kubelet does not verify certificates either.
    rejectUnauthorized: false,
  };
  return new Promise((resolve) => {
    const asked = (isSecure ? httpsRequest : httpRequest)(options, (response) => {
      response.resume();
      const { statusCode = 0 } = response;
      resolve(
        statusCode >= 200 && statusCode < 400
          ? undefined
          : `HTTP probe failed with statuscode: ${statusCode}`,
      );
    });
    asked.once("error", (error) => {
      resolve(error.message);
    });
    asked.end();
  });
}

function knock(
  action: Fields,
  podAddress: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({
      host: textOf(action["host"]) ?? podAddress,
      port: numberOf(action["port"]) ?? 0,
      signal,
    });
    socket.once("connect", () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.once("error", (error) => {
      resolve(error.message);
    });
  });
}
