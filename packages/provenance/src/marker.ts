import { hash, randomUUID } from "node:crypto";
import type { WasmBuilder } from "@contentauth/c2pa-wasm";
import sharp from "sharp";
import { c2paSettings, loadC2pa, toBlob } from "./c2pa.ts";
import type { C2pa } from "./c2pa.ts";
import { createClaimSigner } from "./cose.ts";
import { decodeImage } from "./decode-image.ts";
import { encodeImage } from "./encode-image.ts";
import { detectFormat, mediaTypes } from "./image-format.ts";
import type { ImageFormat } from "./image-format.ts";
import { actionsFor, digitalSourceTypeOf, manifestDefinition } from "./manifest.ts";
import type { ClaimGenerator, Creation, ImageModel } from "./manifest.ts";
import { readSigningCredential } from "./signing-credential.ts";
import { verifyProvenance } from "./verify-provenance.ts";
import { xmpPacket } from "./xmp.ts";

/** A reference image that the model looked at. */
export interface Ingredient {
  /** PNG, JPEG or WebP, as it was given to the model. */
  readonly bytes: Uint8Array;
  /** For anyone to read in the marked image: it must hold nothing of a prompt. */
  readonly title: string;
}

export interface MarkRequest {
  /** What the provider made: PNG, JPEG or WebP, told by its bytes. */
  readonly image: { readonly bytes: Uint8Array };
  readonly model: ImageModel;
  readonly ingredients: readonly Ingredient[];
  readonly createdAt: Date;
}

export interface MarkedImage {
  readonly format: ImageFormat;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** Of the bytes, in lower-case hexadecimal. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly width: number;
  readonly height: number;
}

export interface Marker {
  /**
   * Makes the PNG, the JPEG and the WebP of an image, in this order, each with XMP and a C2PA
   * manifest of its own, and checks the finished bytes as any verifier would.
   *
   * @throws InvalidImageError when the provider's bytes or a reference are not a whole image.
   * @throws the signal's reason when it is aborted; the step under way is finished first.
   */
  mark(request: MarkRequest, signal?: AbortSignal): Promise<readonly MarkedImage[]>;
  /** When the signing certificate ends. After it nothing can be marked. */
  readonly certificateExpiresAt: Date;
}

export interface MarkerOptions {
  /** The signing certificate first, then those above it. */
  readonly certificateChainPem: string;
  /** P-256, PKCS #8 or SEC 1, unencrypted. */
  readonly privateKeyPem: string;
  /** Root certificates that marked images are checked against. */
  readonly trustAnchorsPem: string;
  readonly claimGenerator: ClaimGenerator;
}

const formats: readonly ImageFormat[] = ["png", "jpeg", "webp"];

/**
 * Prepares the marking of images, and proves on a tiny one that key, chain and trust anchors fit.
 *
 * @throws Error that tells the operator what is wrong with certificate or key.
 */
export async function createMarker(options: MarkerOptions): Promise<Marker> {
  const { trustAnchorsPem, claimGenerator } = options;
  const credential = readSigningCredential({ ...options, now: new Date() });
  const signer = createClaimSigner(credential);
  const c2pa = await loadC2pa();
  const settings = c2paSettings(trustAnchorsPem);

  async function mark(request: MarkRequest, signal?: AbortSignal): Promise<MarkedImage[]> {
    signal?.throwIfAborted();
    const source = await decodeImage(request.image.bytes);
    const creation: Creation = {
      model: request.model,
      claimGenerator,
      createdAt: request.createdAt,
      sourceFormat: source.format,
      ingredientIds: request.ingredients.map((_, index) => ingredientId(index)),
    };
    // One builder for all three, so that each ingredient is read and checked once.
    using builder = newBuilder(c2pa, creation, settings);
    for (const [index, ingredient] of request.ingredients.entries()) {
      signal?.throwIfAborted();
      await addIngredient(builder, ingredientId(index), ingredient);
    }
    signal?.throwIfAborted();
    const sourceType = digitalSourceTypeOf(request.model);
    // libvips encodes in threads of its own.
    const unsigned = await Promise.all(
      formats.map((format) => encodeImage(source, format, xmpPacket(sourceType, newInstanceId()))),
    );
    const marked: MarkedImage[] = [];
    for (const [index, format] of formats.entries()) {
      signal?.throwIfAborted();
      builder.updateActionsAt([actionsFor(creation, format, new Date())]);
      const file = toBlob(unsigned[index] ?? new Uint8Array());
      const bytes = await builder.sign(signer, [], mediaTypes[format], file).catch(fail("signed"));
      const { state, problems } = await verifyProvenance(bytes, { trustAnchorsPem });
      if (state !== "trusted") fail(`verified (${state})`)(problems.join(", "));
      const { width, height } = source.pixels;
      marked.push({
        format,
        mediaType: mediaTypes[format],
        bytes,
        sha256: hash("sha256", bytes),
        sizeBytes: bytes.length,
        width,
        height,
      });
    }
    return marked;
  }

  await proveOnTinyImage(mark);
  return { mark, certificateExpiresAt: credential.expiresAt };
}

function newBuilder(c2pa: C2pa, creation: Creation, settings: string): WasmBuilder {
  const definition = manifestDefinition(creation, actionsFor(creation, "png", new Date()));
  return c2pa.Builder.fromJson(JSON.stringify(definition), settings);
}

/**
 * Adds a reference with the manifest it brings along, which is checked and the result recorded.
 * A manifest that cannot even be read must not stop the image that its reference went into:
 * the reference is then named without it, and the manifest says why.
 */
async function addIngredient(
  builder: WasmBuilder,
  id: string,
  ingredient: Ingredient,
): Promise<void> {
  const format = mediaTypes[detectFormat(ingredient.bytes)];
  const statement = { label: id, title: ingredient.title, relationship: "inputTo", format };
  try {
    const file = toBlob(ingredient.bytes);
    await builder.addIngredientFromBlob(JSON.stringify(statement), format, file);
  } catch {
    const description = "The C2PA data in this file could not be read.";
    builder.addIngredient(JSON.stringify({ ...statement, description }));
  }
}

function ingredientId(index: number): string {
  return `reference-${index + 1}`;
}

function newInstanceId(): string {
  return `xmp.iid:${randomUUID()}`;
}

async function proveOnTinyImage(mark: Marker["mark"]): Promise<void> {
  const black = { width: 1, height: 1, channels: 3, background: "#000000" } as const;
  const bytes = await sharp({ create: black }).png().toBuffer();
  const model = { id: "test", name: "test", provider: "test", procedural: true };
  try {
    await mark({ image: { bytes }, model, ingredients: [], createdAt: new Date() });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The C2PA signing certificate cannot be used: ${reason}`, { cause });
  }
}

/** Turns what the library throws, which are strings, into errors. */
function fail(what: string): (reason: unknown) => never {
  return (reason) => {
    throw new Error(`A marked image could not be ${what}: ${String(reason)}`);
  };
}
