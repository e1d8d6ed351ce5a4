import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import tls from "node:tls";

export type OpenTunnel = () => Promise<Socket>;

type OnConnection = (error: Error | null, stream: Duplex) => void;

/** An HTTP agent whose connections go through a tunnel. */
export class PlainTunnelAgent extends http.Agent {
  readonly #open: OpenTunnel;

  constructor(options: http.AgentOptions, open: OpenTunnel) {
    super(options);
    this.#open = open;
  }

  override createConnection(_options: http.ClientRequestArgs, callback?: OnConnection): undefined {
    pass(this.#open(), callback);
  }
}

/** An HTTPS agent with TLS inside the tunnel, so the proxy cannot read the traffic. */
export class SecureTunnelAgent extends https.Agent {
  readonly #open: OpenTunnel;

  constructor(options: https.AgentOptions, open: OpenTunnel) {
    super(options);
    this.#open = open;
  }

  override createConnection(options: https.RequestOptions, callback?: OnConnection): undefined {
    const { host, servername } = options;
    const secured = this.#open().then((socket) =>
      tls.connect({
        ...this.options,
        ...(typeof host === "string" && { host }),
        ...(servername !== undefined && { servername }),
        socket,
      }),
    );
    pass(secured, callback);
  }
}

function pass(connection: Promise<Duplex>, callback: OnConnection | undefined): void {
  connection.then(
    (stream) => {
      callback?.(null, stream);
    },
    (error: unknown) => {
      // The declared type requires a stream even on an error; Node ignores it.
      callback?.(error instanceof Error ? error : new Error(String(error)), new Duplex());
    },
  );
}
