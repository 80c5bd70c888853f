import {
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from "node:crypto";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** A certificate and its key in PEM, as `tls.createServer` takes them. */
interface Identity {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateAuthority extends Identity {
  /** Issues a server certificate for names and literal addresses, valid for an hour around now. */
  issue(hosts: readonly string[], validity?: { from: Date; until: Date }): Identity;
}

/** A certificate authority that lives in memory only (RFC 5280 profile, ECDSA on P-256). */
export function createCertificateAuthority(name: string): CertificateAuthority {
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  // id-ce-basicConstraints: cA TRUE
  const isAuthority = extension("551d13", true, sequence(der(0x01, Buffer.from([0xff]))));
  const self = {
    cert: certificate(name, name, keys.publicKey, keys.privateKey, anHour(), [isAuthority]),
    key: pemOf(keys.privateKey),
  };
  return {
    ...self,
    issue: (hosts, validity = anHour()) => {
      const leaf = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const extensions = [subjectAltName(hosts)];
      return {
        cert: certificate(name, "server", leaf.publicKey, keys.privateKey, validity, extensions),
        key: pemOf(leaf.privateKey),
      };
    },
  };
}

function certificate(
  issuer: string,
  subject: string,
  publicKey: KeyObject,
  signer: KeyObject,
  validity: { from: Date; until: Date },
  extensions: readonly Buffer[],
): string {
  const version3 = der(0xa0, der(0x02, Buffer.from([2])));
  const serial = der(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(15)]));
  const ecdsaWithSha256 = sequence(objectId("2a8648ce3d040302"));
  const toBeSigned = sequence(
    version3,
    serial,
    ecdsaWithSha256,
    commonName(issuer),
    sequence(time(validity.from), time(validity.until)),
    commonName(subject),
    createPublicKey(publicKey.export({ type: "spki", format: "pem" })).export({
      type: "spki",
      format: "der",
    }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign("sha256", toBeSigned, signer);
  const whole = sequence(toBeSigned, ecdsaWithSha256, bitString(signature));
  return `-----BEGIN CERTIFICATE-----\n${whole.toString("base64")}\n-----END CERTIFICATE-----\n`;
}

function subjectAltName(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) =>
    isIP(host) === 0
      ? der(0x82, Buffer.from(host, "ascii"))
      : der(0x87, Buffer.from(ipaddr.parse(host).toByteArray())),
  );
  return extension("551d11", false, sequence(...names));
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  const flag = critical ? [der(0x01, Buffer.from([0xff]))] : [];
  return sequence(objectId(id), ...flag, der(0x04, value));
}

/** One tag, length and value in DER (ITU-T X.690, 8.1). */
function der(tag: number, value: Buffer): Buffer {
  const size = value.length;
  const length =
    size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), value]);
}

const sequence = (...parts: readonly Buffer[]) => der(0x30, Buffer.concat(parts));
const objectId = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const bitString = (bits: Buffer) => der(0x03, Buffer.concat([Buffer.from([0]), bits]));
const commonName = (name: string) =>
  sequence(der(0x31, sequence(objectId("550403"), der(0x0c, Buffer.from(name)))));
const time = (at: Date) =>
  der(0x18, Buffer.from(`${at.toISOString().replace(/[-:T]|\..*/g, "")}Z`));
const pemOf = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString();

function anHour(): { from: Date; until: Date } {
  const now = Date.now();
  return { from: new Date(now - 1_800_000), until: new Date(now + 1_800_000) };
}
