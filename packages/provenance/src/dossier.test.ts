import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { array, byteString, map, textString } from "./cbor.ts";
import { createDevelopmentCertificates } from "./development-certificates.ts";
import { decodeDossier, encodeDossier } from "./dossier.ts";
import { activeManifestOf, findManifest, manifestIdOf } from "./find-manifest.ts";
import { createMarker, type MarkedImage } from "./marker.ts";
import { readBoxes } from "./jumbf.ts";
import { c2paSettings, loadC2pa, toBlob } from "./c2pa.ts";
import { createClaimSigner } from "./cose.ts";
import { readSigningCredential } from "./signing-credential.ts";
import { noise } from "./testing/images.ts";
import { claimGenerator, manifestsOf, request } from "./testing/marker.ts";

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>`;

/** A photograph of a client, whose manifest has a thumbnail and an author. */
async function photograph(thumbnail: Uint8Array, author: string): Promise<Uint8Array> {
  const certificates = await createDevelopmentCertificates();
  const { Builder } = await loadC2pa();
  const actions = [
    {
      action: "c2pa.created",
      digitalSourceType: "http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture",
    },
  ];
  const definition = {
    title: author,
    assertions: [{ label: "c2pa.actions.v2", data: { actions } }],
  };
  using builder = Builder.fromJson(JSON.stringify(definition), c2paSettings(certificates.rootPem));
  builder.setThumbnailFromBlob("image/jpeg", toBlob(thumbnail));
  const credential = readSigningCredential({ ...certificates, now: new Date() });
  const bytes = await noise().png().toBuffer();
  return await builder.sign(createClaimSigner(credential, null), [], "image/png", toBlob(bytes));
}

describe("the dossier of an image", () => {
  const author = "A. Photographer";
  let source: Buffer;
  let thumbnail: Buffer;
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
    thumbnail = await noise().jpeg().toBuffer();
    const ingredients = [{ bytes: await photograph(thumbnail, author), title: "reference 1" }];
    images = await marker.mark(request(source, { svg, ingredients }));
  });

  it("contains the active manifest of each file under its id", async () => {
    const { manifests } = decodeDossier(images[0]!.dossier);
    expect(images.map(({ format }) => format)).toEqual(["png", "jpeg", "webp", "thumbnail", "svg"]);
    expect(manifests.map(({ id }) => id)).toEqual(images.map(({ manifestId }) => manifestId));
    for (const [index, image] of images.entries()) {
      const [active] = await manifestsOf(image);
      expect(manifestIdOf(active.label)).toBe(image.manifestId);
      const format = image.format === "thumbnail" ? "webp" : image.format;
      const found = findManifest(format, Buffer.from(image.bytes));
      expect(activeManifestOf(found!.store).equals(manifests[index]!.store)).toBe(true);
    }
  });

  it("contains a picture of 48 × 48 cells in the shape of an image with a watermark", async () => {
    const { look } = decodeDossier(images[0]!.dossier);
    expect(look).toMatchObject({ width: 480, height: 320, columns: 59, rows: 39 });
    expect(images[0]!.dossier.length).toBeLessThan(16_000);
  });

  it("returns what was encoded, also without a picture", () => {
    const { manifests } = decodeDossier(images[0]!.dossier);
    const dossier = { look: null, manifests };
    expect(decodeDossier(encodeDossier(dossier))).toEqual(dossier);
  });

  it("is refused when it is damaged", () => {
    const { dossier } = images[0]!;
    expect(() => decodeDossier(dossier.subarray(0, 900))).toThrow();
    expect(() => decodeDossier(zstdCompressSync(Buffer.from([0xa0])))).toThrow(/no manifests/);
  });

  it("contains no manifest of a reference, its thumbnail or its author", () => {
    const labels = (store: Buffer) => readBoxes(store)[0]?.boxes.map(({ label }) => label);
    const { store, id } = findManifest("png", Buffer.from(images[0]!.bytes))!;
    expect(labels(store)).toHaveLength(4);
    for (const part of [thumbnail, author]) expect(store.includes(part)).toBe(true);

    const content = zstdDecompressSync(images[0]!.dossier);
    for (const part of [thumbnail, author]) expect(content.includes(part)).toBe(false);
    const [png] = decodeDossier(images[0]!.dossier).manifests;
    expect(labels(png!.store)).toEqual([null, `urn:c2pa:${id}`]);
  });

  it("yields no manifest of a reference that an earlier version kept", () => {
    const whole = findManifest("png", Buffer.from(images[0]!.bytes))!;
    const earlier = zstdCompressSync(
      map([
        textString("manifests"),
        array(
          map(
            [textString("id"), textString(whole.id)],
            [textString("store"), byteString(whole.store)],
          ),
        ),
      ]),
    );
    const [png] = decodeDossier(earlier).manifests;
    expect(png?.store.equals(activeManifestOf(whole.store))).toBe(true);
  });
});
