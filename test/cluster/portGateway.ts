import { once } from "node:events";
import { createServer, request } from "node:http";

/**
 * Starts a gateway that serves each local port at its own host name, `PORT.localhost`, as a browser-based editor does
 * with subdomains. `template` is the value for VSCODE_PROXY_URI.
 */
export async function openPortGateway(): Promise<{
  readonly template: string;
  close(): void;
}> {
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const port = /^(\d+)\.localhost/.exec(headers.host ?? "")?.[1];
    const forwarded = request({ host: "127.0.0.1", port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.once("error", () => {
      outgoing.destroy();
    });
    incoming.pipe(forwarded);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no address");
  return {
    template: `http://{{port}}.localhost:${address.port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
