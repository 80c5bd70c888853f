import { c2paSettings, loadC2pa } from "../c2pa.ts";
import { createDevelopmentCertificates } from "../development-certificates.ts";
import type { ImageFormat } from "@atelier/kit";
import { createMarker } from "../marker.ts";
import type { MarkedImage, MarkRequest } from "../marker.ts";
import { noise } from "./images.ts";

/** Fixtures shared by the marking tests. */
const certificates = await createDevelopmentCertificates();

export const trust = { trustAnchorsPem: certificates.rootPem };
export const claimGenerator = { name: "Atelier", version: "1.2.3" };
export const marker = await createMarker({ ...certificates, ...trust, claimGenerator });

export const createdAt = new Date("2026-11-20T10:00:00.000Z");
export const trained = { id: "acme-1", name: "Acme One", provider: "Acme", procedural: false };
export const procedural = {
  id: "built-in",
  name: "Illustrator",
  provider: "Atelier",
  procedural: true,
};

/** The statements of a manifest besides the facts of a test. */
export const bindings = {
  perceptualHash: "0".repeat(64),
  algorithms: { watermark: "com.example.test.1", fingerprint: "com.example.test.fingerprint.1" },
  verifyUrl: null,
};

export const formats = ["png", "jpeg", "webp"] as const;
export const sources = {
  png: await noise().png().toBuffer(),
  jpeg: await noise().jpeg().toBuffer(),
  webp: await noise().webp().toBuffer(),
};

export function request(bytes: Uint8Array, changes: Partial<MarkRequest> = {}): MarkRequest {
  return { image: { bytes }, model: trained, ingredients: [], createdAt, ...changes };
}

export function ofFormat(images: readonly MarkedImage[], format: ImageFormat): MarkedImage {
  const found = images.find((image) => image.format === format);
  if (found === undefined) throw new Error(`There is no ${format}.`);
  return found;
}

/** The crJSON format of conformance tools: every assertion, and what the claim states about it. */
interface CrManifest {
  readonly label: string;
  readonly assertions: Readonly<Record<string, unknown>>;
  readonly "claim.v2": {
    readonly claim_generator_info: object;
    readonly created_assertions: readonly HashedUri[];
    readonly gathered_assertions: readonly HashedUri[];
    readonly instanceID: string;
  };
}

interface HashedUri {
  readonly url: string;
}

/** All manifests in an image, the active one first. */
export async function manifestsOf(image: MarkedImage): Promise<[CrManifest, ...CrManifest[]]> {
  const { Reader } = await loadC2pa();
  const settings = c2paSettings(trust.trustAnchorsPem);
  using reader = await Reader.fromBytes(image.mediaType, image.bytes, settings);
  return JSON.parse(reader.crJson()).manifests;
}

/** The labels at the end of assertion references. */
export function labels(references: readonly HashedUri[]): string[] {
  return references.map(({ url }) => url.slice(url.lastIndexOf("/") + 1)).sort();
}
