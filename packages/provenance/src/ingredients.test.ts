import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { createDevelopmentCertificates } from "./development-certificates.ts";
import { InvalidImageError } from "./image-format.ts";
import { createMarker } from "./marker.ts";
import { splitPng, withChunks } from "./testing/images.ts";
import {
  claimGenerator,
  formats,
  manifestsOf,
  marker,
  procedural,
  request,
  sources,
  trust,
} from "./testing/marker.ts";
import { verifyProvenance } from "./verify-provenance.ts";

const title = "reference 1";
const received = { ...sources, avif: await sharp(sources.png).avif({ effort: 0 }).toBuffer() };

describe("reference images", () => {
  test.each([...formats, "avif"] as const)(
    "a %s reference is recorded as an input of the creation",
    async (format) => {
      const ingredients = [{ bytes: received[format], title }];
      for (const image of await marker.mark(request(sources.png, { ingredients }))) {
        const [{ assertions }] = await manifestsOf(image);
        expect(assertions).toMatchObject({
          "c2pa.ingredient.v3": {
            "dc:title": title,
            "dc:format": `image/${format}`,
            relationship: "inputTo",
          },
        });
        expect(assertions["c2pa.actions.v2"]).toHaveProperty(
          "actions[0].parameters.ingredients[0].url",
          "self#jumbf=c2pa.assertions/c2pa.ingredient.v3",
        );
        const report = await verifyProvenance(image.bytes, trust);
        expect(report.ingredients).toEqual([
          { title, relationship: "inputTo", hasManifest: false },
        ]);
      }
    },
  );

  test("an edit opens its image, with the image's own manifest, and names how it was changed", async () => {
    const [original] = await marker.mark(request(sources.png));
    const [before] = await manifestsOf(original!);
    const ingredients = [
      { bytes: original!.bytes, title: "edited image", relationship: "parentOf" as const },
      { bytes: sources.jpeg, title },
    ];
    for (const image of await marker.mark(request(sources.png, { ingredients }))) {
      const kept = (await manifestsOf(image)).find(({ label }) => label === before.label);
      expect(kept?.assertions).toEqual(before.assertions);
      expect(kept?.["claim.v2"]).toEqual(before["claim.v2"]);
      const report = await verifyProvenance(image.bytes, trust);
      expect(report).toMatchObject({
        state: "trusted",
        aiGenerated: true,
        softwareAgent: "Acme One",
        ingredients: [
          { title: "edited image", relationship: "parentOf", hasManifest: true },
          { title, relationship: "inputTo", hasManifest: false },
        ],
      });
      expect(report.actions.slice(0, 2)).toEqual(["c2pa.opened", "c2pa.edited"]);
      expect(report.actions).not.toContain("c2pa.created");
      expect(report.digitalSourceType).toMatch(/compositeWithTrainedAlgorithmicMedia$/);
      expect(report.xmp?.digitalSourceType).toBe(report.digitalSourceType);
    }
  });

  test.each([
    ["edited", "parentOf", "c2pa.edited"],
    ["combined", "componentOf", "c2pa.created"],
  ] as const)(
    "an image %s by a built-in model is a composite with a synthetic element",
    async (_, relationship, action) => {
      const ingredients = [{ bytes: sources.jpeg, title: "photograph", relationship }];
      for (const image of await marker.mark(
        request(sources.png, { model: procedural, ingredients }),
      )) {
        const report = await verifyProvenance(image.bytes, trust);
        expect(report).toMatchObject({ synthetic: "composite", aiGenerated: null });
        expect(report.actions).toContain(action);
        expect(report.digitalSourceType).toBe(
          "http://cv.iptc.org/newscodes/digitalsourcetype/compositeSynthetic",
        );
        expect(report.xmp?.digitalSourceType).toBe(report.digitalSourceType);
      }
    },
  );

  test("an edit that was composited keeps the provider's manifest as a placed part", async () => {
    const provider = await createDevelopmentCertificates();
    const trustAnchorsPem = provider.rootPem;
    const foreign = await createMarker({ ...provider, trustAnchorsPem, claimGenerator });
    const [answer] = await foreign.mark(request(sources.png));
    const [before] = await manifestsOf(answer!);
    const ingredients = [
      { bytes: answer!.bytes, title: "provider", relationship: "componentOf" as const },
      { bytes: sources.png, title: "edited image", relationship: "parentOf" as const },
    ];
    for (const image of await marker.mark(request(sources.png, { ingredients }))) {
      const kept = (await manifestsOf(image)).find(({ label }) => label === before.label);
      expect(kept?.assertions).toEqual(before.assertions);
      const report = await verifyProvenance(image.bytes, trust);
      expect(report.state).toBe("trusted");
      expect(report.actions.slice(0, 3)).toEqual(["c2pa.opened", "c2pa.edited", "c2pa.placed"]);
      expect(report.ingredients).toEqual([
        { title: "provider", relationship: "componentOf", hasManifest: true },
        { title: "edited image", relationship: "parentOf", hasManifest: false },
      ]);
    }
  });

  test("a reference's own manifest is kept intact, regardless of its signer", async () => {
    const strangers = await createDevelopmentCertificates();
    const trustAnchorsPem = strangers.rootPem;
    const foreign = await createMarker({ ...strangers, trustAnchorsPem, claimGenerator });
    for (const source of [marker, foreign]) {
      const [reference] = await source.mark(request(sources.png, { model: procedural }));
      const [before] = await manifestsOf(reference!);
      const ingredients = [{ bytes: reference!.bytes, title }];
      for (const image of await marker.mark(request(sources.png, { ingredients }))) {
        const kept = (await manifestsOf(image)).find(({ label }) => label === before.label);
        expect(kept?.assertions).toEqual(before.assertions);
        const report = await verifyProvenance(image.bytes, trust);
        expect(report.state).toBe("trusted");
        expect(report.ingredients).toEqual([{ title, relationship: "inputTo", hasManifest: true }]);
      }
    }
  });

  test("in a chain of scenes, every manifest is stored once", async () => {
    let [previous] = await marker.mark(request(sources.png));
    for (let scene = 1; scene <= 4; scene += 1) {
      const ingredients = [previous!, previous!].map(({ bytes }) => ({ bytes, title }));
      [previous] = await marker.mark(request(sources.png, { ingredients }));
    }
    expect(await manifestsOf(previous!)).toHaveLength(5);
    expect((await verifyProvenance(previous!.bytes, trust)).ingredients).toHaveLength(2);
  });

  test("a tampered reference does not invalidate the image and is reported", async () => {
    const [reference] = await marker.mark(request(sources.png));
    const tampered = Buffer.from(reference!.bytes);
    tampered[tampered.length - 60]! ^= 1;
    const ingredients = [{ bytes: tampered, title }];
    for (const image of await marker.mark(request(sources.png, { ingredients }))) {
      const [{ assertions }] = await manifestsOf(image);
      const code = "assertion.dataHash.mismatch";
      expect(assertions["c2pa.ingredient.v3"]).toMatchObject({
        validationResults: { activeManifest: { failure: [expect.objectContaining({ code })] } },
      });
    }
  });

  test("a reference with malformed C2PA data is recorded without it", async () => {
    const bytes = withChunks(sources.png, { type: "caBX", data: Buffer.from("rubbish") });
    const ingredients = [{ bytes, title }];
    for (const image of await marker.mark(request(sources.png, { ingredients }))) {
      expect((await manifestsOf(image))[0].assertions["c2pa.ingredient.v3"]).toMatchObject({
        "dc:title": title,
        relationship: "inputTo",
        description: "C2PA data in this file, if there is any, could not be kept.",
      });
    }
  });

  test("a reference with huge C2PA data is recorded without it and does not affect the others", async () => {
    const [small] = await marker.mark(request(sources.png));
    const box = Buffer.from("\0\0\0\0jumb\0\0\0\x19jumd", "latin1");
    box.writeUInt32BE(2_000_001);
    const huge = withChunks(small!.bytes, { type: "teXt", data: box });
    const ingredients = [huge, small!.bytes].map((bytes) => ({ bytes, title }));
    for (const image of await marker.mark(request(sources.png, { ingredients }))) {
      const { state, ingredients: named } = await verifyProvenance(image.bytes, trust);
      expect(state).toBe("trusted");
      expect(named.map(({ hasManifest }) => hasManifest)).toEqual([false, true]);
    }
  });

  test("no damaged reference manifest prevents signing the image", async () => {
    const [reference] = await marker.mark(
      request(sources.png, { ingredients: [{ bytes: sources.png, title }] }),
    );
    const manifest = splitPng(reference!.bytes).find(({ type }) => type === "caBX")!;
    for (let at = 3; at < manifest.data.length; at += 79) {
      const data = Buffer.from(manifest.data);
      data[at]! ^= 0x55;
      const ingredients = [{ bytes: withChunks(sources.png, { type: "caBX", data }), title }];
      const [image] = await marker.mark(request(sources.png, { ingredients }));
      expect((await verifyProvenance(image!.bytes, trust)).ingredients).toHaveLength(1);
    }
  });

  test("a reference that is not an image is rejected", async () => {
    const ingredients = [{ bytes: Buffer.from("<svg/>"), title }];
    const work = marker.mark(request(sources.png, { ingredients }));
    await expect(work).rejects.toThrow(InvalidImageError);
  });
});

