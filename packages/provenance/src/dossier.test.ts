import { zstdCompressSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { createDevelopmentCertificates } from "./development-certificates.ts";
import { decodeDossier, encodeDossier } from "./dossier.ts";
import { activeManifestOf, findManifest, manifestIdOf } from "./find-manifest.ts";
import { createMarker, type MarkedImage } from "./marker.ts";
import { readBoxes } from "./jumbf.ts";
import { noise } from "./testing/images.ts";
import { claimGenerator, manifestsOf, request } from "./testing/marker.ts";

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>`;
const vector = (bytes: Uint8Array) => request(bytes, { svg });

describe("the dossier of an image", () => {
  let source: Buffer;
  let images: readonly MarkedImage[];

  beforeAll(async () => {
    const certificates = await createDevelopmentCertificates();
    const marker = await createMarker({
      ...certificates,
      trustAnchorsPem: certificates.rootPem,
      claimGenerator,
      watermarkSecrets: ["a secret of the installation"],
    });
    const [first] = await marker.mark(
      request(await noise({ width: 480, height: 320 }).png().toBuffer()),
    );
    source = Buffer.from(first!.bytes);
    images = await marker.mark(vector(source));
  });

  it("contains the manifest store of each file under the id of its active manifest", async () => {
    const { manifests } = decodeDossier(images[0]!.dossier);
    expect(images.map(({ format }) => format)).toEqual(["png", "jpeg", "webp", "thumbnail", "svg"]);
    expect(manifests.map(({ id }) => id)).toEqual(images.map(({ manifestId }) => manifestId));
    for (const [index, image] of images.entries()) {
      const [active] = await manifestsOf(image);
      expect(manifestIdOf(active.label)).toBe(image.manifestId);
      const format = image.format === "thumbnail" ? "webp" : image.format;
      const found = findManifest(format, Buffer.from(image.bytes));
      expect(found?.store.equals(manifests[index]!.store)).toBe(true);
    }
  });

  it("contains a picture of 48 × 48 cells in the shape of an image with a watermark", async () => {
    const { look } = decodeDossier(images[0]!.dossier);
    expect(look).toMatchObject({ width: 480, height: 320, columns: 59, rows: 39 });
    expect(images[0]!.dossier.length).toBeLessThan(16_000);
  });

  it("returns what was encoded, also without a picture", () => {
    const dossier = { look: null, manifests: [{ id: "x", store: Buffer.from("store") }] };
    expect(decodeDossier(encodeDossier(dossier))).toEqual(dossier);
  });

  it("is refused when it is damaged", () => {
    const { dossier } = images[0]!;
    expect(() => decodeDossier(dossier.subarray(0, 900))).toThrow();
    expect(() => decodeDossier(zstdCompressSync(Buffer.from([0xa0])))).toThrow(/no manifests/);
  });

  it("yields the active manifest without those of ingredients", () => {
    const [png] = decodeDossier(images[0]!.dossier).manifests;
    const labels = (store: Buffer) => readBoxes(store)[0]?.boxes.map(({ label }) => label);
    expect(labels(png!.store)).toHaveLength(3);
    expect(labels(activeManifestOf(png!.store))).toEqual([null, `urn:c2pa:${png!.id}`]);
  });
});
