import {
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from "node:crypto";
import { isIP } from "node:net";
import {
  bitString,
  boolean,
  explicit,
  implicitOctetString,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  utf8String,
} from "@atelier/kit/der";
import ipaddr from "ipaddr.js";

const basicConstraints = "2.5.29.19";
const subjectAlternativeName = "2.5.29.17";
const ecdsaWithSha256 = "1.2.840.10045.4.3.2";
const commonName = "2.5.4.3";

/** A certificate and its key in PEM, as `tls.createServer` takes them. */
interface Identity {
  readonly cert: string;
  readonly key: string;
}

interface CertificateAuthority extends Identity {
  /** Issues a server certificate for names and literal addresses, valid for an hour around now. */
  issue(hosts: readonly string[], validity?: { from: Date; until: Date }): Identity;
}

/** A certificate authority that lives in memory only (RFC 5280 profile, ECDSA on P-256). */
export function createCertificateAuthority(authority: string): CertificateAuthority {
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const isAuthority = extension(basicConstraints, true, sequence(boolean(true)));
  const self = {
    cert: certificate(authority, authority, keys.publicKey, keys.privateKey, anHour(), [
      isAuthority,
    ]),
    key: pemOf(keys.privateKey),
  };
  return {
    ...self,
    issue: (hosts, validity = anHour()) => {
      const leaf = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const extensions = [subjectAltName(hosts)];
      return {
        cert: certificate(
          authority,
          "server",
          leaf.publicKey,
          keys.privateKey,
          validity,
          extensions,
        ),
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
  const version3 = explicit(0, integer(Buffer.from([2])));
  const serial = integer(Buffer.concat([Buffer.from([0x01]), randomBytes(15)]));
  const algorithm = sequence(objectIdentifier(ecdsaWithSha256));
  const toBeSigned = sequence(
    version3,
    serial,
    algorithm,
    name(issuer),
    sequence(time(validity.from), time(validity.until)),
    name(subject),
    createPublicKey(publicKey.export({ type: "spki", format: "pem" })).export({
      type: "spki",
      format: "der",
    }),
    explicit(3, sequence(...extensions)),
  );
  const signature = sign("sha256", toBeSigned, signer);
  const signedBytes = sequence(toBeSigned, algorithm, bitString(signature));
  return `-----BEGIN CERTIFICATE-----\n${signedBytes.toString("base64")}\n-----END CERTIFICATE-----\n`;
}

function subjectAltName(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) =>
    isIP(host) === 0
      ? implicitOctetString(2, Buffer.from(host, "ascii"))
      : implicitOctetString(7, Buffer.from(ipaddr.parse(host).toByteArray())),
  );
  return extension(subjectAlternativeName, false, sequence(...names));
}

function extension(id: string, isCritical: boolean, value: Buffer): Buffer {
  const flag = isCritical ? [boolean(true)] : [];
  return sequence(objectIdentifier(id), ...flag, octetString(value));
}

const name = (text: string) =>
  sequence(set(sequence(objectIdentifier(commonName), utf8String(text))));
const pemOf = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString();

function anHour(): { from: Date; until: Date } {
  const now = Date.now();
  return { from: new Date(now - 1_800_000), until: new Date(now + 1_800_000) };
}
