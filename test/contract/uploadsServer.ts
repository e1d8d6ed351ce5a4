// A small S3 server that stores objects in memory, verifies each signature, and injects faults.
import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Socket } from "node:net";
import type { TestContext } from "node:test";
import type { CertificateIdentity } from "../../src/sandbox/security/certificates.ts";
import { listen, portOf } from "./sockets.ts";

export const accessKey = "AKIDEXAMPLE";
export const secretKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

export interface S3Request {
  readonly method: string;
  /** The decoded object key; empty for a request to the bucket itself. */
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  /** Received body bytes. */
  readonly length: number;
  /** The operation: `put`, `begin`, `part`, `complete`, `abort`, `copy`, `head`, `list`. */
  readonly name: string;
}

/** An injected fault, which replaces the normal response. */
export type Fault =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Processes the request, but drops the response. */
  | { readonly kind: "loseAnswer" }
  /** Closes the connection after this many body bytes. */
  | { readonly kind: "cutAt"; readonly bytes: number }
  /** Never responds. */
  | { readonly kind: "silence" };

export interface StoredObject {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export interface S3Server {
  readonly url: string;
  readonly objects: ReadonlyMap<string, StoredObject>;
  /** Multipart uploads that were neither completed nor aborted. */
  readonly unfinished: ReadonlyMap<string, string>;
  /** In order of completion; a test may clear it. */
  readonly requests: S3Request[];
  readonly open: ReadonlySet<Socket>;
  names(): readonly string[];
  /** Called when the headers of a request have arrived. */
  fault: (request: Omit<S3Request, "length">) => Fault | undefined;
}

export const bucket = "jars";

export async function startS3(t: TestContext, tls?: CertificateIdentity): Promise<S3Server> {
  const store = new Store();
  const requests: S3Request[] = [];
  const open = new Set<Socket>();
  const state: { fault: S3Server["fault"] } = { fault: () => undefined };

  const answer = (incoming: IncomingMessage, response: ServerResponse): void => {
    incoming.on("error", () => undefined);
    response.on("error", () => undefined);
    const head = headOf(incoming);
    const fault = state.fault(head);
    if (fault?.kind === "silence") {
      incoming.resume();
      return;
    }
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (fault?.kind === "cutAt" && length >= fault.bytes) incoming.socket.destroy();
    });
    incoming.on("end", () => {
      const body = Buffer.concat(chunks);
      requests.push({ ...head, length });
      if (fault?.kind === "answer") {
        response.writeHead(fault.status, fault.headers ?? {});
        response.end(head.method === "HEAD" ? undefined : fault.body);
        return;
      }
      const refusal = checkSignature(incoming, body);
      const reply =
        refusal === undefined
          ? store.answer(head, body)
          : xmlError(403, "SignatureDoesNotMatch", refusal);
      if (fault?.kind === "loseAnswer") incoming.socket.destroy();
      else {
        response.writeHead(reply.status, { "content-length": reply.body.length, ...reply.headers });
        response.end(head.method === "HEAD" ? undefined : reply.body);
      }
    });
  };

  const server = tls
    ? createSecureServer({ cert: tls.cert, key: tls.key }, answer)
    : createServer(answer);
  server.on(tls ? "secureConnection" : "connection", (socket: Socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => undefined);
  });
  await listen(server);
  t.after(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${portOf(server)}`,
    objects: store.objects,
    unfinished: store.unfinished,
    requests,
    open,
    names: () => requests.map(({ name }) => name),
    get fault() {
      return state.fault;
    },
    set fault(next) {
      state.fault = next;
    },
  };
}

export const xmlOf = (code: string, message: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;

interface Reply {
  readonly status: number;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const reply = (
  status: number,
  body = "",
  headers: Readonly<Record<string, string>> = {},
): Reply => ({
  status,
  body: Buffer.from(body),
  headers,
});

const xmlError = (status: number, code: string, message: string): Reply =>
  reply(status, xmlOf(code, message));

function headOf({ method = "", url = "", headers }: IncomingMessage): Omit<S3Request, "length"> {
  const { pathname, searchParams: query } = new URL(url, "http://server");
  const key = decodeURIComponent(pathname).replace(new RegExp(`^/${bucket}/?`), "");
  return { method, key, query, headers, name: nameOf(method, query, headers) };
}

function nameOf(
  method: string,
  query: URLSearchParams,
  headers: IncomingMessage["headers"],
): string {
  if (method === "HEAD") return "head";
  if (method === "GET") return "list";
  if (method === "DELETE") return "abort";
  if (method === "POST") return query.has("uploads") ? "begin" : "complete";
  if (query.has("partNumber")) return "part";
  return headers["x-amz-copy-source"] === undefined ? "put" : "copy";
}

class Store {
  readonly objects = new Map<string, StoredObject>();
  readonly unfinished = new Map<string, string>();
  readonly #parts = new Map<string, Map<number, Buffer>>();
  readonly #headers = new Map<string, Readonly<Record<string, string>>>();
  #uploads = 0;

  answer({ name, key, query, headers }: Omit<S3Request, "length">, body: Buffer): Reply {
    const id = query.get("uploadId") ?? "";
    switch (name) {
      case "head": {
        const found = this.objects.get(key);
        if (found === undefined) return reply(404);
        return reply(200, "", { ...found.headers, "content-length": String(found.body.length) });
      }
      case "put":
        this.objects.set(key, { body, headers: keptHeaders(headers) });
        return reply(200);
      case "copy": {
        const source = decodeURIComponent(String(headers["x-amz-copy-source"])).replace(
          `/${bucket}/`,
          "",
        );
        const found = this.objects.get(source);
        if (found === undefined) return xmlError(404, "NoSuchKey", "no source");
        this.objects.set(key, found);
        return reply(200, "<CopyObjectResult/>");
      }
      case "begin": {
        const uploadId = `upload/${++this.#uploads}+=`;
        this.unfinished.set(uploadId, key);
        this.#parts.set(uploadId, new Map());
        this.#headers.set(uploadId, keptHeaders(headers));
        return reply(200, `<R><UploadId>${uploadId}</UploadId></R>`);
      }
      case "part": {
        const parts = this.#parts.get(id);
        if (parts === undefined) return xmlError(404, "NoSuchUpload", "gone");
        parts.set(Number(query.get("partNumber")), body);
        return reply(200, "", { etag: etagOf(body) });
      }
      case "complete":
        return this.#complete(id, key, body.toString());
      case "abort":
        this.#parts.delete(id);
        return reply(this.unfinished.delete(id) ? 204 : 404);
      default: {
        const uploads = [...this.unfinished].map(
          ([uploadId, of]) => `<Upload><Key>${of}</Key><UploadId>${uploadId}</UploadId></Upload>`,
        );
        return reply(200, `<R>${uploads.join("")}</R>`);
      }
    }
  }

  #complete(id: string, key: string, wanted: string): Reply {
    const parts = this.#parts.get(id);
    if (parts === undefined) return xmlError(404, "NoSuchUpload", "gone");
    const named = Array.from(
      wanted.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g),
      ([, number, tag = ""]) => ({
        part: parts.get(Number(number)),
        tag: tag.replaceAll("&#34;", '"'),
      }),
    );
    if (named.some(({ part, tag }) => part === undefined || etagOf(part) !== tag)) {
      return xmlError(400, "InvalidPart", "a part is not there");
    }
    const body = Buffer.concat(named.flatMap(({ part }) => (part === undefined ? [] : [part])));
    this.objects.set(key, { body, headers: this.#headers.get(id) ?? {} });
    this.unfinished.delete(id);
    this.#parts.delete(id);
    return reply(200, "<CompleteMultipartUploadResult/>");
  }
}

