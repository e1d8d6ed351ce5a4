/** The proxy refused the connection or failed. The message is for the user. */
export class ProxyRefusal extends Error {
  override readonly name = "ProxyRefusal";
}
