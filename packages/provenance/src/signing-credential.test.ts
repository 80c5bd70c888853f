import { describe, expect, test } from "vitest";
import { createDevelopmentCertificates } from "./development-certificates.ts";
import { createMarker } from "./marker.ts";
import { dayMs, issueChain, newKeys, pemOf } from "./testing/certificates.ts";
import { noise } from "./testing/images.ts";
import { verifyProvenance } from "./verify-provenance.ts";

const valid = await createDevelopmentCertificates();
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

describe("an operator's certificate and key", () => {
  test("are accepted when they match", async () => {
    const marker = await markerWith(valid);
    const daysLeft = (marker.certificateExpiresAt.getTime() - Date.now()) / dayMs;
    expect(daysLeft).toBeGreaterThan(364);
    expect(daysLeft).toBeLessThan(366);
  });

  test("are accepted with an intermediate authority, with or without the root at the end", async () => {
    const credential = issueChain();
    const { leafPem, intermediatePem, rootPem } = credential;
    const bytes = await noise().png().toBuffer();
    const model = { id: "a", name: "A", provider: "A", procedural: false };
    const chain = [leafPem, intermediatePem];
    for (const certificates of [[...chain, rootPem], chain]) {
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

  const wrongKey = pemOf(newKeys("P-384").privateKey);
  const damaged = valid.certificateChainPem.replace(/MII.{20}/, "MIIAAAAAAAAAAAAAAAAAAAA");
  const mixed = valid.certificateChainPem + other.rootPem;
  const past = { notBefore: new Date(2020, 1), notAfter: new Date(2021, 1) };
  const future = { notBefore: new Date(2090, 1), notAfter: new Date(2091, 1) };
  const webServer = { extendedKeyUsage: ["1.3.6.1.5.5.7.3.1"] };

  test.each<[string, Credential, RegExp]>([
    [
      "the key of another certificate",
      { ...valid, privateKeyPem: other.privateKeyPem },
      /does not belong to/,
    ],
    ["no key", { ...valid, privateKeyPem: "secret" }, /not an unencrypted PEM key/],
    ["a key on another curve", { ...valid, privateKeyPem: wrongKey }, /P-256/],
    ["no certificate", { ...valid, certificateChainPem: "" }, /no certificate/],
    ["damage", { ...valid, certificateChainPem: damaged }, /certificate 1 .* cannot be read/],
    [
      "certificates in the wrong order",
      { ...valid, certificateChainPem: mixed },
      /certificate 1 .* not issued by/,
    ],
    ["an untrusted root", { ...valid, rootPem: other.rootPem }, /signingCredential\.untrusted/],
    ["no root", { ...valid, rootPem: "" }, /trust/i],
    ["an expired certificate", issueChain(past), /expired on 2021-/],
    ["a certificate that is not yet valid", issueChain(future), /not valid before 2090-/],
    ["a CA certificate", issueChain({ isAuthority: true }), /of an authority/],
    ["no organization", issueChain({ subject: { commonName: "Signer" } }), /organization/],
    ["the wrong extended key usage", issueChain(webServer), /emailProtection/],
    ["no extended key usage", issueChain({ extendedKeyUsage: [] }), /emailProtection/],
  ])("are rejected at start: %s", async (_, credential, reason) => {
    const attempt = markerWith(credential);
    await expect(attempt).rejects.toThrow(/^The C2PA signing certificate cannot be used: /);
    await expect(attempt).rejects.toThrow(reason);
  });
});
