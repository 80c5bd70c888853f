import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { createDevelopmentCertificates } from "./development-certificates.ts";
import { InvalidImageError } from "./image-format.ts";
import { createMarker } from "./marker.ts";
import { noise, splitPng, withChunks } from "./testing/images.ts";
import { verifyProvenance } from "./verify-provenance.ts";

const certificates = await createDevelopmentCertificates();
const trust = { trustAnchorsPem: certificates.rootPem };
const png = await noise().png().toBuffer();

describe("verifyProvenance", () => {
  test("reports the statements of a trusted manifest", async () => {
    const claimGenerator = { name: "Atelier", version: "1.2.3" };
    const marker = await createMarker({ ...certificates, ...trust, claimGenerator });
    const [image] = await marker.mark({
      image: { bytes: png },
      model: { id: "acme-1", name: "Acme One", provider: "Acme", procedural: false },
      ingredients: [{ bytes: png, title: "reference 1" }],
      createdAt: new Date("2026-11-20T10:00:00.000Z"),
    });
    expect(await verifyProvenance(image!.bytes, trust)).toEqual({
      state: "trusted",
      actions: ["c2pa.created"],
      watermarkId: null,
      problems: [],
      timeStamp: null,
      digitalSourceType: "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia",
      synthetic: "trained_model",
      aiGenerated: true,
      xmp: {
        digitalSourceType: "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia",
        synthetic: "trained_model",
      },
      softwareAgent: "Acme One",
      createdAt: "2026-11-20T10:00:00.000Z",
      claimGenerator: "Atelier 1.2.3",
      signedBy: { name: "Atelier development signer", organization: "Atelier" },
      signedHere: false,
      ingredients: [{ title: "reference 1", relationship: "inputTo", hasManifest: false }],
    });
  });

  test("reports a manifest copied to another image as invalid", async () => {
    const claimGenerator = { name: "Atelier", version: "1.2.3" };
    const marker = await createMarker({ ...certificates, ...trust, claimGenerator });
    const model = { id: "a", name: "A", provider: "A", procedural: false };
    const marks = { model, ingredients: [], createdAt: new Date() };
    const [image] = await marker.mark({ image: { bytes: png }, ...marks });
    const manifest = splitPng(image!.bytes).find(({ type }) => type === "caBX");
    const other = withChunks(await noise({ width: 32 }).png().toBuffer(), manifest!);
    const report = await verifyProvenance(other, trust);
    expect(report.state).toBe("invalid");
    expect(report.aiGenerated).toBeNull();
  });

  test.each(["png", "jpeg", "webp"] as const)(
    "reports no manifest for a plain %s",
    async (format) => {
      const report = await verifyProvenance(await noise().toFormat(format).toBuffer(), trust);
      expect(report).toMatchObject({
        state: "absent",
        problems: [],
        aiGenerated: null,
        signedBy: null,
      });
    },
  );

  test("does not fetch a remote manifest", async () => {
    const link = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dcterms="http://purl.org/dc/terms/" dcterms:provenance="http://127.0.0.1:9/manifest.c2pa"/></rdf:RDF></x:xmpmeta>`;
    const linked = await sharp(png).withXmp(link).jpeg().toBuffer();
    expect(await verifyProvenance(linked, trust)).toMatchObject({ state: "absent" });
  });

  test("reports malformed manifest data as invalid", async () => {
    const invalidManifest = withChunks(png, { type: "caBX", data: Buffer.from("rubbish") });
    const report = await verifyProvenance(invalidManifest, trust);
    expect(report.state).toBe("invalid");
    expect(report.problems).toHaveLength(1);
  });

  test("rejects data that is not an image", async () => {
    await expect(verifyProvenance(Buffer.from("hello"), trust)).rejects.toThrow(InvalidImageError);
  });
});
