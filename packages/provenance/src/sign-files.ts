import { X509Certificate } from "node:crypto";
import type { WasmBuilder } from "@contentauth/c2pa-wasm";
import sharp from "sharp";
import { c2paSettings, loadC2pa, toBlob } from "./c2pa.ts";
import { checkSignedFile } from "./check-signed.ts";
import { createClaimSigner } from "./cose.ts";
import { completeManifest, draftManifest } from "./draft-manifest.ts";
import type { ImageFormat } from "@atelier/kit";
import { type FileFormat, fileMediaTypes } from "./file-format.ts";
import { detectMediaType } from "./image-format.ts";
import { actionsFor, manifestDefinition } from "./manifest.ts";
import type { Action, Creation, Relationship } from "./manifest.ts";
import { manifestSize } from "./manifest-size.ts";
import { readPictureChunks } from "./png-chunks.ts";
import { readManifest } from "./read-manifest.ts";
import type { SigningCredential } from "./signing-credential.ts";
import { TimeStampError, type StampTime } from "./time-stamp.ts";

/** An image that the model used: edited, combined or as a reference. */
export interface Ingredient {
  /** The file that a client sent, or that was stored: PNG, JPEG, WebP or AVIF. */
  readonly bytes: Uint8Array;
  /** Publicly readable in the marked image, so it must not contain parts of a prompt. */
  readonly title: string;
  /** Default: an input of the model. */
  readonly relationship?: Relationship;
}

/** The relationship of an ingredient to the image that was made from it. */
export function relationshipOf({ relationship = "inputTo" }: Ingredient): Relationship {
  return relationship;
}

/** A file to sign; its other properties are returned unchanged. */
interface UnsignedFile {
  /** Whether it is a smaller copy. */
  readonly isThumbnail?: boolean;
  readonly format: FileFormat;
  readonly bytes: Uint8Array;
  /** The XMP packet in the file; without one, the library alone signs the file. */
  readonly xmp?: string;
}

type PixelFile = UnsignedFile & { readonly format: ImageFormat; readonly xmp: string };

type SignedFile<File> = File & {
  /**
   * The reason why the library signed the file although this program could have: the layout was not the
   * expected one. Null otherwise.
   */
  readonly fallback: string | null;
};

/**
 * Adds a manifest to each file of one image, and verifies the finished files: hash of every byte,
 * signature, certificate, trust. Returns only files that pass.
 */
export type SignFiles = <File extends UnsignedFile>(
  creation: Creation,
  ingredients: readonly Ingredient[],
  files: readonly File[],
  signal?: AbortSignal,
) => Promise<SignedFile<File>[]>;

/** The library does not trust a finished file. */
class UntrustedFileError extends Error {
  override readonly name = "UntrustedFileError";
}

/** The library reads all files of one in so many images, and one file of each of the others. */
const imagesPerFullReading = 50;

/**
 * Signing by the library alone takes several times the CPU time, since it hashes in WebAssembly. So the
 * library drafts each manifest, and this program hashes the file, signs, and checks the result natively.
 * The library reads the thumbnail of each image, all files of every fiftieth one, and all files with time
 * stamps, which are not checked here. If anything differs from the expected layout, the library signs and
 * reads all files of the image; if it does not trust a file that passed the checks, also those of all later
 * images.
 *
 * @param stampTime adds a time stamp to each signature; null omits time stamps.
 * @param options.usesLibraryOnly signs and verifies by the library alone.
 */
