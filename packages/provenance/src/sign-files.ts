import type { WasmBuilder } from "@contentauth/c2pa-wasm";
import { c2paSettings, loadC2pa, toBlob } from "./c2pa.ts";
import { createClaimSigner } from "./cose.ts";
import { imageMediaTypes } from "@atelier/kit";
import { type FileFormat, fileMediaTypes } from "./file-format.ts";
import { detectFormat } from "./image-format.ts";
import { actionsFor, manifestDefinition } from "./manifest.ts";
import type { Action, Creation, Relationship } from "./manifest.ts";
import { manifestSize } from "./manifest-size.ts";
import { readManifest } from "./read-manifest.ts";
import type { SigningCredential } from "./signing-credential.ts";
import { TimeStampError, type StampTime } from "./time-stamp.ts";

/** An image that the model used: edited, combined or as a reference. */
export interface Ingredient {
  /** PNG, JPEG or WebP, as sent to the model. */
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
}

/**
 * Adds a manifest to each file of one image, and verifies the finished files: hash of every byte,
 * signature, certificate, trust. Returns only files that pass.
 */
export type SignFiles = <File extends UnsignedFile>(
  creation: Creation,
  ingredients: readonly Ingredient[],
  files: readonly File[],
  signal?: AbortSignal,
) => Promise<File[]>;

/** @param stampTime adds a time stamp to each signature; null omits time stamps. */
export async function createFileSigner(
  credential: SigningCredential,
  trustAnchorsPem: string,
  stampTime: StampTime | null,
): Promise<SignFiles> {
  const c2pa = await loadC2pa();
  const settings = c2paSettings(trustAnchorsPem);
  const signer = createClaimSigner(credential, stampTime);

  async function signFiles<File extends UnsignedFile>(
    creation: Creation,
    ingredients: readonly PreparedIngredient[],
    files: readonly File[],
    signal?: AbortSignal,
  ): Promise<File[]> {
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
    const signed: File[] = [];
    for (const file of files) {
      signal?.throwIfAborted();
      builder.updateActionsAt([actions(file)]);
      signed.push({ ...file, bytes: await sign(builder, file.format, file.bytes) });
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
    const { state, problems, timeStamp } = await readManifest(bytes, { trustAnchorsPem });
    if (state !== "trusted") {
      throw new Error(`The signed ${format} is not trusted but ${state}: ${problems.join(", ")}`);
    }
    if (stampTime !== null && timeStamp === null) {
      throw new TimeStampError(`The time stamp of the ${format} does not hold.`);
    }
    return bytes;
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
    const format = imageMediaTypes[detectFormat(bytes)];
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
