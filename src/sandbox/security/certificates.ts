// Creates the certificates of a sandbox: P-256 keys, signed with ECDSA and SHA-256. Node can sign but cannot create
// certificates, so this file encodes their DER (RFC 5280).
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

export interface CertificateIdentity {
  /** PEM, like `key`. */
  readonly cert: string;
  readonly key: string;
}

interface Authority extends CertificateIdentity {
  issue(subject: string, options?: IssueOptions): CertificateIdentity;
}

interface IssueOptions {
  /** Host names and IPv4 addresses; default: localhost and 127.0.0.1. */
  readonly hosts?: readonly string[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

const year = 365 * 24 * 3600 * 1000;

export function newAuthority(name: string): Authority {
  const own = newKeys();
  const cert = certificate(name, own.publicKey, name, own.privateKey, {
    notBefore: new Date(Date.now() - year),
    notAfter: new Date(Date.now() + year),
    extensions: [basicConstraints],
  });
  return {
    cert,
    key: pemOf(own.privateKey),
    issue(subject, { hosts = ["localhost", "127.0.0.1"], notBefore, notAfter } = {}) {
      const keys = newKeys();
      const options = {
        notBefore: notBefore ?? new Date(Date.now() - year / 12),
        notAfter: notAfter ?? new Date(Date.now() + year / 12),
        extensions: [alternativeNames(hosts)],
      };
      return {
        cert: certificate(subject, keys.publicKey, name, own.privateKey, options),
        key: pemOf(keys.privateKey),
      };
    },
  };
}

const newKeys = (): { publicKey: KeyObject; privateKey: KeyObject } =>
  generateKeyPairSync("ec", { namedCurve: "P-256" });

const pemOf = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }).toString();

function certificate(
  subject: string,
  publicKey: KeyObject,
  issuer: string,
  signer: KeyObject,
  options: {
    readonly notBefore: Date;
    readonly notAfter: Date;
    readonly extensions: readonly Buffer[];
  },
): string {
  const toBeSigned = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(time(options.notBefore), time(options.notAfter)),
    nameOf(subject),
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(...options.extensions)),
  );
  const signature = sign("sha256", toBeSigned, signer);
  const der = sequence(toBeSigned, ecdsaWithSha256, bits(signature));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 0x80
      ? [tag, length]
      : length < 0x100
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts);
const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes);
const bits = (bytes: Buffer): Buffer => tagged(0x03, Buffer.from([0]), bytes);
const octets = (bytes: Buffer): Buffer => tagged(0x04, bytes);
const object = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, "hex"));
const text = (value: string): Buffer => tagged(0x0c, Buffer.from(value));
const time = (date: Date): Buffer =>
  tagged(0x18, Buffer.from(date.toISOString().replace(/[-:T]|\.\d+/g, "")));

const commonName = "550403";
const nameOf = (name: string): Buffer =>
  sequence(tagged(0x31, sequence(object(commonName), text(name))));

const ecdsaWithSha256 = sequence(object("2a8648ce3d040302"));

// Critical extension: the certificate may sign other certificates.
const basicConstraints = sequence(
  object("551d13"),
  tagged(0x01, Buffer.from([0xff])),
  octets(sequence(tagged(0x01, Buffer.from([0xff])))),
);

const alternativeNames = (hosts: readonly string[]): Buffer =>
  sequence(
    object("551d11"),
    octets(
      sequence(
        ...hosts.map((host) =>
          /^[\d.]+$/.test(host)
            ? tagged(0x87, Buffer.from(host.split(".").map(Number)))
            : tagged(0x82, Buffer.from(host)),
        ),
      ),
    ),
  );