const etagOf = (body: Buffer): string => `"${createHash("md5").update(body).digest("hex")}"`;

const keptHeaders = (headers: IncomingMessage["headers"]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      /^x-amz-(?:meta|server)-|^content-type$/.test(name) ? [[name, String(value)]] : [],
    ),
  );

const sha256 = (content: string | Buffer): string =>
  createHash("sha256").update(content).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac("sha256", key).update(text).digest();

/** Returns the error in the signature of a received request (Signature Version 4 for S3), or undefined. */
function checkSignature(
  { method = "", url = "", headers }: IncomingMessage,
  body: Buffer,
): string | undefined {
  const [, date = "", region = "", names = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      headers.authorization ?? "",
    ) ?? [];
  const [path = "", query = ""] = url.split("?");
  const claimed = String(headers["x-amz-content-sha256"]);
  if (claimed !== sha256(body)) return "the body is not what was signed";
  const canonical = [
    method,
    path,
    query.split("&").sort().join("&"),
    ...names.split(";").map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    names,
    claimed,
  ].join("\n");
  const scope = `${date}/${region}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", String(headers["x-amz-date"]), scope, sha256(canonical)].join(
    "\n",
  );
  const key = [date, region, "s3", "aws4_request"].reduce<string | Buffer>(
    hmac,
    `AWS4${secretKey}`,
  );
  return hmac(key, text).toString("hex") === signature ? undefined : "another signature";
}
