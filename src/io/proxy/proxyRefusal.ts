/** The proxy refused the connection or failed. The message is a sentence. */
export class ProxyRefusal extends Error {
  override readonly name = "ProxyRefusal";
}