describe("the provider's own manifest", () => {
  test.each(formats)("in its %s is kept as an input of the creation", async (format) => {
    const strangers = await createDevelopmentCertificates();
    const trustAnchorsPem = strangers.rootPem;
    const provider = await createMarker({ ...strangers, trustAnchorsPem, claimGenerator });
    const marked = (await provider.mark(request(sources.png))).find(
      (image) => image.format === format,
    );
    const [before] = await manifestsOf(marked!);
    // Simulates a reference that uses all the space for manifests.
    const box = Buffer.from("\0\0\0\0jumb\0\0\0\x19jumd", "latin1");
    box.writeUInt32BE(2_000_000);
    const ingredients = [{ bytes: withChunks(sources.png, { type: "teXt", data: box }), title }];
    for (const image of await marker.mark(request(marked!.bytes, { ingredients }))) {
      const kept = (await manifestsOf(image)).find(({ label }) => label === before.label);
      expect(kept?.assertions).toEqual(before.assertions);
      const report = await verifyProvenance(image.bytes, trust);
      expect(report).toMatchObject({ state: "trusted", softwareAgent: "Acme One" });
      expect(report.ingredients).toEqual([
        { title: "image as the provider gave it", relationship: "inputTo", hasManifest: true },
        { title, relationship: "inputTo", hasManifest: false },
      ]);
    }
  });

  test("does not prevent signing when it is damaged", async () => {
    const [marked] = await marker.mark(request(sources.png));
    const bytes = withChunks(sources.png, {
      type: "caBX",
      data: splitPng(marked!.bytes)
        .find(({ type }) => type === "caBX")!
        .data.subarray(0, 900),
    });
    for (const image of await marker.mark(request(bytes))) {
      expect((await verifyProvenance(image.bytes, trust)).state).toBe("trusted");
    }
  });
});
