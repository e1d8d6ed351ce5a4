import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { textsOf } from "../../base/json.ts";
import type { Result } from "../../base/result.ts";
import type { PodPageAnswer } from "../../engine/ports/channels.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import type { UiProblem, UiProxy, UiRequest } from "../../engine/ports/driverUi.ts";
import { deadline } from "../../io/deadline.ts";
import { drained } from "../../io/drained.ts";
import { BodyLost, readAll } from "../../io/http/body.ts";
import { inflated } from "../../io/http/inflated.ts";
import {
  isOwnHost,
  judgePage,
  pagePolicy,
  requestHeaders,
  responseHeaders,
  rewriteHtml,
  type PageRequest,
  type PageRoots,
} from "../../spark/ui/pageRules.ts";
import { UiWays } from "./uiWays.ts";

/** Serves one driver's UI on 127.0.0.1. `spark/ui/pageRules.ts` decides which requests and headers pass. */
export async function serveUi(request: UiRequest, clock: Clock): Promise<UiProxy> {
  const secret = randomBytes(16).toString("hex");
  const root = `/${secret}`;
  const ways = new UiWays(request, clock);
  const hosts = new Set<string>();
  const server = createServer({ maxHeaderSize: 16_384 }, (asked, answer) => {
    asked.on("error", () => undefined);
    answer.on("error", () => undefined);
    const { port } = server.address() as AddressInfo;
    if (!isOwnHost(asked.headers.host, port, hosts)) {
      refuse(answer, 421);
      return;
    }
    const path = pathBelow(asked.url ?? "", root);
    if (path === undefined) {
      refuse(answer, 404);
      return;
    }
    new Exchanged(asked, answer, { request, ways, root, clock })
      .serve(path)
      .catch((error: unknown) => {
        request.log(`Spark UI: ${error instanceof Error ? error.message : String(error)}`);
        answer.destroy();
      });
  });
  server.maxConnections = maxConnections;
  // Refuse upgrades: pages use no WebSocket, and without a listener Node would treat an upgrade as a plain request.
  server.on("upgrade", (_asked, socket) => {
    socket.on("error", () => undefined);
    socket.end("HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
  });
  server.listen({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    ...{ port, root },
    get way() {
      return ways.way;
    },
    accept: (authority) => {
      hosts.add(authority.toLowerCase());
    },
    dispose: () => {
      server.close();
      server.closeAllConnections();
      ways.dispose();
    },
  };
}

const maxConnections = 64;
/** Size limit of an HTML page in bytes. Spark shows 100 rows of a table; a thread dump has 1 MB. */
const largestHtml = 32 << 20;
const largestForm = 4_096;
/**
 * Limits for reading a response after the browser has disconnected. It is still read, because a driver otherwise logs a
 * stack trace.
 */
const drainBytes = 64 << 20;
const drainMs = 60_000;

/** Returns the path below the secret; undefined if the URL has another secret. Compares in constant time. */
function pathBelow(url: string, root: string): string | undefined {
  const given = Buffer.alloc(root.length);
  given.write(url.slice(0, root.length), "latin1");
  if (!timingSafeEqual(given, Buffer.from(root, "latin1"))) return undefined;
  const rest = url.slice(root.length);
  if (rest === "") return "/";
  return rest.startsWith("/") ? rest : undefined;
}

interface ExchangeOptions {
  readonly request: UiRequest;
  readonly ways: UiWays;
  readonly root: string;
  readonly clock: Clock;
}

/** One request of the browser and its response. */
class Exchanged {
  readonly #asked: IncomingMessage;
  readonly #answer: ServerResponse;
  readonly #options: ExchangeOptions;

  constructor(asked: IncomingMessage, answer: ServerResponse, options: ExchangeOptions) {
    this.#asked = asked;
    this.#answer = answer;
    this.#options = options;
  }

  async serve(path: string): Promise<void> {
    const { request, ways, root } = this.#options;
    const method = this.#asked.method ?? "";
    // Refuse service workers: a worker stays in the browser and would intercept requests to the next program on this
    // port.
    if (this.#asked.headers["service-worker"] !== undefined) {
      refuse(this.#answer, 403);
      return;
    }
    const form = method === "POST" ? await this.#form() : "";
    if (form === undefined) {
      refuse(this.#answer, 413);
      return;
    }
    const judged = judgePage(method, withFormId(path, form));
    if (judged.kind === "refused") {
      refuse(this.#answer, judged.status);
      return;
    }
    if (judged.kind === "kill" && !(await this.#mayKill(judged))) {
      this.#redirect(`${root}${path.startsWith("/stages") ? "/stages/" : "/jobs/"}`);
      return;
    }
    const sent = {
      method: method as "GET" | "HEAD" | "POST",
      path,
      headers: requestHeaders(textsOf(this.#asked.headers), root),
      body:
        method === "POST"
          ? { contentType: "application/x-www-form-urlencoded", text: form }
          : undefined,
    };
    // No abort signal: if the browser disconnects, the response is still read to its end.
    const answered: Result<PodPageAnswer, UiProblem> = await ways.send(
      sent,
      new AbortController().signal,
    );
    if (!answered.ok) {
      this.#showProblem(await request.explain(answered.error), answered.error);
      return;
    }
    try {
      await this.#pass(answered.value);
    } finally {
      answered.value.close();
    }
  }

  async #mayKill({ target }: Extract<PageRequest, { kind: "kill" }>): Promise<boolean> {
    // Only a page of this proxy may request a kill. For links on other sites and typed URLs, browsers send another
    // `Sec-Fetch-Site`. Browsers that do not send the header are allowed.
    const site = this.#asked.headers["sec-fetch-site"];
    if (site !== undefined && site !== "same-origin") return false;
    return this.#options.request.mayKill(target);
  }

  async #pass(page: PodPageAnswer): Promise<void> {
    const { request, root } = this.#options;
    const roots: PageRoots = { root, apiPrefix: page.prefix, hosts: [page.host.toLowerCase()] };
    const headers = responseHeaders(page.headers, roots);
    if (headers === undefined) {
      const problem: UiProblem = { kind: "elsewhere" };
      this.#showProblem(await request.explain(problem), problem);
      await this.#drain(page);
      return;
    }
    const isHtml = /^text\/html\b/i.test(page.headers["content-type"] ?? "");
    if (page.prefix !== undefined && isHtml && this.#asked.method !== "HEAD") {
      await this.#passRewritten(page, headers, roots);
      return;
    }
    this.#answer.writeHead(page.status, { ...headers });
    await this.#stream(page);
  }

  async #stream(page: PodPageAnswer): Promise<void> {
    const answer = this.#answer;
    const drain = new Drain(this.#options.clock, page);
    try {
      for await (const chunk of page.chunks) {
        if (answer.destroyed) {
          if (!drain.take(chunk)) return;
        } else if (!answer.write(chunk)) await drained(answer as never);
      }
      answer.end();
    } catch (error) {
      this.#options.request.log(`Spark UI: ${String(error)}`);
      answer.destroy();
    } finally {
      drain.dispose();
    }
  }

  async #drain(page: PodPageAnswer): Promise<void> {
    const drain = new Drain(this.#options.clock, page);
    try {
      for await (const chunk of page.chunks) if (!drain.take(chunk)) return;
    } catch {
      // The connection is lost, so nothing is left to read.
    } finally {
      drain.dispose();
    }
  }

  async #passRewritten(
    page: PodPageAnswer,
    headers: Readonly<Record<string, string>>,
    roots: PageRoots,
  ): Promise<void> {
    const { "content-encoding": encoding, ...others } = headers;
    let html: Buffer | undefined;
    try {
      const chunks = page.chunks as AsyncIterable<Buffer>;
      html = await readAll(inflated(chunks, encoding), largestHtml);
    } catch (error) {
      if (!(error instanceof BodyLost) && !(error instanceof Error)) throw error;
      this.#answer.destroy();
      return;
    }
    if (html === undefined) {
      refuse(this.#answer, 502);
      return;
    }
    const text = rewriteHtml(html.toString(), roots);
    this.#answer.writeHead(page.status, {
      ...others,
      "content-length": String(Buffer.byteLength(text)),
    });
    this.#answer.end(text);
  }

  /** Reads the form in the request body. Returns undefined if it is too long. */
  async #form(): Promise<string | undefined> {
    const body = await readAll(this.#asked, largestForm);
    return body?.toString();
  }

  #redirect(location: string): void {
    this.#answer.writeHead(303, { location, "content-length": "0" });
    this.#answer.end();
  }

  /** Sends an error page that reloads every few seconds, so that the UI appears soon after the driver listens. */
  #showProblem(text: string, problem: UiProblem): void {
    const seconds = problem.kind === "notListening" ? 2 : 10;
    const html = problemPage(text);
    this.#answer.writeHead(problem.kind === "notListening" ? 503 : 502, {
      "content-type": "text/html; charset=utf-8",
      "content-length": String(Buffer.byteLength(html)),
      "content-security-policy": pagePolicy,
      "cache-control": "no-store",
      "referrer-policy": "same-origin",
      refresh: String(seconds),
    });
    this.#answer.end(html);
  }
}

