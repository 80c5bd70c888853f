import { describe, expect, it } from "vitest";
import sharp from "sharp";
import { createMarker, type MarkRequest } from "./marker.ts";
import { inspectImage } from "./inspect-image.ts";
import { createSearch } from "./search-watermarks.ts";
import { createDevelopmentCertificates } from "./development-certificates.ts";
import {
  claimGenerator,
  createdAt,
  formats,
  ofFormat,
  procedural,
  request,
  trained,
} from "./testing/marker.ts";
import { noise } from "./testing/images.ts";
import { verifyProvenance } from "./verify-provenance.ts";

const certificates = await createDevelopmentCertificates();
const trust = { trustAnchorsPem: certificates.rootPem };
const [oldSecret, secret] = ["the secret of last year", "the secret of this year"];
const create = (watermarkSecrets: readonly string[]) =>
  createMarker({ ...certificates, ...trust, claimGenerator, watermarkSecrets });
const marker = await create([secret, oldSecret]);
const search = createSearch([secret, oldSecret]);

const gradient = `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="384">
  <defs><linearGradient id="g"><stop stop-color="#246"/><stop offset="1" stop-color="#eca"/>
  </linearGradient></defs><rect width="512" height="384" fill="url(#g)"/>
  <circle cx="200" cy="190" r="90" fill="#8a4"/></svg>`;
const grain = await noise({ width: 512, height: 384 }).png().toBuffer();
const source = await sharp(Buffer.from(gradient))
  .composite([{ input: grain, blend: "soft-light" }])
  .removeAlpha()
  .png()
  .toBuffer();

const small = await sharp(source).resize(200, 200).png().toBuffer();

async function idsIn(bytes: Uint8Array): Promise<string[]> {
  const { searchable } = await inspectImage(bytes, {
    ...trust,
    ownSigners: [],
    maxPixels: 1_000_000,
  });
  return searchable === null ? [] : search(searchable).map(({ id }) => id);
}

// Detection can take seconds on a busy machine.
describe("a watermarked image", { timeout: 20_000 }, () => {
  const marking = marker.mark(request(source));

  it.each(formats)(
    "carries the same id in its pixels and in the manifest of its %s",
    async (format) => {
      const image = ofFormat(await marking, format);
      const { watermarkId } = image.softBinding;
      expect(watermarkId).toMatch(/^[0-9a-f]{16}$/);
      expect(await idsIn(image.bytes)).toEqual([watermarkId]);
      const report = await verifyProvenance(image.bytes, trust);
      expect(report).toMatchObject({ state: "trusted", problems: [], watermarkId });
    },
  );

  it.each([
    ["png", ["c2pa.created", "c2pa.watermarked.bound"]],
    ["jpeg", ["c2pa.created", "c2pa.watermarked.bound", "c2pa.converted"]],
  ] as const)("records its actions in the manifest of its %s", async (format, actions) => {
    const report = await verifyProvenance(ofFormat(await marking, format).bytes, trust);
    expect(report.actions).toEqual(actions);
  });

  it("has a unique id", async () => {
    const [one] = await marking;
    const [other] = await marker.mark(request(source));
    expect(other?.softBinding.watermarkId).not.toBe(one?.softBinding.watermarkId);
    expect(other?.softBinding.perceptualHash).toHaveLength(64);
  });

  it("lists its inputs' watermarks, including those of an older secret, and replaces its own", async () => {
    const [previous] = await (await create([oldSecret])).mark(request(source));
    const [reference] = await marking;
    const [image] = await marker.mark({
      image: { bytes: previous!.bytes },
      model: procedural,
      ingredients: [{ bytes: reference!.bytes, title: "reference" }],
      createdAt,
    });
    const { watermarkId, parentWatermarks } = image!.softBinding;
    expect(parentWatermarks).toEqual([
      previous!.softBinding.watermarkId,
      reference!.softBinding.watermarkId,
    ]);
    expect(await idsIn(image!.bytes)).toEqual([watermarkId]);
  });
});

describe("the search for earlier watermarks", { timeout: 20_000 }, () => {
  it("is skipped for a built-in model without references, which draws new pixels", async () => {
    const [previous] = await marker.mark(request(source));
    const image = { bytes: previous!.bytes };
    const parentsOf = async (model: typeof procedural, ingredients: MarkRequest["ingredients"]) => {
      const [file] = await marker.mark({ image, model, ingredients, createdAt });
      return file!.softBinding.parentWatermarks;
    };
    expect(await parentsOf(procedural, [])).toEqual([]);
    const found = [previous!.softBinding.watermarkId];
    expect(await parentsOf(trained, [])).toEqual(found);
    expect(await parentsOf(procedural, [{ bytes: small, title: "reference" }])).toEqual(found);
  });
});

describe("an image without a watermark", () => {
  it.each([
    ["too small", small, [secret]],
    ["from an installation without a secret", source, []],
  ])("is signed when it is %s", async (_, bytes, secrets) => {
    const images = await (await create(secrets)).mark(request(bytes));
    for (const image of images) {
      expect(image.softBinding).toMatchObject({ watermarkId: null });
      const report = await verifyProvenance(image.bytes, trust);
      expect(report).toMatchObject({ state: "trusted", watermarkId: null });
      expect(report.actions).not.toContain("c2pa.watermarked.bound");
    }
  });
});
