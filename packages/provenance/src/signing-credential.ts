import { createPrivateKey, X509Certificate } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { readCertificates } from "./certificates.ts";

export interface SigningCredential {
  /** DER certificates, the signing certificate first, without the root. */
  readonly chain: readonly Uint8Array[];
  readonly privateKey: KeyObject;
  /** Expiry of the signing certificate; manifests without a time stamp become invalid then. */
  readonly expiresAt: Date;
}

/** Extended key usages allowed for a C2PA claim signing certificate: C2PA 2.2, section 14.4. */
const acceptedKeyUsages = [
  "1.3.6.1.5.5.7.3.4", // emailProtection
  "1.3.6.1.5.5.7.3.36", // documentSigning
  "1.3.6.1.4.1.62558.2.1", // C2PA claim signing
];

/**
 * Reads an operator's certificate chain (PEM, the signing certificate first) and its private key
 * (PEM, P-256), and checks that they are usable.
 *
 * @throws Error with a message for the operator.
 */
export function readSigningCredential(options: {
  readonly certificateChainPem: string;
  readonly privateKeyPem: string;
  readonly now: Date;
}): SigningCredential {
  const certificates = readChain(options.certificateChainPem);
  const [leaf] = certificates;
  if (leaf === undefined) throw unusable("there is no certificate in the chain");
  const privateKey = readPrivateKey(options.privateKeyPem);
  if (!leaf.checkPrivateKey(privateKey)) {
    throw unusable("the private key does not belong to the first certificate of the chain");
  }
  checkLeaf(leaf, options.now);
  checkOrder(certificates);
  return {
    // C2PA requires the chain without its root, which verifiers have.
    chain: certificates
      .filter((each) => each === leaf || !isSelfSigned(each))
      .map(({ raw }) => raw),
    privateKey,
    expiresAt: leaf.validToDate,
  };
}

function readChain(pem: string): X509Certificate[] {
  try {
    return readCertificates(pem);
  } catch (cause) {
    throw unusable(cause instanceof Error ? cause.message : "the chain cannot be read", cause);
  }
}

function readPrivateKey(pem: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch (cause) {
    throw unusable("the private key is not an unencrypted PEM key", cause);
  }
  if (key.asymmetricKeyDetails?.namedCurve !== "prime256v1") {
    throw unusable("the private key is not on the curve P-256 (signatures are ES256)");
  }
  return key;
}

function checkLeaf(leaf: X509Certificate, now: Date): void {
  if (now < leaf.validFromDate) {
    throw unusable(`it is not valid before ${leaf.validFromDate.toISOString()}`);
  }
  if (now > leaf.validToDate) throw unusable(`it expired on ${leaf.validToDate.toISOString()}`);
  if (leaf.ca) throw unusable("it is the certificate of an authority");
  if (!/^O=./m.test(leaf.subject)) throw unusable("its subject names no organization (O)");
  if (!leaf.keyUsage?.some((usage) => acceptedKeyUsages.includes(usage))) {
    throw unusable(
      `its extended key usage includes neither emailProtection, documentSigning nor C2PA claim signing`,
    );
  }
}

function checkOrder(certificates: readonly X509Certificate[]): void {
  for (const [index, issuer] of certificates.slice(1).entries()) {
    if (certificates[index]?.checkIssued(issuer) !== true) {
      throw unusable(`certificate ${index + 1} of the chain is not issued by the one after it`);
    }
  }
}

function isSelfSigned(certificate: X509Certificate): boolean {
  return certificate.checkIssued(certificate);
}

function unusable(reason: string, cause?: unknown): Error {
  return new Error(`The C2PA signing certificate cannot be used: ${reason}.`, { cause });
}
