import { hash, randomUUID } from "node:crypto";
import sharp from "sharp";
import { decodeImage, hasTransparency } from "./decode-image.ts";
import { encodeImage, encodeThumbnail } from "./encode-image.ts";
import type { ImageFormat } from "@atelier/kit";
import { encodeDossier } from "./dossier.ts";
import { findManifest } from "./find-manifest.ts";
import { digitalSourceTypeOf, enhancedSourceType, syntheticSourceOf } from "./manifest.ts";
import type {
  BindingAlgorithms,
  Change,
  Step,
  ClaimGenerator,
  ImageModel,
  SyntheticSource,
} from "./manifest.ts";
import { manifestSize } from "./manifest-size.ts";
import { createSoftBinder, type SoftBinding } from "./soft-binding.ts";
import { createFileSigner, relationshipOf } from "./sign-files.ts";
import type { Ingredient, SignFiles } from "./sign-files.ts";
import { fileMediaTypes } from "./file-format.ts";
import { signSvg } from "./sign-svg.ts";
import { readManifest } from "./read-manifest.ts";
import { releaseMemory } from "./release-memory.ts";
import { readSigningCredential } from "./signing-credential.ts";
import { createTimeStampers, type StampTime } from "./time-stamp.ts";
import { readSourceType } from "./verify-provenance.ts";
import { xmpPacket } from "./xmp.ts";

export interface MarkRequest {
  /** The provider's image: PNG, JPEG or WebP, detected by its bytes. */
  readonly image: { readonly bytes: Uint8Array };
  /** The image as SVG, of which `image` is a drawing; sanitised and signed as a further file. */
  readonly svg?: string | null;
  /** The files besides the PNG and the thumbnail. Default: a JPEG and a WebP of the usual quality. */
  readonly output?: {
    readonly formats: readonly ("jpeg" | "webp")[];
    /** From 1 to 100; null selects the usual one of each format. */
    readonly quality: number | null;
  };
  readonly model: ImageModel;
  /** The change of the `parentOf` ingredient. Default: an edit if there is one. */
  readonly change?: Change | null;
  /** Changes that other programs made to the model's image, in this order. Default: none. */
  readonly steps?: readonly Step[];
  readonly ingredients: readonly Ingredient[];
  readonly createdAt: Date;
}

/** The files of an image: one of each format, a small WebP, and the SVG of a vector drawing. */
export type MarkedFormat = ImageFormat | "thumbnail" | "svg";

export interface MarkedImage {
  readonly format: MarkedFormat;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes, in lower-case hexadecimal. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly width: number;
  readonly height: number;
  /** A JPEG of an image with transparency, which was flattened on white. */
  readonly flattened: boolean;
  /** The watermark and perceptual hash of the pixels; the same for all files, also for an SVG. */
  readonly softBinding: SoftBinding;
  /** How the image was made, as the manifest states it; the same for all files. */
  readonly synthetic: SyntheticSource | null;
  /** The UUID of the file's manifest; null when it is not where this program puts it. */
  readonly manifestId: string | null;
  /** The encoded `Dossier` of the image; the same for all files. */
  readonly dossier: Uint8Array;
  /** The reason why the library signed the files instead of this program; null otherwise. */
  readonly signingFallback: string | null;
}

export interface Marker {
  /**
   * Creates the PNG, the other requested formats and the thumbnail of an image, in this order, each with XMP and a C2PA
   * manifest of its own, and at last the SVG of a vector drawing. Verifies the finished files. If the provider's image has a manifest,
   * it is kept and the image becomes an ingredient.
   *
   * @throws InvalidImageError when the provider's bytes or a reference are not a complete image.
   * @throws TimeStampError when an authority is configured and returns no usable time stamp.
   * @throws the signal's reason when it is aborted; the step in progress is finished first.
   */
  mark(request: MarkRequest, signal?: AbortSignal): Promise<readonly MarkedImage[]>;
  /** Expiry of the signing certificate. Marking fails after it. */
  readonly certificateExpiresAt: Date;
}

export interface MarkerOptions {
  /** The signing certificate first, followed by its issuers. */
  readonly certificateChainPem: string;
  /** P-256, PKCS #8 or SEC 1, unencrypted. */
  readonly privateKeyPem: string;
  /** Root certificates that marked images are verified against. */
  readonly trustAnchorsPem: string;
  readonly claimGenerator: ClaimGenerator;
  /** Names of the soft bindings in manifests. Default: those that no other service knows. */
  readonly algorithms?: BindingAlgorithms;
  /** Where anyone can verify images; named in manifest and XMP. */
  readonly verifyUrl?: string | null;
  /** Watermark secrets, the current one first; older secrets detect older watermarks. */
  readonly watermarkSecrets?: readonly string[];
  /**
   * URLs of authorities that time-stamp signatures (RFC 3161 over HTTP): the first that answers stamps
   * a signature. Without one, signatures have no time stamp.
   */
  readonly timeStampUrls?: readonly string[];
  /** Lets the library alone sign and verify files, to compare with. */
  readonly usesLibraryOnly?: boolean;
}

const defaultAlgorithms: BindingAlgorithms = {
  watermark: "atelier.tile.1",
  fingerprint: "atelier.tile.fingerprint.1",
};

const usualOutput = { formats: ["jpeg", "webp"], quality: null } as const;

const sourceTitle = "image as the provider gave it";

