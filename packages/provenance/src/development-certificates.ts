import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { issueCertificate } from "./x509.ts";

const dayMs = 86_400_000;

const emailProtection = "1.3.6.1.5.5.7.3.4";
const c2paClaimSigning = "1.3.6.1.4.1.62558.2.1";

export interface DevelopmentCertificates {
  /** The development authority's root certificate, which verifiers have to trust. */
  readonly rootPem: string;
  /** The signing certificate. C2PA requires the chain to exclude the root. */
  readonly certificateChainPem: string;
  /** The signing key, PKCS #8. The authority's key is discarded after issuing the certificate. */
  readonly privateKeyPem: string;
}

/**
 * Creates a private authority and one signing certificate under it, both with P-256 keys.
 *
 * Manifests signed with them verify against `rootPem`, and show as untrusted elsewhere. They are
 * for development and tests, and for operators without a certificate from an authority on the C2PA
 * trust list. The signing certificate is valid for 365 days, the authority for ten years.
 */
export async function createDevelopmentCertificates(
  options: { readonly now?: Date } = {},
): Promise<DevelopmentCertificates> {
  // Backdated, so that verifiers with a slow clock accept the certificate.
  const notBeforeMs = (options.now ?? new Date()).getTime() - 3_600_000;
  const root = await newKeyPair("ec", { namedCurve: "P-256" });
  const leaf = await newKeyPair("ec", { namedCurve: "P-256" });
  const organization = { country: "EU", organization: "Atelier" };
  const issuer = { ...organization, commonName: "Atelier development authority" };
  const issuedByRoot = {
    issuer,
    issuerPublicKey: root.publicKey,
    signingKey: root.privateKey,
    notBefore: new Date(notBeforeMs),
  };

  return {
    rootPem: issueCertificate({
      ...issuedByRoot,
      subject: issuer,
      publicKey: root.publicKey,
      notAfter: new Date(notBeforeMs + 3650 * dayMs),
      isAuthority: true,
      extendedKeyUsage: [],
    }),
    certificateChainPem: issueCertificate({
      ...issuedByRoot,
      subject: { ...organization, commonName: "Atelier development signer" },
      publicKey: leaf.publicKey,
      notAfter: new Date(notBeforeMs + 365 * dayMs),
      isAuthority: false,
      extendedKeyUsage: [emailProtection, c2paClaimSigning],
    }),
    privateKeyPem: leaf.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

const newKeyPair = promisify(generateKeyPair);
