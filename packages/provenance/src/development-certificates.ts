import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  randomBytes,
  sign,
} from "node:crypto";
import type { KeyObject } from "node:crypto";
import { promisify } from "node:util";
import {
  bitString,
  boolean,
  explicit,
  implicitOctetString,
  integer,
  objectIdentifier,
  octetString,
  printableString,
  sequence,
  set,
  time,
  utf8String,
} from "./der.ts";
import type { Der } from "./der.ts";

const dayMs = 86_400_000;

/** Object identifiers of X.509, RFC 5280, and of the C2PA claim signing key usage. */
const oid = {
  country: "2.5.4.6",
  organization: "2.5.4.10",
  commonName: "2.5.4.3",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  basicConstraints: "2.5.29.19",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  emailProtection: "1.3.6.1.5.5.7.3.4",
  c2paClaimSigning: "1.3.6.1.4.1.62558.2.1",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
} as const;

export interface DevelopmentCertificates {
  /** The development authority's own certificate: what a verifier has to trust. */
  readonly rootPem: string;
  /** The signing certificate. The root is not part of the chain, as C2PA wants it. */
  readonly certificateChainPem: string;
  /** The signing key, PKCS #8. The authority's key is thrown away: it signs nothing else. */
  readonly privateKeyPem: string;
}

/**
 * Makes a private authority and one signing certificate under it, P-256 both.
 *
 * Manifests signed with them are whole and verifiable against `rootPem`, and show as untrusted
 * everywhere else: they are for development and tests, and for operators who have not yet got
 * a certificate from an authority on the C2PA trust list. The signing certificate follows the
 * profile of C2PA 2.2 section 14.5.1 and is valid for 365 days, the authority for ten years.
 */
export async function createDevelopmentCertificates(
  options: { readonly now?: Date } = {},
): Promise<DevelopmentCertificates> {
  const nowMs = (options.now ?? new Date()).getTime();
  // A clock that is a little behind ours must not find the certificate "not yet valid".
  const notBefore = new Date(nowMs - 3_600_000);
  const root = await newKeyPair();
  const leaf = await newKeyPair();
  const rootName = name("Atelier development authority");
  const rootKeyId = keyIdentifier(root.publicKey);

  const rootCertificate = certificate({
    subject: rootName,
    issuer: rootName,
    notBefore,
    notAfter: new Date(nowMs + 3650 * dayMs),
    publicKey: root.publicKey,
    signingKey: root.privateKey,
    extensions: [
      extension(
        oid.basicConstraints,
        sequence(boolean(true), integer(Buffer.from([0]))),
        "critical",
      ),
      // keyCertSign and cRLSign
      extension(oid.keyUsage, bitString(Buffer.from([0b0000_0110]), 1), "critical"),
      extension(oid.subjectKeyIdentifier, octetString(rootKeyId)),
    ],
  });
  const leafCertificate = certificate({
    subject: name("Atelier development signer"),
    issuer: rootName,
    notBefore,
    notAfter: new Date(notBefore.getTime() + 365 * dayMs),
    publicKey: leaf.publicKey,
    signingKey: root.privateKey,
    extensions: [
      // An empty sequence: CA is FALSE, which is its default and so, in DER, is not written.
      extension(oid.basicConstraints, sequence(), "critical"),
      // digitalSignature
      extension(oid.keyUsage, bitString(Buffer.from([0b1000_0000]), 7), "critical"),
      extension(
        oid.extendedKeyUsage,
        sequence(objectIdentifier(oid.emailProtection), objectIdentifier(oid.c2paClaimSigning)),
      ),
      extension(oid.subjectKeyIdentifier, octetString(keyIdentifier(leaf.publicKey))),
      extension(oid.authorityKeyIdentifier, sequence(implicitOctetString(0, rootKeyId))),
    ],
  });
  return {
    rootPem: pem(rootCertificate),
    certificateChainPem: pem(leafCertificate),
    privateKeyPem: leaf.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

async function newKeyPair(): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  const pair = await promisify(generateKeyPair)("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "der" },
  });
  return {
    publicKey: createPublicKey({ key: pair.publicKey, type: "spki", format: "der" }),
    privateKey: createPrivateKey({ key: pair.privateKey, type: "pkcs8", format: "der" }),
  };
}

interface CertificateRequest {
  readonly subject: Der;
  readonly issuer: Der;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKey: KeyObject;
  readonly signingKey: KeyObject;
  readonly extensions: readonly Der[];
}

/** RFC 5280 section 4.1, version 3, signed with ES256. */
function certificate(request: CertificateRequest): Der {
  const algorithm = sequence(objectIdentifier(oid.ecdsaWithSha256));
  const toBeSigned = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(randomBytes(16)),
    algorithm,
    request.issuer,
    sequence(time(request.notBefore), time(request.notAfter)),
    request.subject,
    request.publicKey.export({ type: "spki", format: "der" }),
    explicit(3, sequence(...request.extensions)),
  );
  return sequence(toBeSigned, algorithm, bitString(sign("sha256", toBeSigned, request.signingKey)));
}

function name(commonName: string): Der {
  return sequence(
    attribute(oid.country, printableString("EU")),
    attribute(oid.organization, utf8String("Atelier")),
    attribute(oid.commonName, utf8String(commonName)),
  );
}

function attribute(type: string, value: Der): Der {
  return set(sequence(objectIdentifier(type), value));
}

function extension(id: string, value: Der, critical?: "critical"): Der {
  const flag = critical === undefined ? [] : [boolean(true)];
  return sequence(objectIdentifier(id), ...flag, octetString(value));
}

/** The leftmost 160 bits of SHA-256 over the public key's bits: RFC 7093 section 2, method 1. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  // The bits of a P-256 key are the last 65 bytes of its SubjectPublicKeyInfo.
  const point = publicKey.export({ type: "spki", format: "der" }).subarray(-65);
  return createHash("sha256").update(point).digest().subarray(0, 20);
}

function pem(certificateDer: Der): string {
  const lines = certificateDer.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
