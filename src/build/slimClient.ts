import type { Plugin } from "esbuild";

// Packages that the client library's KubeConfig imports, but never calls if it is used only as a data model.
const unused =
  /^(?:undici|openid-client|jsonpath-plus|socks|socks-proxy-agent|hpagent|js-yaml|isomorphic-ws)$/;

const fromClient = /[\\/]@kubernetes[\\/]client-node[\\/]/;

/**
 * An esbuild plugin that removes the HTTP library, the sign-in libraries and the generated API of the Kubernetes client
 * from the bundle. KubeConfig remains.
 */
export const slimClient: Plugin = {
  name: "slim-client",
  setup(bundler) {
    bundler.onResolve({ filter: unused }, ({ path, importer }) =>
      fromClient.test(importer) ? { path, namespace: "left-out" } : undefined,
    );
    bundler.onLoad({ filter: /.*/, namespace: "left-out" }, ({ path }) => ({
      contents: `module.exports = new Proxy({}, { get() { throw new Error("${path} is not in this bundle"); } });`,
    }));
    // This module imports a thousand files. KubeConfig uses only two of its exports, so a stub replaces it.
    bundler.onLoad({ filter: /client-node[\\/]dist[\\/]gen[\\/]index\.js$/ }, () => ({
      contents: "export const createConfiguration = undefined, ServerConfiguration = undefined;",
    }));
    bundler.onLoad({ filter: /client-node[\\/]package\.json$/ }, () => ({
      contents: "{}",
      loader: "json",
    }));
  },
};
