import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, connect, type AddressInfo, type Socket } from "node:net";
import { describe, test } from "node:test";
import { jvmWatchdogText } from "../../../../src/spark/submit/debug/jvmWatchdog.ts";

const isLinux = process.platform === "linux";

/** Starts the watchdog with a program that replaces the JVM and listens on the port. */
async function watch(
  waitSeconds: number,
  jvmSeconds: number,
  env: Readonly<Record<string, string>>,
) {
  const received: Buffer[] = [];
  const server = createServer((socket: Socket) => {
    socket.on("data", (bytes) => received.push(bytes));
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const script = `${jvmWatchdogText(port, waitSeconds)}\nexec sleep ${jvmSeconds}\n`;
  const jvm = spawn("bash", ["--norc", "-c", script], {
    stdio: ["ignore", "inherit", "pipe"],
    env: { PATH: process.env["PATH"], ...env },
  });
  let said = "";
  jvm.stderr.on("data", (bytes: Buffer) => (said += bytes.toString()));
  const ended = once(jvm, "close").then(() => {
    server.close();
    return { sent: Buffer.concat(received), said };
  });
  return { port, ended };
}

const inDriver = { SPARK_DRIVER_BIND_ADDRESS: "10.0.0.1" };

describe("the watchdog of a JVM that waits for its debugger", { skip: !isLinux }, () => {
  test("sends VirtualMachine.Exit as a debugger would", async () => {
    const { ended } = await watch(1, 8, inDriver);
    const { sent, said } = await ended;
    assert.equal(sent.toString("latin1"), "JDWP-Handshake\0\0\0\x0f\0\0\0\x01\0\x01\x0a\0\0\0\x7c");
    assert.equal(said, "No debugger attached within 1 s. The driver ends with exit code 124.\n");
  });

  test("leaves when a debugger stays, and in executors", async () => {
    const { port, ended } = await watch(6, 8, inDriver);
    const socket = connect(port, "127.0.0.1");
    const other = await watch(1, 4, {});
    const [first, second] = await Promise.all([ended, other.ended]);
    socket.destroy();
    for (const { sent, said } of [first, second]) {
      assert.equal(sent.length, 0);
      assert.equal(said, "");
    }
  });
});
