import { hash, randomUUID } from "node:crypto";
import sharp from "sharp";
import { decodeImage } from "./decode-image.ts";
import { encodeImage } from "./encode-image.ts";
import { mediaTypes } from "./image-format.ts";
import type { ImageFormat } from "./image-format.ts";
import { digitalSourceTypeOf } from "./manifest.ts";
import type { ClaimGenerator, ImageModel } from "./manifest.ts";
import { manifestSize } from "./manifest-size.ts";
import { createFileSigner } from "./sign-files.ts";
import type { Ingredient, SignFiles } from "./sign-files.ts";
import { readManifest } from "./read-manifest.ts";
import { releaseMemory } from "./release-memory.ts";
import { readSigningCredential } from "./signing-credential.ts";
import { createTimeStamper } from "./time-stamp.ts";
import { xmpPacket } from "./xmp.ts";

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
   * manifest of its own, and checks the finished bytes as any verifier would. A manifest that the
   * provider put into its image is kept: that image becomes an ingredient.
   *
   * @throws InvalidImageError when the provider's bytes or a reference are not a whole image.
   * @throws TimeStampError when there is an authority for time stamps, and none to be had from it.
   * @throws the signal's reason when it is aborted; what is under way is finished first.
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
  /** The authority that stamps each signature (RFC 3161 over HTTP); not stamped without one. */
  readonly timeStampUrl?: string | undefined;
}

const formats: readonly ImageFormat[] = ["png", "jpeg", "webp"];

const sourceTitle = "image as the provider gave it";

/**
 * Prepares the marking of images, and proves on a tiny one that key, chain and trust anchors fit. The
 * authority for time stamps is not asked for that: it may be away for a while.
 *
 * @throws Error that tells the operator what is wrong with certificate or key.
 */
export async function createMarker(options: MarkerOptions): Promise<Marker> {
  const { timeStampUrl, trustAnchorsPem } = options;
  const credential = readSigningCredential({ ...options, now: new Date() });
  const signFiles = await createFileSigner(credential, trustAnchorsPem, null);
  await proveOnTinyImage(markWith(signFiles, options));

  const stampTime = timeStampUrl === undefined ? null : createTimeStamper(timeStampUrl);
  const signAndStamp = await createFileSigner(credential, trustAnchorsPem, stampTime);
  return { mark: markWith(signAndStamp, options), certificateExpiresAt: credential.expiresAt };
}

function markWith(
  signFiles: SignFiles,
  { claimGenerator, trustAnchorsPem }: MarkerOptions,
): Marker["mark"] {
  return async (request, signal) => {
    signal?.throwIfAborted();
    const { model, createdAt, ingredients } = request;
    const source = await decodeImage(request.image.bytes);
    signal?.throwIfAborted();
    const files = await Promise.all(
      formats.map(async (format) => {
        const xmp = xmpPacket(digitalSourceTypeOf(model), `xmp.iid:${randomUUID()}`);
        return { format, bytes: await encodeImage(source, format, xmp) };
      }),
    );
    releaseMemory(source.pixels.data);
    // First: what a client brings along must not take the place of the provider's manifest.
    const inputs = (await carriesManifest(request.image.bytes, trustAnchorsPem))
      ? [{ bytes: request.image.bytes, title: sourceTitle }, ...ingredients]
      : ingredients;
    const creation = { model, claimGenerator, createdAt, sourceFormat: source.format };
    const signed = await signFiles(creation, inputs, files, signal);
    for (const { bytes } of files) releaseMemory(bytes);
    const { width, height } = source.pixels;
    return signed.map(({ format, bytes }) => ({
      format,
      mediaType: mediaTypes[format],
      bytes,
      sha256: hash("sha256", bytes),
      sizeBytes: bytes.length,
      width,
      height,
    }));
  };
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

/** Whether there is C2PA data in an image, of whatever worth. */
async function carriesManifest(bytes: Uint8Array, trustAnchorsPem: string): Promise<boolean> {
  // Most images need not be read for one.
  if (manifestSize(bytes) === 0) return false;
  return (await readManifest(bytes, { trustAnchorsPem })).state !== "absent";
}
