import { exec } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { promisify } from "node:util";
import { parse, stringify } from "yaml";

/** The fields of a kubeconfig that `relayApiServer` reads and changes. */
interface Kubeconfig {
  readonly clusters: readonly {
    readonly cluster: { server: string; "tls-server-name"?: string };
  }[];
}

/** An API server that a test can disconnect and reconnect, and the path of a kubeconfig for it. */
export interface ApiOutage {
  readonly kubeconfig: string;
  /** Cuts all open connections and refuses new ones. Then waits for the restart, if there is a command for it. */
  begin(): Promise<void>;
  /** Accepts connections again. */
  end(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a relay between the extension and the API server. While the relay is closed, connections are cut and new ones
 * refused, as if the server were down. `restart` is a shell command that restarts the server while the relay is closed;
 * if undefined, the server keeps running.
 */
export async function relayApiServer(
  kubeconfig: string,
  folder: string,
  restart: string | undefined,
): Promise<ApiOutage> {
  const config = parse(await readFile(kubeconfig, "utf8")) as Kubeconfig;
  const [named] = config.clusters;
  if (named === undefined) throw new Error(`${kubeconfig} names no cluster`);
  const { hostname, port } = new URL(named.cluster.server);
  const relay = new Relay(hostname, Number(port === "" ? 443 : port));
  const ownPort = await relay.listen(0);
  named.cluster.server = `https://127.0.0.1:${ownPort}`;
  // The certificate is valid for the server's name, not for the relay's address.
  named.cluster["tls-server-name"] = hostname;
  const file = `${folder}/kubeconfig`;
  await writeFile(file, stringify(config), { mode: 0o600 });
  return {
    kubeconfig: file,
    begin: async () => {
      await relay.close();
      if (restart !== undefined) await promisify(exec)(restart);
    },
    end: async () => {
      await relay.listen(ownPort);
    },
    close: () => relay.close(),
  };
}

class Relay {
  readonly #host: string;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;

  constructor(host: string, port: number) {
    this.#host = host;
    this.#port = port;
  }

  async listen(port: number): Promise<number> {
    const server = createServer((inward) => {
      const outward = connect(this.#port, this.#host);
      for (const [socket, other] of [
        [inward, outward],
        [outward, inward],
      ] as const) {
        this.#sockets.add(socket);
        socket.on("error", () => other.destroy());
        socket.on("close", () => {
          this.#sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
    this.#server = server;
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return address.port;
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = once(server, "close");
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
