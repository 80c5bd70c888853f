import { createPrivateKey, X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createDevelopmentCertificates } from "./development-certificates.ts";

const dayMs = 86_400_000;
const certificates = await createDevelopmentCertificates();
const root = new X509Certificate(certificates.rootPem);
const leaf = new X509Certificate(certificates.certificateChainPem);

/** Whether a certificate contains this extension: its id, the critical flag, and its value. */
function hasExtension(certificate: X509Certificate, derHex: string): boolean {
  return certificate.raw.toString("hex").includes(derHex);
}

describe("the development certificates", () => {
  test("the signing certificate is issued by the authority and matches its key", () => {
    expect(leaf.checkIssued(root)).toBe(true);
    expect(leaf.verify(root.publicKey)).toBe(true);
    expect(root.verify(root.publicKey)).toBe(true);
    expect(leaf.checkPrivateKey(createPrivateKey(certificates.privateKeyPem))).toBe(true);
  });

  test("the signing certificate has country, organization and common name", () => {
    expect(leaf.subject).toBe("C=EU\nO=Atelier\nCN=Atelier development signer");
    expect(root.subject).not.toBe(leaf.subject);
  });

  test("the signing certificate is valid now and for at most 366 days", () => {
    const now = Date.now();
    expect(leaf.validFromDate.getTime()).toBeLessThan(now);
    expect(leaf.validToDate.getTime()).toBeGreaterThan(now + 360 * dayMs);
    const lifeMs = leaf.validToDate.getTime() - leaf.validFromDate.getTime();
    expect(lifeMs).toBeLessThanOrEqual(366 * dayMs);
    expect(root.validToDate.getTime()).toBeGreaterThan(leaf.validToDate.getTime());
  });

  test("only the authority's certificate is a CA certificate", () => {
    expect(root.ca).toBe(true);
    expect(leaf.ca).toBe(false);
    // basicConstraints, critical, an empty sequence: CA is FALSE.
    expect(hasExtension(leaf, "0603551d130101ff04023000")).toBe(true);
  });

  test("the signing certificate is restricted to digital signatures", () => {
    // keyUsage, critical, only digitalSignature.
    expect(hasExtension(leaf, "0603551d0f0101ff040403020780")).toBe(true);
    expect(leaf.keyUsage).toEqual(["1.3.6.1.5.5.7.3.4", "1.3.6.1.4.1.62558.2.1"]);
  });

  test("key identifiers link the signing certificate to the authority", () => {
    const rootKeyId = /0603551d0e04160414([0-9a-f]{40})/.exec(root.raw.toString("hex"))?.[1];
    expect(rootKeyId).toBeDefined();
    expect(hasExtension(leaf, `0603551d23041830168014${rootKeyId}`)).toBe(true);
    expect(hasExtension(leaf, "0603551d0e04160414")).toBe(true);
  });

  test("every call creates a new authority", async () => {
    const other = await createDevelopmentCertificates();
    expect(leaf.verify(new X509Certificate(other.rootPem).publicKey)).toBe(false);
    expect(new X509Certificate(other.certificateChainPem).serialNumber).not.toBe(leaf.serialNumber);
  });
});
