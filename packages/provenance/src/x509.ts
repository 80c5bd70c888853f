import { createHash, randomBytes, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import {
  bitString,
  boolean,
  type Der,
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
} from "@atelier/kit/der";

/** The content of an X.509 certificate. All keys are P-256. */
export interface CertificateContent {
  readonly subject: DistinguishedName;
  readonly issuer: DistinguishedName;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKey: KeyObject;
  readonly issuerPublicKey: KeyObject;
  /** The issuer's private key. */
  readonly signingKey: KeyObject;
  /** Authorities sign certificates; other certificates sign documents. */
  readonly isAuthority: boolean;
  /** Object identifiers of the extended key usage; empty to omit the extension. */
  readonly extendedKeyUsage: readonly string[];
  /**
   * Whether software that does not know the usage must reject the certificate: RFC 3161, section
   * 2.3.
   */
  readonly isUsageCritical?: boolean;
  /** Up to 20 bytes; random by default. */
  readonly serialNumber?: Buffer;
}

interface DistinguishedName {
  readonly country?: string;
  readonly organization?: string;
  readonly commonName: string;
}

/** Creates and signs (ES256) a version 3 certificate, RFC 5280 section 4.1. Returns PEM. */
export function issueCertificate(content: CertificateContent): string {
  const algorithm = sequence(objectIdentifier("1.2.840.10045.4.3.2"));
  const toBeSigned = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(content.serialNumber ?? randomBytes(16)),
    algorithm,
    name(content.issuer),
    sequence(time(content.notBefore), time(content.notAfter)),
    name(content.subject),
    spki(content.publicKey),
    explicit(3, sequence(...extensions(content))),
  );
  const signature = bitString(sign("sha256", toBeSigned, content.signingKey));
  return pem(sequence(toBeSigned, algorithm, signature));
}

/** The extensions that the C2PA certificate profile requires: C2PA 2.2, section 14.5.1. */
function extensions(content: CertificateContent): Der[] {
  const { isAuthority, extendedKeyUsage, isUsageCritical = false } = content;
  // CA is FALSE by default, and DER omits defaults. An authority with path length 0 cannot issue
  // further authorities.
  const constraints = isAuthority ? sequence(boolean(true), integer(Buffer.from([0]))) : sequence();
  // keyCertSign and cRLSign, or digitalSignature.
  const usage = isAuthority ? bitString(Buffer.from([0x06]), 1) : bitString(Buffer.from([0x80]), 7);
  const authorityKey = sequence(implicitOctetString(0, keyIdentifier(content.issuerPublicKey)));
  return [
    criticalExtension("2.5.29.19", constraints),
    criticalExtension("2.5.29.15", usage),
    ...(extendedKeyUsage.length === 0
      ? []
      : [
          (isUsageCritical ? criticalExtension : extension)(
            "2.5.29.37",
            sequence(...extendedKeyUsage.map(objectIdentifier)),
          ),
        ]),
    extension("2.5.29.14", octetString(keyIdentifier(content.publicKey))),
    extension("2.5.29.35", authorityKey),
  ];
}

function criticalExtension(id: string, value: Der): Der {
  return sequence(objectIdentifier(id), boolean(true), octetString(value));
}

function extension(id: string, value: Der): Der {
  return sequence(objectIdentifier(id), octetString(value));
}

function name({ country, organization, commonName }: DistinguishedName): Der {
  return sequence(
    ...(country === undefined ? [] : [attribute("2.5.4.6", printableString(country))]),
    ...(organization === undefined ? [] : [attribute("2.5.4.10", utf8String(organization))]),
    attribute("2.5.4.3", utf8String(commonName)),
  );
}

function attribute(type: string, value: Der): Der {
  return set(sequence(objectIdentifier(type), value));
}

/** The leftmost 160 bits of the SHA-256 of the public key: RFC 7093 section 2, method 1. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  // The P-256 key is the last 65 bytes of its SubjectPublicKeyInfo.
  return createHash("sha256").update(spki(publicKey).subarray(-65)).digest().subarray(0, 20);
}

function spki(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: "spki", format: "der" });
}

function pem(certificate: Der): string {
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