/** Limits how much of a response is read, and for how long, after the browser has disconnected. */
class Drain {
  readonly #clock: Clock;
  readonly #page: PodPageAnswer;
  #bytes = 0;
  #limit: { dispose(): void } | undefined;

  constructor(clock: Clock, page: PodPageAnswer) {
    this.#clock = clock;
    this.#page = page;
  }

  /** Counts a chunk, and starts the time limit with the first one. Returns false if the response is too long. */
  take(chunk: Uint8Array): boolean {
    this.#limit ??= deadline(this.#clock, drainMs, () => {
      this.#page.close();
    });
    this.#bytes += chunk.length;
    return this.#bytes <= drainBytes;
  }

  dispose(): void {
    this.#limit?.dispose();
  }
}

/** Adds the id of a job or stage to kill to the query, because Spark 4 sends the id in a form. */
function withFormId(path: string, form: string): string {
  const ids = form.split("&").filter((pair) => pair.startsWith("id="));
  const [id] = ids;
  if (id === undefined) return path;
  return `${path}${path.includes("?") ? "&" : "?"}${ids.join("&")}`;
}

function refuse(answer: ServerResponse, status: number): void {
  answer.writeHead(status, { "content-length": "0", connection: "close" });
  answer.end();
}

const escapes: Readonly<Record<string, string>> = {
  ...{ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" },
};

const problemPage = (text: string): string => `<!DOCTYPE html>
<html>
  <head>
    <meta charset="utf-8" />
    <title>Spark UI</title>
    <style>
      body { font: 14px/1.5 system-ui, sans-serif; margin: 3em auto; max-width: 40em; padding: 0 1em; color-scheme: light dark; }
    </style>
  </head>
  <body><p role="status">${text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? "")}</p></body>
</html>
`;
