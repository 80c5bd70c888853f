import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { createDevelopmentCertificates } from "./development-certificates.ts";
import { createMarker } from "./marker.ts";
import { noise } from "./testing/images.ts";
import {
  claimGenerator,
  createdAt,
  formats,
  labels,
  manifestsOf,
  marker,
  ofFormat,
  procedural,
  request,
  sources,
  trained,
  trust,
} from "./testing/marker.ts";
import { verifyProvenance } from "./verify-provenance.ts";

const sourceType = "http://cv.iptc.org/newscodes/digitalsourcetype";
const strangers = await createDevelopmentCertificates();

/** A marker whose manifests have all assertions. */
const createLinkingMarker = () =>
  createMarker({
    ...strangers,
    trustAnchorsPem: strangers.rootPem,
    claimGenerator,
    watermarkSecrets: ["a secret of the installation"],
    verifyUrl: "https://example.com/verify",
  });

describe("the manifest", () => {
  test.each(formats)("of the %s is trusted only under its own root", async (format) => {
    const { bytes } = ofFormat(await marker.mark(request(sources.png)), format);
    expect(await verifyProvenance(bytes, trust)).toMatchObject({ state: "trusted", problems: [] });
    const elsewhere = await verifyProvenance(bytes, { trustAnchorsPem: strangers.rootPem });
    expect(elsewhere.state).toBe("valid");
    expect(elsewhere.problems).toEqual(["signingCredential.untrusted"]);
  });

  test.each(formats)("of the %s is invalid after one bit of a pixel changes", async (format) => {
    const { bytes } = ofFormat(await marker.mark(request(sources.png)), format);
    const changed = Buffer.from(bytes);
    // PNG and JPEG end with pixels; a WebP ends with the manifest, and its pixels are near the
    // start.
    changed[format === "webp" ? 200 : changed.length - 60]! ^= 1;
    const report = await verifyProvenance(changed, trust);
    expect(report.state).toBe("invalid");
    expect(report.problems).toContain("assertion.dataHash.mismatch");
  });

  test.each(formats)(
    "of the %s has only created assertions and no gathered ones",
    async (format) => {
      const ingredients = [{ bytes: sources.png, title: "reference 1" }];
      const picture = await noise({ width: 480, height: 320 }).png().toBuffer();
      const linking = await createLinkingMarker();
      const image = ofFormat(await linking.mark(request(picture, { ingredients })), format);
      const [{ "claim.v2": claim }] = await manifestsOf(image);
      expect(claim.gathered_assertions).toEqual([]);
      expect(labels(claim.created_assertions)).toEqual([
        "c2pa.actions.v2",
        "c2pa.ai-disclosure",
        "c2pa.hash.data",
        "c2pa.ingredient.v3",
        "c2pa.metadata",
        "c2pa.soft-binding",
        "c2pa.soft-binding__1",
      ]);
    },
  );

  test("declares its generator and the version of the specification", async () => {
    for (const image of await marker.mark(request(sources.png))) {
      const [{ "claim.v2": claim }] = await manifestsOf(image);
      expect(claim.claim_generator_info).toMatchObject({ ...claimGenerator, specVersion: "2.4.0" });
    }
  });

  test("has an id and an instance id that are unique to each file", async () => {
    const images = await marker.mark(request(sources.png));
    const manifests = await Promise.all(images.map(async (image) => (await manifestsOf(image))[0]));
    expect(new Set(manifests.map(({ label }) => label)).size).toBe(4);
    expect(new Set(manifests.map((each) => each["claim.v2"].instanceID)).size).toBe(4);
  });

  const asMade: string[] = [];
  const converted = ["c2pa.converted"];
  const resized = "c2pa.resized.proportional";
  const encoded = {
    jpeg: converted,
    webp: converted,
    thumbnail: [resized, ...converted],
    svg: asMade,
  };
  test.each([
    { from: "png", later: { png: asMade, ...encoded } },
    { from: "jpeg", later: { png: converted, ...encoded } },
    { from: "webp", later: { png: converted, ...encoded } },
  ] as const)("lists all actions applied to a $from, creation first", async ({ from, later }) => {
    for (const image of await marker.mark(request(sources[from]))) {
      const [{ assertions }] = await manifestsOf(image);
      expect(assertions["c2pa.actions.v2"]).toEqual({
        allActionsIncluded: true,
        actions: [
          {
            action: "c2pa.created",
            digitalSourceType: `${sourceType}/trainedAlgorithmicMedia`,
            when: createdAt.toISOString(),
            softwareAgent: { name: "Acme One", version: "acme-1" },
            description: "Made by Acme One of Acme",
          },
          ...later[image.format].map((action) => ({
            action,
            when: expect.stringMatching(/^\d{4}-.*Z$/),
            softwareAgent: claimGenerator,
            // Also the PNG lacks what the JPEG of the model has lost.
            ...(from === "jpeg" && action === "c2pa.converted"
              ? { description: "Converted from JPEG" }
              : {}),
          })),
        ],
      });
    }
  });

  test("discloses a trained model", async () => {
    for (const image of await marker.mark(request(sources.png))) {
      const [{ assertions }] = await manifestsOf(image);
      expect(assertions["c2pa.ai-disclosure"]).toEqual({
        modelType: "c2pa.types.model",
        modelName: "Acme One",
        contentProfile: { humanOversightLevel: "prompt_guided" },
      });
      expect(await verifyProvenance(image.bytes, trust)).toMatchObject({
        synthetic: "trained_model",
        aiGenerated: true,
      });
    }
  });

  test("does not declare a trained model for procedural images", async () => {
    for (const image of await marker.mark(request(sources.png, { model: procedural }))) {
      const [{ assertions }] = await manifestsOf(image);
      expect(assertions).not.toHaveProperty(["c2pa.ai-disclosure"]);
      expect(await verifyProvenance(image.bytes, trust)).toMatchObject({
        digitalSourceType: `${sourceType}/algorithmicMedia`,
        synthetic: "rules",
        aiGenerated: null,
      });
    }
  });

  test.each([trained, procedural])("matches the XMP: $name", async (model) => {
    for (const image of await marker.mark(request(sources.png, { model }))) {
      const xmp = (await sharp(image.bytes).metadata()).xmpAsString;
      const [{ "claim.v2": claim }] = await manifestsOf(image);
      const { digitalSourceType } = await verifyProvenance(image.bytes, trust);
      expect(xmp).toContain(`Iptc4xmpExt:DigitalSourceType="${digitalSourceType}"`);
      expect(xmp).toContain(`xmpMM:InstanceID="${claim.instanceID}"`);
    }
  });

  test("is small and contains no thumbnail", async () => {
    const [png] = await marker.mark(request(sources.png));
    const [{ assertions }] = await manifestsOf(png!);
    expect(Object.keys(assertions).join()).not.toContain("thumbnail");
    expect(png!.sizeBytes - sources.png.length).toBeLessThan(4_000);
  });
});