/**
 * Creates a marker, and marks a tiny image to verify that key, chain and trust anchors match. The
 * time-stamp authority is not called for this, because it may be temporarily unavailable.
 *
 * @throws Error that tells the operator what is wrong with certificate or key.
 */
export async function createMarker(options: MarkerOptions): Promise<Marker> {
  const { timeStampUrls = [], trustAnchorsPem, usesLibraryOnly = false } = options;
  const create = (stampTime: StampTime | null) =>
    createFileSigner(credential, trustAnchorsPem, stampTime, { usesLibraryOnly });
  const credential = readSigningCredential({ ...options, now: new Date() });
  const signFiles = await create(null);
  await proveOnTinyImage(markWith(signFiles, options));

  const stampTime = timeStampUrls.length === 0 ? null : createTimeStampers(timeStampUrls);
  const signAndStamp = await create(stampTime);
  return { mark: markWith(signAndStamp, options), certificateExpiresAt: credential.expiresAt };
}

function markWith(
  signFiles: SignFiles,
  {
    claimGenerator,
    trustAnchorsPem,
    watermarkSecrets = [],
    algorithms = defaultAlgorithms,
    verifyUrl = null,
  }: MarkerOptions,
): Marker["mark"] {
  const binder = createSoftBinder(watermarkSecrets);
  return async (request, signal) => {
    signal?.throwIfAborted();
    const { model, change = null, steps = [], createdAt, ingredients } = request;
    const { output = usualOutput } = request;
    const formats: readonly ImageFormat[] = ["png", ...output.formats];
    const source = await decodeImage(request.image.bytes);
    signal?.throwIfAborted();
    const inputs = ingredients.map(({ bytes }) => bytes);
    // A program that draws from a prompt alone has no image that could carry a watermark. The answer of
    // a remote model is searched, because its provider may be an installation with the same secret.
    const isNew = model.procedural && inputs.length === 0;
    const { softBinding, look } = await binder.bind(source.pixels, inputs, { isNew });
    signal?.throwIfAborted();
    const marked = softBinding.watermarkId === null ? source : { ...source, pngChunks: null };
    const parent = ingredients.find((one) => relationshipOf(one) === "parentOf");
    const isEnhanced = change?.isGenerative === false && parent !== undefined;
    const sourceType = isEnhanced
      ? enhancedSourceType(
          await readSourceType(parent.bytes, { trustAnchorsPem }),
          softBinding.parentWatermarks.length > 0,
        )
      : digitalSourceTypeOf(model, ingredients.map(relationshipOf));
    const synthetic = syntheticSourceOf(sourceType);
    const newXmp = () => xmpPacket(sourceType, `xmp.iid:${randomUUID()}`, verifyUrl);
    const { width, height } = source.pixels;
    const files = await Promise.all([
      ...formats.map(async (format) => {
        const xmp = newXmp();
        const bytes = await encodeImage(marked, format, xmp, output.quality);
        return { stored: format, format, isThumbnail: false, xmp, bytes, width, height };
      }),
      (async () => {
        const xmp = newXmp();
        const thumbnail = await encodeThumbnail(marked, xmp);
        const kind = { stored: "thumbnail", format: "webp", isThumbnail: true } as const;
        return { ...kind, xmp, ...thumbnail };
      })(),
    ]);
    const isTransparent = hasTransparency(source.pixels);
    releaseMemory(source.pixels.data);
    // The provider's manifest comes first, so that client references cannot displace it.
    const kept = (await carriesManifest(request.image.bytes, trustAnchorsPem))
      ? [{ bytes: request.image.bytes, title: sourceTitle }, ...ingredients]
      : ingredients;
    const creation = {
      model,
      claimGenerator,
      createdAt,
      digitalSourceType: sourceType,
      change,
      steps,
      sourceFormat: source.format,
      watermarkId: softBinding.watermarkId,
      perceptualHash: softBinding.perceptualHash,
      algorithms,
      verifyUrl,
    };
    const signed = await signFiles(creation, kept, files, signal);
    for (const { bytes } of files) releaseMemory(bytes);
    const drawing =
      request.svg == null
        ? []
        : [await signSvg(request.svg, creation, ingredients, signFiles, signal)];
    const facts = { softBinding, synthetic };
    const finished = [
      ...signed.map((file) => ({
        format: file.stored,
        fileFormat: file.format,
        bytes: file.bytes,
        width: file.width,
        height: file.height,
        flattened: file.format === "jpeg" && isTransparent,
        signingFallback: file.fallback,
      })),
      ...drawing.map((bytes) => ({
        format: "svg" as const,
        fileFormat: "svg" as const,
        bytes,
        width,
        height,
        flattened: false,
        signingFallback: null,
      })),
    ];
    const manifests = finished.map(({ fileFormat, bytes }) =>
      findManifest(fileFormat, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    );
    const dossier = encodeDossier({ look, manifests: manifests.filter((one) => one !== null) });
    return finished.map(({ fileFormat, ...file }, index) => ({
      ...file,
      ...facts,
      mediaType: fileMediaTypes[fileFormat],
      sha256: hash("sha256", file.bytes),
      sizeBytes: file.bytes.length,
      manifestId: manifests[index]?.id ?? null,
      dossier,
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

/** Whether an image contains C2PA data, valid or not. */
async function carriesManifest(bytes: Uint8Array, trustAnchorsPem: string): Promise<boolean> {
  // Most images have no transparency, and the check is cheap.
  if (manifestSize(bytes) === 0) return false;
  return (await readManifest(bytes, { trustAnchorsPem })).state !== "absent";
}