export async function createFileSigner(
  credential: SigningCredential,
  trustAnchorsPem: string,
  stampTime: StampTime | null,
  { usesLibraryOnly = false }: { readonly usesLibraryOnly?: boolean } = {},
): Promise<SignFiles> {
  const c2pa = await loadC2pa();
  const settings = c2paSettings(trustAnchorsPem);
  const signer = createClaimSigner(credential, stampTime);
  const certificate = new X509Certificate(Buffer.from(credential.chain[0] ?? []));
  const pixel = { width: 1, height: 1, channels: 3, background: "#000000" } as const;
  const carrier = readPictureChunks(await sharp({ create: pixel }).png().toBuffer());
  let images = 0;
  /** Why the library alone signs from now on: it did not trust a file that had passed the checks here. */
  let refuted: string | null = null;

  async function signFiles<File extends UnsignedFile>(
    creation: Creation,
    ingredients: readonly PreparedIngredient[],
    files: readonly File[],
    signal?: AbortSignal,
  ): Promise<SignedFile<File>[]> {
    const idsOf = (wanted: Relationship) =>
      ingredients.flatMap(({ statement: { label, relationship } }) =>
        relationship === wanted ? [label] : [],
      );
    const ids = {
      parentOf: idsOf("parentOf"),
      componentOf: idsOf("componentOf"),
      inputTo: idsOf("inputTo"),
    };
    const actions = (file: Pick<UnsignedFile, "format" | "isThumbnail">): Action[] =>
      actionsFor(creation, ids, file, new Date());
    const first = actions({ format: "png" });
    const definition = JSON.stringify(manifestDefinition(creation, first));
    // One builder for all files, so that each ingredient is read and verified once.
    using builder = c2pa.Builder.fromJson(definition, settings);
    for (const ingredient of ingredients) {
      signal?.throwIfAborted();
      await addIngredient(builder, ingredient);
    }
    const describe = (file: File) => {
      signal?.throwIfAborted();
      builder.updateActionsAt([actions(file)]);
    };
    let fallback = refuted;
    let isUntrusted = false;
    if (!usesLibraryOnly && refuted === null && files.every(hasPixels)) {
      try {
        const signed = await signNatively(builder, files, describe);
        return signed.map((file) => ({ ...file, fallback: null }));
      } catch (error) {
        if (error instanceof TimeStampError || signal?.aborted === true) throw error;
        fallback = error instanceof Error ? error.message : String(error);
        isUntrusted = error instanceof UntrustedFileError;
      }
    }
    const signed: SignedFile<File>[] = [];
    for (const file of files) {
      describe(file);
      signed.push({ ...file, bytes: await sign(builder, file.format, file.bytes), fallback });
    }
    // Most files are not read by the library: other images would have the same fault. It is not that of a
    // reference, since the library can sign this image.
    if (isUntrusted) refuted = fallback;
    return signed;
  }

  /** @throws Error when a file or a draft does not have the expected layout, or a check fails. */
  async function signNatively<File extends PixelFile>(
    builder: WasmBuilder,
    files: readonly File[],
    describe: (file: File) => void,
  ): Promise<File[]> {
    const signed: File[] = [];
    for (const file of files) {
      describe(file);
      const unsigned = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength);
      const draft = await draftManifest(builder, signer, carrier, file.xmp);
      const bytes = await completeManifest(draft, signer, file.format, unsigned);
      checkSignedFile(file.format, bytes, certificate, new Date());
      signed.push({ ...file, bytes });
    }
    const readsAll = stampTime !== null || images % imagesPerFullReading === 0;
    images += 1;
    const sample = signed.find(({ isThumbnail }) => isThumbnail === true) ?? signed[0];
    for (const file of signed) {
      if (readsAll || file === sample) await assertTrusted(file.format, file.bytes);
    }
    return signed;
  }

  async function sign(
    builder: WasmBuilder,
    format: FileFormat,
    unsigned: Uint8Array,
  ): Promise<Uint8Array> {
    let failure: unknown = null;
    const observed = {
      ...signer,
      sign: (claim: Uint8Array) =>
        signer.sign(claim).catch((error: unknown) => {
          failure = error;
          throw error;
        }),
    };
    let bytes: Uint8Array;
    try {
      bytes = await builder.sign(observed, [], fileMediaTypes[format], toBlob(unsigned));
    } catch (reason) {
      // The library throws strings, including for errors of the signer.
      if (failure instanceof TimeStampError) throw failure;
      throw new Error(`The ${format} could not be signed: ${String(reason)}`, { cause: reason });
    }
    await assertTrusted(format, bytes);
    return bytes;
  }

  /** Lets the library verify a finished file. */
  async function assertTrusted(format: FileFormat, bytes: Uint8Array): Promise<void> {
    const { state, problems, timeStamp } = await readManifest(bytes, { trustAnchorsPem });
    if (state !== "trusted") {
      throw new UntrustedFileError(
        `The signed ${format} is not trusted but ${state}: ${problems.join(", ")}`,
      );
    }
    if (stampTime !== null && timeStamp === null) {
      throw new TimeStampError(`The time stamp of the ${format} does not hold.`);
    }
  }

  return async (creation, ingredients, files, signal) => {
    const prepared = prepare(ingredients);
    try {
      return await signFiles(creation, prepared, files, signal);
    } catch (error) {
      const withoutManifests = prepared.map(withoutManifest);
      if (withoutManifests.length === 0 || error instanceof TimeStampError) throw error;
      // A reference with a malformed manifest must not prevent signing the image. The reference is
      // recorded, and the manifest states that the reference's own manifest was not kept.
      return signFiles(creation, withoutManifests, files, signal);
    }
  };
}

function hasPixels<File extends UnsignedFile>(file: File): file is File & PixelFile {
  return file.format !== "svg" && file.xmp !== undefined;
}

/** The record of an ingredient in the manifest, with the file if its own manifest is kept. */
interface PreparedIngredient {
  readonly statement: {
    readonly label: string;
    readonly title: string;
    readonly relationship: Relationship;
    readonly format: string;
    readonly description?: string;
  };
  readonly file: Blob | null;
}

/**
 * Total size limit for the manifests of all ingredients. Each is copied into every file and read
 * again for verification, so without a limit client references would determine size and duration.
 */
const maxManifestBytes = 2_000_000;

function prepare(ingredients: readonly Ingredient[]): PreparedIngredient[] {
  let bytesLeft = maxManifestBytes;
  return ingredients.map((ingredient, index) => {
    const { bytes, title } = ingredient;
    const relationship = relationshipOf(ingredient);
    const label = `reference-${index + 1}`;
    const format = detectMediaType(bytes);
    const statement = { label, title, relationship, format };
    const size = manifestSize(bytes);
    if (size > bytesLeft) return withoutManifest({ statement });
    bytesLeft -= size;
    return { statement, file: toBlob(bytes) };
  });
}

function withoutManifest({ statement }: Pick<PreparedIngredient, "statement">): PreparedIngredient {
  const description = "C2PA data in this file, if there is any, could not be kept.";
  return { statement: { ...statement, description }, file: null };
}

async function addIngredient(
  builder: WasmBuilder,
  { statement, file }: PreparedIngredient,
): Promise<void> {
  if (file === null) builder.addIngredient(JSON.stringify(statement));
  else await builder.addIngredientFromBlob(JSON.stringify(statement), statement.format, file);
}
