/** Why a proxy did not let us through, as a sentence. */
export class ProxyRefusal extends Error {
  override readonly name = "ProxyRefusal";
}
