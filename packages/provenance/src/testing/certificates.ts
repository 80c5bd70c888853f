import { generateKeyPairSync } from "node:crypto";
import { issueCertificate, type CertificateContent } from "../x509.ts";

export const dayMs = 86_400_000;
const emailProtection = "1.3.6.1.5.5.7.3.4";

interface IssuedChain {
  readonly rootPem: string;
  readonly intermediatePem: string;
  readonly leafPem: string;
  /** The leaf, then the intermediate authority. */
  readonly certificateChainPem: string;
  /** Key of the leaf certificate. */
  readonly privateKeyPem: string;
  /** Issues a certificate of the same intermediate authority to another organization. */
  issueToStranger(): Pick<IssuedChain, "leafPem" | "certificateChainPem" | "privateKeyPem">;
}

/**
 * Issues a root, an intermediate authority (both valid for ten years before and after now), and a
 * claim signing certificate with the given changes.
 */
export function issueChain(changes: Partial<CertificateContent> = {}): IssuedChain {
  const [root, intermediate, leaf] = [newKeys(), newKeys(), newKeys()];
  const rootName = { organization: "Root", commonName: "Root" };
  const intermediateName = { organization: "Intermediate", commonName: "Intermediate" };
  const authority = {
    notBefore: new Date(Date.now() - 3_650 * dayMs),
    notAfter: new Date(Date.now() + 3_650 * dayMs),
    issuer: rootName,
    issuerPublicKey: root.publicKey,
    signingKey: root.privateKey,
    isAuthority: true,
    extendedKeyUsage: [],
  };
  const rootPem = issueCertificate({ ...authority, subject: rootName, publicKey: root.publicKey });
  const intermediatePem = issueCertificate({
    ...authority,
    subject: intermediateName,
    publicKey: intermediate.publicKey,
  });
  const issueLeaf = (changed: Partial<CertificateContent>) =>
    issueCertificate({
      notBefore: new Date(Date.now() - dayMs),
      notAfter: new Date(Date.now() + 30 * dayMs),
      subject: { country: "DE", organization: "Operator", commonName: "Signer" },
      issuer: intermediateName,
      publicKey: leaf.publicKey,
      issuerPublicKey: intermediate.publicKey,
      signingKey: intermediate.privateKey,
      isAuthority: false,
      extendedKeyUsage: [emailProtection],
      ...changed,
    });
  const leafPem = issueLeaf(changes);
  return {
    rootPem,
    intermediatePem,
    leafPem,
    certificateChainPem: leafPem + intermediatePem,
    privateKeyPem: pemOf(leaf.privateKey),
    issueToStranger() {
      const keys = newKeys();
      const subject = { country: "DE", organization: "Stranger", commonName: "Signer" };
      const strangerPem = issueLeaf({ subject, publicKey: keys.publicKey });
      return {
        leafPem: strangerPem,
        certificateChainPem: strangerPem + intermediatePem,
        privateKeyPem: pemOf(keys.privateKey),
      };
    },
  };
}

export function newKeys(curve = "P-256"): ReturnType<typeof generateKeyPairSync> {
  return generateKeyPairSync("ec", { namedCurve: curve });
}

export function pemOf(privateKey: ReturnType<typeof newKeys>["privateKey"]): string {
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}
