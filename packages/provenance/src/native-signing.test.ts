import { X509Certificate } from "node:crypto";
import { imageMediaTypes } from "@atelier/kit";
import { decode } from "cbor-x";
import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { c2paSettings, loadC2pa } from "./c2pa.ts";
import { checkSignedFile } from "./check-signed.ts";
import { findCbor, readBoxes, type JumbfBox } from "./jumbf.ts";
import { findStore } from "./manifest-slot.ts";
import { createMarker, type MarkedImage, type MarkRequest } from "./marker.ts";
import { createFileSigner } from "./sign-files.ts";
import { readSigningCredential } from "./signing-credential.ts";
import { issueChain } from "./testing/certificates.ts";
import { noise } from "./testing/images.ts";
import {
  bindings,
  claimGenerator,
  createdAt,
  procedural,
  request,
  trained,
} from "./testing/marker.ts";
import { startTimeStampAuthority } from "./testing/time-stamp-authority.ts";
import { verifyProvenance } from "./verify-provenance.ts";
import { xmpPacket } from "./xmp.ts";

// A chain with an intermediate authority, as operators have it.
const chain = issueChain();
const certificate = new X509Certificate(chain.leafPem);
const verifyUrl = "https://images.example.com/verify?from=file&lang=de";
const authority = await startTimeStampAuthority();
afterAll(() => authority.stop());
const options = {
  ...chain,
  trustAnchorsPem: chain.rootPem + authority.issuerPem,
  claimGenerator,
  watermarkSecrets: ["a secret of the installation"],
  algorithms: bindings.algorithms,
  verifyUrl,
};
const marker = await createMarker(options);
const byLibrary = await createMarker({ ...options, usesLibraryOnly: true });

const large = noise({ width: 320, height: 256 });
const png = await large.png().toBuffer();
const jpeg = await large.jpeg().toBuffer();
const webp = await large.webp().toBuffer();
const transparent = await noise({ width: 320, height: 256, channels: 4 }).png().toBuffer();
const small = await noise().jpeg().toBuffer();
const signed = (await marker.mark(request(png)))[0]!.bytes;
const otherSigned = (await marker.mark(request(small)))[2]!.bytes;

const requests: Readonly<Record<string, MarkRequest>> = {
  "an image of a trained model": request(png),
  "an image of a built-in model": request(png, { model: procedural }),
  "an image from a JPEG": request(jpeg),
  "an image from a WebP": request(webp),
  "an image with transparency": request(transparent),
  "a small image, which has no watermark": request(small),
  "an image that was signed before": request(signed),
  "an image from references without manifests": request(png, {
    ingredients: [png, jpeg, webp].map((bytes) => ({ bytes, title: "reference" })),
  }),
  "an edit with a placed part and a reference, all signed": request(png, {
    ingredients: [
      { bytes: signed, title: "part", relationship: "componentOf" },
      { bytes: signed, title: "edited image", relationship: "parentOf" },
      { bytes: otherSigned, title: "reference" },
    ],
  }),
};

type Readable = Pick<MarkedImage, "mediaType" | "bytes">;

/** All statements of a file without those that differ from one file to the next. */
async function statementsOf({ mediaType, bytes }: Readable): Promise<unknown> {
  const { Reader } = await loadC2pa();
  const settings = c2paSettings(options.trustAnchorsPem);
  using reader = await Reader.fromBytes(mediaType, bytes, settings);
  const { manifests } = JSON.parse(reader.crJson()) as { manifests: readonly object[] };
  const [active, ...others] = manifests;
  const changing =
    /^(label|instanceID|hash|pad|exclusions|when|value|signature|url|time|.*[tT]ime|ingredientAssertionURI)$/;
  return { active: without(active, changing), others: without(others, /^validationTime$/) };
}

function without(statements: unknown, names: RegExp): unknown {
  const kept = JSON.stringify(statements, (key, value: unknown) =>
    names.test(key) ? undefined : value,
  );
  return JSON.parse(kept);
}

/** The library's judgement of each file, and what the file states. */
function factsOf(files: readonly MarkedImage[]): Promise<object[]> {
  return Promise.all(
    files.map(async (file) => {
      const { format, signingFallback } = file;
      const { state, problems } = await verifyProvenance(file.bytes, options);
      return { format, signingFallback, state, problems, statements: await statementsOf(file) };
    }),
  );
}

/** The facts of files that the library signed, as those of files that are valid and without a fallback. */
async function expectedOf(files: readonly MarkedImage[]): Promise<object[]> {
  const facts = await factsOf(files);
  return facts.map((each) => ({ ...each, signingFallback: null, state: "trusted", problems: [] }));
}

