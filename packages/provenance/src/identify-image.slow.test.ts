import { X509Certificate } from "node:crypto";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { hashDistance } from "@atelier/watermark";
import { c2paSettings, loadC2pa, toBlob } from "./c2pa.ts";
import { createClaimSigner } from "./cose.ts";
import { createDevelopmentCertificates } from "./development-certificates.ts";
import {
  identifyHash,
  identifyImage,
  type ImageRegistry,
  type RegisteredImage,
} from "./identify-image.ts";
import { inspectImage } from "./inspect-image.ts";
import { createMarker, type MarkedImage } from "./marker.ts";
import { createFileSigner } from "./sign-files.ts";
import { readSigningCredential } from "./signing-credential.ts";
import { verifyProvenance } from "./verify-provenance.ts";
import { noise } from "./testing/images.ts";
import { readOwnSigners } from "./own-signers.ts";
import { createMarkReader } from "./search-watermarks.ts";
import { issueChain } from "./testing/certificates.ts";
import { xmpPacket } from "./xmp.ts";
import {
  bindings,
  claimGenerator,
  formats,
  ofFormat,
  procedural,
  request,
  trained,
  trust,
} from "./testing/marker.ts";

const certificates = await createDevelopmentCertificates();
const watermarkSecrets = ["the secret of this installation"];
const trustAnchorsPem = certificates.rootPem;
const marker = await createMarker({
  ...certificates,
  trustAnchorsPem,
  claimGenerator,
  watermarkSecrets,
});

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480">
  <defs><linearGradient id="g"><stop stop-color="#246"/><stop offset="1" stop-color="#eca"/>
  </linearGradient></defs><rect width="640" height="480" fill="url(#g)"/>
  <circle cx="250" cy="230" r="120" fill="#8a4"/></svg>`;
const grain = await noise({ width: 640, height: 480 }).png().toBuffer();
const picture = sharp(Buffer.from(drawing))
  .composite([{ input: grain, blend: "soft-light" }])
  .removeAlpha();
const source = await picture.png().toBuffer();
const images = await marker.mark(request(source));
const png = ofFormat(images, "png").bytes;

const record: RegisteredImage = {
  renderId: "019a9f30-9c1d-7a55-8e20-5b7c1d2e3f40",
  model: "acme-1",
  createdAt: new Date("2026-11-20T10:00:00Z"),
  formats,
  synthetic: "trained_model",
};

/** A registry that contains these files, with the record of the first matching one. */
function registryOf(
  files: readonly MarkedImage[],
  found: RegisteredImage = record,
  { keepsDossiers = true }: { readonly keepsDossiers?: boolean } = {},
): ImageRegistry {
  const compare = (file: MarkedImage | undefined, look: string | null) =>
    file === undefined || look === null ? 256 : hashDistance(look, file.softBinding.perceptualHash);
  return {
    async findByFileHash(sha256) {
      return files.some((file) => file.sha256 === sha256) ? found : null;
    },
    async findByWatermark(id, look) {
      const file = files.find(({ softBinding }) => softBinding.watermarkId === id);
      return file === undefined ? null : { ...found, distance: compare(file, look) };
    },
    async readDossier() {
      return keepsDossiers ? (files[0]?.dossier ?? null) : null;
    },
    async findByPerceptualHash(look) {
      const distance = compare(files[0], look);
      return distance <= 15 ? { ...found, distance } : null;
    },
  };
}

/** The registries of several images as one. */
function joined(...registries: readonly ImageRegistry[]): ImageRegistry {
  async function first<Found>(ask: (registry: ImageRegistry) => Promise<Found | null>) {
    for (const registry of registries) {
      const found = await ask(registry);
      if (found !== null) return found;
    }
    return null;
  }
  return {
    findByFileHash: (sha256) => first((registry) => registry.findByFileHash(sha256)),
    findByWatermark: (id, look) => first((registry) => registry.findByWatermark(id, look)),
    findByPerceptualHash: (look) => first((registry) => registry.findByPerceptualHash(look)),
    readDossier: (renderId) => first((registry) => registry.readDossier(renderId)),
  };
}

/** Like a registry of an earlier version. */
const withoutDossiers = registryOf(images, record, { keepsDossiers: false });

const ownSigners = readOwnSigners(certificates.certificateChainPem, trustAnchorsPem);
const options = { trustAnchorsPem, ownSigners, watermarkSecrets, registry: registryOf(images) };

async function identify(bytes: Uint8Array, changes: Partial<typeof options> = {}) {
  const { watermarkSecrets: secrets, registry, ...inspection } = { ...options, ...changes };
  const traces = await inspectImage(bytes, { ...inspection, maxPixels: 1_000_000 });
  return identifyImage(traces, createMarkReader(secrets)(traces.searchable), registry);
}

async function resultsOf(bytes: Uint8Array, changes: Partial<typeof options> = {}) {
  const { techniques, ...identification } = await identify(bytes, changes);
  const results = Object.fromEntries(techniques.map((one) => [one.technique, one.result]));
  return { ...identification, ...results };
}

function serialOf(certificatePem: string): Buffer {
  return Buffer.from(new X509Certificate(certificatePem).serialNumber, "hex");
}

/** Another picture of the same installation. */
const otherDrawing = drawing
  .replace('cx="250" cy="230" r="120"', 'cx="500" cy="330" r="60"')
  .replace('<stop stop-color="#246"/>', '<stop stop-color="#fff"/>')
  .replace('stop-color="#eca"', 'stop-color="#111"');
const otherSource = await sharp(Buffer.from(otherDrawing))
  .composite([{ input: grain, blend: "soft-light" }])
  .removeAlpha()
  .png()
  .toBuffer();
const otherImages = await marker.mark(request(otherSource));
const otherRecord = { ...record, renderId: "019a9f30-9c1d-7a55-8e20-5b7c1d2e3f41" };

/** Puts the watermark of one image on another picture, as someone without the secret can. */
async function copyMark(from: MarkedImage, original: Buffer, onto: Buffer): Promise<Buffer> {
  const raw = (bytes: Uint8Array) => sharp(bytes).removeAlpha().raw().toBuffer();
  const [marked, before, target] = await Promise.all([raw(from.bytes), raw(original), raw(onto)]);
  const data = Buffer.from(
    Uint8ClampedArray.from(target, (value, at) => value + marked[at]! - before[at]!),
  );
  return sharp(data, { raw: { width: 640, height: 480, channels: 3 } })
    .png()
    .toBuffer();
}

describe("identifying an image", { timeout: 30_000 }, () => {
  it.each([...formats, "thumbnail"])("recognises a delivered %s by every technique", async (of) => {
    const { bytes } = images.find(({ format }) => format === of) ?? expect.unreachable();
    expect(await resultsOf(bytes)).toEqual({
      verdict: "made_here",
      basedOn: ["c2pa", "hash", "watermark", "fingerprint"],
      contradictedBy: [],
      image: record,
      synthetic: "trained_model",
      signer: { name: expect.any(String), organization: "Atelier", trusted: true },
      c2pa: "match",
      hash: "match",
      watermark: "match",
      fingerprint: "match",
      xmp: "match",
    });
  });

  it("recognises a smaller copy without metadata by watermark and fingerprint", async () => {
    const copy = await sharp(png).resize(400).jpeg({ quality: 60 }).toBuffer();
    expect(await resultsOf(copy)).toMatchObject({
      verdict: "made_here",
      image: record,
      synthetic: "trained_model",
      contradictedBy: [],
      c2pa: "no_match",
      hash: "no_match",
      watermark: "match",
      fingerprint: "match",
    });
  });

  it("takes what the record says of the making before what another signer or XMP states", async () => {
    const composite = { ...record, synthetic: "composite" as const };
    const copy = await sharp(png).keepXmp().webp({ quality: 90 }).toBuffer();
    expect(await resultsOf(copy, { registry: registryOf(images, composite) })).toMatchObject({
      verdict: "made_here",
      synthetic: "composite",
      xmp: "match",
    });
    const older = { ...record, synthetic: null };
    expect(await resultsOf(copy, { registry: registryOf(images, older) })).toMatchObject({
      synthetic: "trained_model",
    });
  });

  it.each([
    ["an AVIF", sharp(png).avif({ quality: 50, effort: 2 })],
    ["a GIF", sharp(png).gif()],
  ])("recognises a copy saved as %s by watermark and fingerprint", async (_, copy) => {
    expect(await resultsOf(await copy.toBuffer())).toMatchObject({
      verdict: "made_here",
      image: record,
      c2pa: "no_match",
      watermark: "match",
      fingerprint: "match",
    });
  });

  it("recognises its own SVG by the hash, and does not draw it", async () => {
    const files = await marker.mark(request(source, { svg: drawing, model: procedural }));
    const { bytes } = files.find(({ format }) => format === "svg") ?? expect.unreachable();
    expect(await resultsOf(bytes, { registry: registryOf(files) })).toMatchObject({
      verdict: "made_here",
      basedOn: ["hash"],
      signer: { organization: "Atelier", trusted: true },
      c2pa: "match",
      watermark: "not_checked",
      fingerprint: "not_checked",
      xmp: "no_match",
    });
  });

  it("recognises a crop by its watermark and the picture that is kept", async () => {
    const part = { left: 100, top: 60, width: 460, height: 360 };
    const cut = await sharp(png).extract(part).jpeg({ quality: 80 }).toBuffer();
    expect(await resultsOf(cut)).toMatchObject({
      verdict: "made_here",
      basedOn: ["watermark", "fingerprint"],
      image: record,
      synthetic: "trained_model",
      watermark: "match",
      fingerprint: "match",
    });
  });

  it("reports only the watermark of a crop if no picture is kept", async () => {
    const part = { left: 100, top: 60, width: 460, height: 360 };
    const cut = await sharp(png).extract(part).jpeg({ quality: 80 }).toBuffer();
    expect(await resultsOf(cut, { registry: withoutDossiers })).toMatchObject({
      verdict: "mark_found",
      image: record,
      synthetic: null,
      watermark: "match",
      fingerprint: "no_match",
    });
  });

  it("reports an image signed by another installation as generated by a trained model", async () => {
    const elsewhere = { registry: registryOf([]), watermarkSecrets: [], ownSigners: [] };
    expect(await resultsOf(png, { ...elsewhere, ...trust })).toMatchObject({
      verdict: "ai_generated",
      image: null,
      c2pa: "match",
      watermark: "not_checked",
    });
  });

  it("returns unknown for an unrelated image", async () => {
    const other = await sharp({
      create: { width: 400, height: 300, channels: 3, background: "#39c" },
    })
      .composite([
        { input: await noise({ width: 200, height: 300 }).png().toBuffer(), left: 0, top: 0 },
      ])
      .jpeg()
      .toBuffer();
    expect(await resultsOf(other)).toMatchObject({ verdict: "unknown", image: null });
  });

  it("reports a watermark that was copied onto a picture that is not registered", async () => {
    const plain = await sharp(otherSource).png().toBuffer();
    const forged = await copyMark(ofFormat(images, "png"), source, plain);
    expect(await resultsOf(forged)).toMatchObject({
      verdict: "mark_copied",
      basedOn: ["watermark", "fingerprint"],
      contradictedBy: [],
      image: record,
      synthetic: null,
      watermark: "match",
      fingerprint: "no_match",
    });
    expect(await resultsOf(forged, { registry: withoutDossiers })).toMatchObject({
      verdict: "mark_found",
      basedOn: ["watermark"],
      image: record,
      fingerprint: "no_match",
    });
  });

  it("reports the mark, and that it was probably copied, if the picture looks like another one", async () => {
    const forged = await copyMark(ofFormat(images, "png"), source, otherSource);
    const older = joined(withoutDossiers, registryOf(otherImages, otherRecord));
    const found = await identify(forged, { registry: { ...older, readDossier: async () => null } });
    expect(found).toMatchObject({ verdict: "mark_found", basedOn: ["watermark"], image: record });
    expect(found.techniques.find(({ technique }) => technique === "watermark")?.detail).toMatch(
      /looks like another registered image .* probably copied/,
    );
  });

  it("reports a picture that only looks like a registered one as similar_found, not as made here", async () => {
    expect(await resultsOf(await sharp(source).jpeg().toBuffer())).toMatchObject({
      verdict: "similar_found",
      basedOn: ["fingerprint"],
      image: record,
      synthetic: null,
      watermark: "no_match",
      fingerprint: "match",
    });
  });

  it("does not believe a manifest that was moved to another picture", async () => {
    const jpeg = Buffer.from(ofFormat(images, "jpeg").bytes);
    const other = await sharp(otherSource).jpeg().toBuffer();
    const pixels = jpeg.indexOf(Buffer.from([0xff, 0xdb]));
    const moved = Buffer.concat([
      jpeg.subarray(0, pixels),
      other.subarray(other.indexOf(Buffer.from([0xff, 0xdb]))),
    ]);
    expect(await resultsOf(moved)).toMatchObject({ c2pa: "invalid", image: null, signer: null });
  });

  it.each([
    [procedural, "rules"],
    [trained, "trained_model"],
  ] as const)("reports a WebP that kept only its XMP (%o)", async (model, synthetic) => {
    const [marked] = await marker.mark(request(source, { model }));
    const kept = await sharp(marked!.bytes).keepXmp().webp({ quality: 40 }).toBuffer();
    const elsewhere = { registry: registryOf([]), watermarkSecrets: [] };
    expect(await resultsOf(kept, elsewhere)).toMatchObject({
      verdict: "ai_generated",
      basedOn: ["xmp"],
      synthetic,
      signer: null,
      c2pa: "no_match",
      xmp: "match",
    });
  });

  it("does not search images that are too small or too narrow", async () => {
    for (const [width, height] of [
      [64, 64],
      [8_000, 100],
    ] as const) {
      const create = { width, height, channels: 3, background: "#39c" } as const;
      const bytes = await sharp({ create }).png().toBuffer();
      expect(await resultsOf(bytes)).toMatchObject({ watermark: "not_checked" });
    }
  });

  it("reports a signed file with damaged pixels as changed", async () => {
    const damaged = Buffer.from(png);
    damaged[damaged.length - 20]! ^= 1;
    expect(await resultsOf(damaged)).toMatchObject({
      verdict: "ai_generated",
      basedOn: ["xmp"],
      c2pa: "invalid",
      watermark: "not_checked",
      fingerprint: "not_checked",
      signer: null,
    });
  });

  it("looks up a hash alone", async () => {
    const { sha256 } = ofFormat(images, "webp");
    const known = await identifyHash(sha256, options.registry);
    expect(known).toMatchObject({ verdict: "made_here", basedOn: ["hash"], image: record });
    const unknown = await identifyHash("0".repeat(64), options.registry);
    expect(unknown).toMatchObject({ verdict: "unknown", image: null });
    expect(unknown.techniques.filter(({ result }) => result === "not_checked")).toHaveLength(4);
  });

  it("reads only manifest and XMP without a registry", async () => {
    const traces = await inspectImage(png, { trustAnchorsPem, ownSigners, maxPixels: 1_000_000 });
    expect(await identifyImage(traces, null, null)).toMatchObject({
      verdict: "ai_generated",
      basedOn: ["c2pa"],
      signer: { trusted: true },
      image: null,
    });
  });

  it("reports a modified file as invalid", async () => {
    const changed = Buffer.from(ofFormat(images, "jpeg").bytes);
    changed[changed.indexOf("acme-1")] = 0x62;
    expect(await resultsOf(changed)).toMatchObject({ c2pa: "invalid", hash: "no_match" });
  });
});

describe("a copy of a marked image that claims to be a photograph", { timeout: 30_000 }, () => {
  const photographer = issueChain();

  /** Signs pixels as someone who states a source type of their own choice. */
  async function signAs(sourceType: string, bytes: Uint8Array): Promise<Uint8Array> {
    const { Builder } = await loadC2pa();
    const settings = c2paSettings(photographer.rootPem);
    const digitalSourceType = `http://cv.iptc.org/newscodes/digitalsourcetype/${sourceType}`;
    const actions = [{ action: "c2pa.created", digitalSourceType }];
    const definition = { assertions: [{ label: "c2pa.actions.v2", data: { actions } }] };
    using builder = Builder.fromJson(JSON.stringify(definition), settings);
    const signer = createClaimSigner(
      readSigningCredential({ ...photographer, now: new Date() }),
      null,
    );
    // Awaited here, because the builder is freed at the end of this function.
    return await builder.sign(signer, [], "image/png", toBlob(bytes));
  }

  const stripped = sharp(png).png().toBuffer();
  const cut = { left: 100, top: 60, width: 460, height: 360 };

  it("is made here, and names the manifest that contradicts it", async () => {
    const found = await identify(await signAs("digitalCapture", await stripped));
    expect(found).toMatchObject({
      verdict: "made_here",
      basedOn: ["watermark", "fingerprint"],
      contradictedBy: ["c2pa"],
      synthetic: "trained_model",
      signer: { trusted: false },
    });
    expect(found.techniques[0]?.detail).toMatch(
      /not trusted\. It states .*digitalCapture.*contradicts/,
    );
  });

  it("names the contradiction of a crop of which only the mark is found", async () => {
    const part = await sharp(png).extract(cut).png().toBuffer();
    const registry = withoutDossiers;
    expect(await identify(await signAs("computationalCapture", part), { registry })).toMatchObject({
      verdict: "mark_found",
      contradictedBy: ["c2pa"],
      synthetic: null,
    });
  });

  it("names XMP that contradicts the record", async () => {
    const xmp = xmpPacket(
      "http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture",
      "xmp.iid:1",
    );
    const found = await identify(await sharp(png).withXmp(xmp).jpeg().toBuffer());
    expect(found).toMatchObject({ verdict: "made_here", contradictedBy: ["xmp"] });
    expect(found.techniques.at(-1)).toMatchObject({
      result: "no_match",
      detail: expect.stringContaining("contradicts"),
    });
  });

  it.each(["screenCapture", "composite", "trainedAlgorithmicMedia"])(
    "is not contradicted by %s, which a synthetic image can have too",
    async (sourceType) => {
      const found = await identify(await signAs(sourceType, await stripped));
      expect(found).toMatchObject({ verdict: "made_here", contradictedBy: [] });
    },
  );

  it("is not reported for a photograph without a mark", async () => {
    const photograph = await signAs("digitalCapture", otherSource);
    expect(await identify(photograph)).toMatchObject({ verdict: "unknown", contradictedBy: [] });
  });
});

