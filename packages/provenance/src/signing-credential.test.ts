import { describe, expect, test } from "vitest";
import { createDevelopmentCertificates } from "./development-certificates.ts";
import { createMarker } from "./marker.ts";
import { dayMs, issueChain, newKeys, pemOf } from "./testing/certificates.ts";
import { noise } from "./testing/images.ts";
import { verifyProvenance } from "./verify-provenance.ts";

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

describe("an operator's certificate and key", () => {
  test("are taken when they fit", async () => {
    const marker = await markerWith(good);
    const daysLeft = (marker.certificateExpiresAt.getTime() - Date.now()) / dayMs;
    expect(daysLeft).toBeGreaterThan(364);
    expect(daysLeft).toBeLessThan(366);
  });

  test("are taken with an authority between, with the root at the end or without", async () => {
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