describe("files that are signed natively", { timeout: 60_000 }, () => {
  const all = Object.entries(requests);
  for (const [lane, some] of [
    [{}, all.slice(0, 1)],
    [{ tags: "full" }, all.slice(1)],
  ] as const) {
    it.each(some)("are valid and state the same as the library: %s", lane, async (_, asked) => {
      expect(await factsOf(await marker.mark(asked))).toEqual(
        await expectedOf(await byLibrary.mark(asked)),
      );
    });
  }

  it("are valid with a manifest of several JPEG segments", async () => {
    // Each reference has a manifest of its own, since equal ones are stored once; time stamps make
    // them large.
    const stamping = await createMarker({ ...options, timeStampUrls: [authority.url] });
    const references = [];
    while (references.length < 6) {
      const [file] = await stamping.mark(request(small));
      references.push({ bytes: file!.bytes, title: "reference" });
    }
    const asked = request(png, { ingredients: references });
    const files = await marker.mark(asked);
    const { store } = findStore("jpeg", Buffer.from(files[1]!.bytes));
    expect(store.length).toBeGreaterThan(65_535);
    expect(await factsOf(files)).toEqual(await expectedOf(await byLibrary.mark(asked)));
  });

  it("are valid with time stamps", async () => {
    const timeStampUrls = [authority.url];
    const stamping = await createMarker({ ...options, timeStampUrls });
    const like = await createMarker({ ...options, timeStampUrls, usesLibraryOnly: true });
    const files = await stamping.mark(request(png));
    expect(await factsOf(files)).toEqual(await expectedOf(await like.mark(request(png))));
    for (const { bytes } of files) {
      const { timeStamp } = await verifyProvenance(bytes, options);
      expect(timeStamp).toMatchObject({ trusted: true });
    }
  });

  it("name watermark and fingerprint as soft bindings, for another reader of CBOR too", async () => {
    for (const file of await marker.mark(request(png))) {
      const { store } = findStore(formatOf(file), Buffer.from(file.bytes));
      const { watermarkId, perceptualHash } = file.softBinding;
      const expected = [
        ["c2pa.soft-binding", "com.example.test.1", watermarkId],
        ["c2pa.soft-binding__1", "com.example.test.fingerprint.1", perceptualHash],
      ] as const;
      for (const [label, alg, value] of expected) {
        const { start, end } = findCbor(assertionsIn(store), label);
        const blocks = [{ scope: {}, value }];
        expect(decode(store.subarray(start, end))).toEqual({ alg, blocks, pad: Buffer.alloc(0) });
      }
    }
  });

  it("name the page that verifies images, in manifest and XMP", async () => {
    for (const file of await marker.mark(request(png))) {
      const { xmp } = await sharp(file.bytes).metadata();
      expect(xmp?.toString()).toContain(`<rdf:li>${verifyUrl.replace("&", "&amp;")}</rdf:li>`);
      const { store } = findStore(formatOf(file), Buffer.from(file.bytes));
      const { start, end } = assertionsIn(store).find(({ label }) => label === "c2pa.metadata")!;
      expect(store.subarray(start, end).toString()).toContain(`"dc:relation":["${verifyUrl}"]`);
    }
  });
});

const formatOf = ({ mediaType }: Readable) => {
  const formats = ["png", "jpeg", "webp"] as const;
  return formats.find((format) => imageMediaTypes[format] === mediaType) ?? expect.unreachable();
};

function assertionsIn(store: Buffer): readonly JumbfBox[] {
  const manifest = readBoxes(store)[0]?.boxes.at(-1);
  return manifest?.boxes.find(({ label }) => label === "c2pa.assertions")?.boxes ?? [];
}

describe("the check of a signed file", { timeout: 60_000 }, () => {
  const marking = marker.mark(
    request(png, { ingredients: [{ bytes: signed, title: "reference" }] }),
  );
  const now = new Date();

  it.each(["png", "jpeg", "webp", "thumbnail"])(
    "accepts a %s, and rejects it after a change of any part that is signed",
    async (name) => {
      const file = (await marking).find(({ format }) => format === name) ?? expect.unreachable();
      const [format, bytes] = [formatOf(file), Buffer.from(file.bytes)];
      checkSignedFile(format, bytes, certificate, now);
      const { start, length, store } = findStore(format, bytes);
      const changes: number[] = [];
      for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 50)) {
        if (at < start || at >= start + length) changes.push(at);
      }
      const manifest = readBoxes(store)[0]?.boxes.at(-1)?.boxes ?? [];
      const claim = findCbor(manifest, "c2pa.claim.v2");
      const signature = findCbor(manifest, "c2pa.signature");
      const ranges = [claim, { ...signature, start: signature.end - 64 }, ...assertionsIn(store)];
      // The store of this size is in one segment in each format, so that it is found again.
      const offset = bytes.indexOf(store);
      for (const { start: from, end } of ranges) changes.push(offset + from + 30, offset + end - 1);
      for (const at of changes) {
        const changed = Buffer.from(bytes);
        changed[at]! ^= 1;
        expect(() => checkSignedFile(format, changed, certificate, now), `byte ${at}`).toThrow();
      }
    },
  );

  it("rejects another certificate, and its own after it has expired", async () => {
    const [file] = await marking;
    const bytes = Buffer.from(file!.bytes);
    const stranger = new X509Certificate(chain.issueToStranger().leafPem);
    expect(() => checkSignedFile("png", bytes, stranger, now)).toThrow("the certificate");
    const later = new Date(certificate.validToDate.getTime() + 1_000);
    expect(() => checkSignedFile("png", bytes, certificate, later)).toThrow("validity");
  });
});

describe("a file of another layout than expected", () => {
  it("is signed by the library, and the reason is reported for all files of the image", async () => {
    const credential = readSigningCredential({ ...chain, now: new Date() });
    const sign = await createFileSigner(credential, options.trustAnchorsPem, null);
    const creation = {
      model: trained,
      claimGenerator,
      createdAt,
      digitalSourceType: "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia",
      change: null,
      sourceFormat: "png",
      watermarkId: null,
      ...bindings,
      ...bindings,
    } as const;
    const xmp = xmpPacket("http://cv.iptc.org/newscodes/digitalsourcetype/digitalArt", "xmp.iid:1");
    // Without metadata, a WebP has no header that a manifest could be added to.
    const plain = await sharp(png).webp().toBuffer();
    const files = await sign(creation, [], [
      { format: "png", bytes: png, xmp },
      { format: "webp", bytes: plain, xmp },
    ] as const);
    for (const { bytes, fallback } of files) {
      expect(fallback).toBe("The WebP has no VP8X.");
      expect(await verifyProvenance(bytes, options)).toMatchObject({ state: "trusted" });
    }
  });
});
