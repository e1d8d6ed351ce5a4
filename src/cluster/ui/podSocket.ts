import http from "node:http";
import { Duplex } from "node:stream";
import type { Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { PodStream } from "../../engine/ports/channels.ts";

/** Thrown if the connection to the pod is refused or breaks. */
export class PodStreamFailed extends Error {
  override readonly name = "PodStreamFailed";
  readonly error: ClusterError;

  constructor(error: ClusterError) {
    super(error.detail);
    this.error = error;
  }
}

/** An HTTP agent whose connections are port-forward streams to a pod. */
export class PodAgent extends http.Agent {
  readonly #dial: () => Promise<Result<PodStream, ClusterError>>;

  constructor(dial: () => Promise<Result<PodStream, ClusterError>>) {
    // Browsers open at most six connections to one server.
    super({ keepAlive: true, maxSockets: 6, maxFreeSockets: 6 });
    this.#dial = dial;
  }

  override createConnection(
    _options: http.ClientRequestArgs,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const fail = (error: Error): void => callback?.(error, new Duplex());
    this.#dial().then(
      (dialed) => {
        if (dialed.ok) callback?.(null, new PodSocket(dialed.value));
        else fail(new PodStreamFailed(dialed.error));
      },
      (error: unknown) => {
        fail(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }
}

/** A pod stream as a duplex stream, with the socket methods that Node's HTTP client calls. */
class PodSocket extends Duplex {
  readonly connecting = false;
  readonly #stream: PodStream;
  readonly #items: AsyncIterator<unknown>;

  constructor(stream: PodStream) {
    super({ allowHalfOpen: false });
    this.#stream = stream;
    this.#items = this.#bytes();
  }

  setKeepAlive(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setTimeout(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  async *#bytes(): AsyncGenerator<Uint8Array> {
    for await (const item of this.#stream.items) {
      if (item.kind === "failed") throw new PodStreamFailed(item.error);
      yield item.bytes;
    }
  }

  override _read(): void {
    this.#items.next().then(
      ({ done, value }) => {
        this.push(done === true ? null : value);
      },
      (error: unknown) => {
        this.destroy(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    const drained = this.#stream.write(chunk);
    if (drained === undefined) done();
    else {
      drained.then(
        () => {
          done();
        },
        (error: unknown) => {
          done(error instanceof Error ? error : new Error(String(error)));
        },
      );
    }
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#stream.dispose();
    done(error);
  }
}
