import { JPEG, PNG } from "@trustnxt/c2pa-ts/asset";
import { SuperBox } from "@trustnxt/c2pa-ts/jumbf";
import { ManifestStore, type ValidationResult } from "@trustnxt/c2pa-ts/manifest";
import { expect, it } from "vitest";
import { createDevelopmentCertificates } from "./development-certificates.ts";
import { createMarker } from "./marker.ts";
import { noise } from "./testing/images.ts";
import { claimGenerator, ofFormat, request } from "./testing/marker.ts";

// A second implementation of C2PA, which shares no code with the library that signs. It reads PNG
// and JPEG, and no time stamps of version 2.
const certificates = await createDevelopmentCertificates();
const marker = await createMarker({
  ...certificates,
  trustAnchorsPem: certificates.rootPem,
  claimGenerator,
  watermarkSecrets: ["a secret of the installation"],
  verifyUrl: "https://images.example.com/verify",
});
const large = noise({ width: 320, height: 256 });
const [png, jpeg] = await Promise.all([large.png().toBuffer(), large.jpeg().toBuffer()]);
const signed = ofFormat(await marker.mark(request(png)), "png").bytes;

const requests = {
  "an image with a watermark": request(png),
  "an image whose model returned a JPEG": request(jpeg),
  "an image that was signed before": request(signed),
  "an image from a signed reference": request(png, {
    ingredients: [{ bytes: signed, title: "reference" }],
  }),
};

function validate(bytes: Uint8Array): Promise<ValidationResult> {
  const file = new Uint8Array(bytes);
  const asset = PNG.canRead(file) ? new PNG(file) : new JPEG(file);
  const box = SuperBox.fromBuffer(new Uint8Array(asset.getManifestJUMBF() ?? []));
  return ManifestStore.read(box).validate(asset);
}

const all = Object.entries(requests);
for (const [options, some] of [
  [{}, all.slice(0, 1)],
  [{ tags: "full" }, all.slice(1)],
] as const) {
  it.each(some)("validates the PNG and JPEG of %s", options, async (_, each) => {
    const images = await marker.mark(each);
    const files = [ofFormat(images, "png").bytes, ofFormat(images, "jpeg").bytes];
    for (const bytes of files) {
      const { isValid, statusEntries } = await validate(bytes);
      expect(statusEntries.filter(({ success }) => success !== true)).toEqual([]);
      expect(isValid).toBe(true);
    }
  });
}

it("rejects a file of which one pixel was changed", async () => {
  const changed = Buffer.from(signed);
  changed[changed.length - 40]! ^= 1;
  expect((await validate(changed)).isValid).toBe(false);
});