describe("the signer of a manifest that names a registered image", { timeout: 30_000 }, () => {
  // An operator and a stranger have certificates of the same authority, which is trusted.
  const operator = issueChain();
  const stranger = operator.issueToStranger();
  const anchors = { trustAnchorsPem: operator.rootPem };

  async function markAs(
    { certificateChainPem, privateKeyPem }: typeof stranger,
    bytes: Uint8Array,
  ): Promise<readonly MarkedImage[]> {
    const chain = { certificateChainPem, privateKeyPem, ...anchors };
    const signer = await createMarker({ ...chain, claimGenerator, watermarkSecrets });
    return signer.mark(request(bytes));
  }

  /** Signs a picture with the watermark id of another one in its manifest. */
  async function signWithId(
    signer: typeof stranger,
    bytes: Uint8Array,
    watermarkId: string | null,
    rootsPem = operator.rootPem,
  ): Promise<Uint8Array> {
    const credential = readSigningCredential({ ...signer, now: new Date() });
    const sign = await createFileSigner(credential, rootsPem, null);
    const creation = {
      model: trained,
      claimGenerator,
      createdAt: new Date(),
      digitalSourceType: "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia",
      change: null,
      sourceFormat: "png",
      watermarkId,
      ...bindings,
      ...bindings,
    } as const;
    const [file] = await sign(creation, [], [{ format: "png", bytes }]);
    return file!.bytes;
  }

  /** Identifies by the manifest alone: no file of the registry has this hash, and no mark is read. */
  function identifyBySignature(
    bytes: Uint8Array,
    registered: readonly MarkedImage[],
    certificatesPem: string,
  ) {
    const registry = { ...registryOf(registered), findByFileHash: async () => null };
    return resultsOf(bytes, {
      ...anchors,
      ownSigners: readOwnSigners(certificatesPem, operator.rootPem),
      watermarkSecrets: [],
      registry,
    });
  }

  it("gives made_here for the certificate of this installation", async () => {
    const own = await markAs(operator, source);
    const { bytes } = ofFormat(own, "png");
    expect(await identifyBySignature(bytes, own, operator.certificateChainPem)).toMatchObject({
      verdict: "made_here",
      basedOn: ["c2pa", "fingerprint"],
      image: record,
    });
  });

  it("gives ai_generated for another certificate of the same authority with a copied id", async () => {
    const own = await markAs(operator, source);
    const { watermarkId } = ofFormat(own, "png").softBinding;
    const forged = await signWithId(stranger, otherSource, watermarkId);
    expect(await verifyProvenance(forged, anchors)).toMatchObject({
      state: "trusted",
      watermarkId,
    });
    expect(await identifyBySignature(forged, own, operator.certificateChainPem)).toMatchObject({
      verdict: "ai_generated",
      basedOn: ["c2pa"],
      image: null,
      signer: { name: "Signer", organization: "Stranger", trusted: true },
      c2pa: "match",
    });
  });

  it("gives made_here for an earlier certificate only while it is configured", async () => {
    const old = await markAs(operator, source);
    const { bytes } = ofFormat(old, "jpeg");
    const renewed = operator.issueToStranger();
    const certificatesPem = renewed.certificateChainPem + operator.leafPem;
    expect(await identifyBySignature(bytes, old, certificatesPem)).toMatchObject({
      verdict: "made_here",
    });
    expect(await identifyBySignature(bytes, old, renewed.certificateChainPem)).toMatchObject({
      verdict: "ai_generated",
      signer: { organization: "Operator" },
    });
  });

  it("gives ai_generated for a file of this installation whose id is not registered", async () => {
    const own = await markAs(operator, source);
    const { bytes } = ofFormat(own, "webp");
    expect(await identifyBySignature(bytes, [], operator.certificateChainPem)).toMatchObject({
      verdict: "ai_generated",
      image: null,
    });
  });

  it("compares the authority too, since another one can issue the same serial number", async () => {
    const impostor = issueChain({ serialNumber: serialOf(operator.leafPem) });
    const own = await markAs(operator, source);
    const { watermarkId } = ofFormat(own, "png").softBinding;
    const everyAnchor = operator.rootPem + impostor.rootPem;
    const forged = await signWithId(impostor, otherSource, watermarkId, everyAnchor);
    const report = await verifyProvenance(forged, {
      trustAnchorsPem: everyAnchor,
      ownSigners: readOwnSigners(operator.certificateChainPem, everyAnchor),
    });
    expect(report).toMatchObject({ state: "trusted", watermarkId, signedHere: false });
  });
});
