import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createDevelopmentCertificates } from "./development-certificates.ts";
import { createMarker } from "./marker.ts";
import { noise } from "./test-images.ts";
import { verifyProvenance } from "./verify-provenance.ts";
import { issueCertificate } from "./x509.ts";
import type { CertificateContent } from "./x509.ts";

const dayMs = 86_400_000;
const emailProtection = "1.3.6.1.5.5.7.3.4";
const good = await createDevelopmentCertificates();
const other = await createDevelopmentCertificates();

interface Credential {
  readonly rootPem: string;
  readonly certificateChainPem: string;
  readonly privateKeyPem: string;
}

function markerWith(credential: Credential): ReturnType<typeof createMarker> {
  const { rootPem, ...keyAndChain } = credential;
  const claimGenerator = { name: "Atelier", version: "1.0.0" };
  return createMarker({ ...keyAndChain, trustAnchorsPem: rootPem, claimGenerator });
}

/** A root, an intermediate authority, and a signing certificate with whatever is wrong with it. */
function issueChain(wrong: Partial<CertificateContent> = {}): Credential & { chain: string[] } {
  const [root, intermediate, leaf] = [newKeys(), newKeys(), newKeys()];
  const rootName = { organization: "Root", commonName: "Root" };
  const intermediateName = { organization: "Intermediate", commonName: "Intermediate" };
  const dates = {
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + 30 * dayMs),
  };
  const byRoot = { issuer: rootName, issuerPublicKey: root.publicKey, signingKey: root.privateKey };
  const authority = { ...dates, ...byRoot, isAuthority: true, extendedKeyUsage: [] };
  const rootPem = issueCertificate({ ...authority, subject: rootName, publicKey: root.publicKey });
  const intermediatePem = issueCertificate({
    ...authority,
    subject: intermediateName,
    publicKey: intermediate.publicKey,
  });
  const leafPem = issueCertificate({
    ...dates,
    subject: { country: "DE", organization: "Operator", commonName: "Signer" },
    issuer: intermediateName,
    publicKey: leaf.publicKey,
    issuerPublicKey: intermediate.publicKey,
    signingKey: intermediate.privateKey,
    isAuthority: false,
    extendedKeyUsage: [emailProtection],
    ...wrong,
  });
  return {
    rootPem,
    chain: [leafPem, intermediatePem, rootPem],
    certificateChainPem: leafPem + intermediatePem,
    privateKeyPem: leaf.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function newKeys(curve = "P-256"): ReturnType<typeof generateKeyPairSync> {
  return generateKeyPairSync("ec", { namedCurve: curve });
}

describe("an operator's certificate and key", () => {
  test("are taken when they fit", async () => {
    const marker = await markerWith(good);
    const daysLeft = (marker.certificateExpiresAt.getTime() - Date.now()) / dayMs;
    expect(daysLeft).toBeGreaterThan(364);
    expect(daysLeft).toBeLessThan(366);
  });

  test("are taken with an authority between, with the root at the end or without", async () => {
    const { chain, ...credential } = issueChain();
    const bytes = await noise().png().toBuffer();
    const model = { id: "a", name: "A", provider: "A", procedural: false };
    for (const certificates of [chain, chain.slice(0, 2)]) {
      const marker = await markerWith({
        ...credential,
        certificateChainPem: certificates.join(""),
      });
      const [png] = await marker.mark({
        image: { bytes },
        model,
        ingredients: [],
        createdAt: new Date(),
      });
      const report = await verifyProvenance(png!.bytes, { trustAnchorsPem: credential.rootPem });
      expect(report).toMatchObject({
        state: "trusted",
        signedBy: { name: "Signer", organization: "Operator" },
      });
    }
  });

  const wrongKey = newKeys("P-384").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const damaged = good.certificateChainPem.replace(/MII.{20}/, "MIIAAAAAAAAAAAAAAAAAAAA");
  const mixed = good.certificateChainPem + other.rootPem;
  const past = { notBefore: new Date(2020, 1), notAfter: new Date(2021, 1) };
  const future = { notBefore: new Date(2090, 1), notAfter: new Date(2091, 1) };
  const webServer = { extendedKeyUsage: ["1.3.6.1.5.5.7.3.1"] };

  test.each<[string, Credential, RegExp]>([
    ["another's key", { ...good, privateKeyPem: other.privateKeyPem }, /does not belong to/],
    ["no key", { ...good, privateKeyPem: "secret" }, /not an unencrypted PEM key/],
    ["a key on another curve", { ...good, privateKeyPem: wrongKey }, /P-256/],
    ["no certificate", { ...good, certificateChainPem: "" }, /no certificate/],
    ["damage", { ...good, certificateChainPem: damaged }, /certificate 1 .* cannot be read/],
    ["no order", { ...good, certificateChainPem: mixed }, /certificate 1 .* not issued by/],
    ["another root", { ...good, rootPem: other.rootPem }, /signingCredential\.untrusted/],
    ["no root", { ...good, rootPem: "" }, /trust/i],
    ["an end in the past", issueChain(past), /expired on 2021-/],
    ["a start in the future", issueChain(future), /not valid before 2090-/],
    ["an authority's certificate", issueChain({ isAuthority: true }), /of an authority/],
    ["no organization", issueChain({ subject: { commonName: "Signer" } }), /organization/],
    ["another purpose", issueChain(webServer), /emailProtection/],
    ["no purpose", issueChain({ extendedKeyUsage: [] }), /emailProtection/],
  ])("are refused at the start, with the reason: %s", async (_, credential, reason) => {
    const attempt = markerWith(credential);
    await expect(attempt).rejects.toThrow(/^The C2PA signing certificate cannot be used: /);
    await expect(attempt).rejects.toThrow(reason);
  });
});
