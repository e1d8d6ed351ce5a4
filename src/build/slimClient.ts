import type { Plugin } from "esbuild";

// The imports of the client library's KubeConfig that its use as a data model never calls.
const unused =
  /^(?:undici|openid-client|jsonpath-plus|socks|socks-proxy-agent|hpagent|js-yaml|isomorphic-ws)$/;

const fromClient = /[\\/]@kubernetes[\\/]client-node[\\/]/;

/** Keeps KubeConfig and leaves out the HTTP library, the sign-in libraries and the generated API around it. */
export const slimClient: Plugin = {
  name: "slim-client",
  setup(bundler) {
    bundler.onResolve({ filter: unused }, ({ path, importer }) =>
      fromClient.test(importer) ? { path, namespace: "left-out" } : undefined,
    );
    bundler.onLoad({ filter: /.*/, namespace: "left-out" }, ({ path }) => ({
      contents: `module.exports = new Proxy({}, { get() { throw new Error("${path} is not in this bundle"); } });`,
    }));
    // A module of a thousand files, of which KubeConfig uses two names.
    bundler.onLoad({ filter: /client-node[\\/]dist[\\/]gen[\\/]index\.js$/ }, () => ({
      contents: "export const createConfiguration = undefined, ServerConfiguration = undefined;",
    }));
    bundler.onLoad({ filter: /client-node[\\/]package\.json$/ }, () => ({
      contents: "{}",
      loader: "json",
    }));
  },
};
