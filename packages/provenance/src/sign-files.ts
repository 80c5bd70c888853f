import type { WasmBuilder } from "@contentauth/c2pa-wasm";
import { c2paSettings, loadC2pa, toBlob } from "./c2pa.ts";
import { createClaimSigner } from "./cose.ts";
import { detectFormat, mediaTypes } from "./image-format.ts";
import type { ImageFormat } from "./image-format.ts";
import { actionsFor, manifestDefinition } from "./manifest.ts";
import type { Action, Creation } from "./manifest.ts";
import { manifestSize } from "./manifest-size.ts";
import { readManifest } from "./read-manifest.ts";
import type { SigningCredential } from "./signing-credential.ts";
import { TimeStampError, type StampTime } from "./time-stamp.ts";

/** A reference image that the model looked at. */
export interface Ingredient {
  /** PNG, JPEG or WebP, as it was given to the model. */
  readonly bytes: Uint8Array;
  /** For anyone to read in the marked image: it must hold nothing of a prompt. */
  readonly title: string;
}

interface ImageFile {
  readonly format: ImageFormat;
  readonly bytes: Uint8Array;
}

/**
 * Puts a manifest of its own into each file of one creation, and checks the finished bytes as any
 * verifier would: hash of every byte, signature, certificate, trust. Nothing else comes back.
 */
export type SignFiles = (
  creation: Creation,
  ingredients: readonly Ingredient[],
  files: readonly ImageFile[],
  signal?: AbortSignal,
) => Promise<ImageFile[]>;

/** @param stampTime has each signature stamped; not stamped where it is null. */
export async function createFileSigner(
  credential: SigningCredential,
  trustAnchorsPem: string,
  stampTime: StampTime | null,
): Promise<SignFiles> {
  const c2pa = await loadC2pa();
  const settings = c2paSettings(trustAnchorsPem);
  const signer = createClaimSigner(credential, stampTime);

  async function signFiles(
    creation: Creation,
    ingredients: readonly PreparedIngredient[],
    files: readonly ImageFile[],
    signal?: AbortSignal,
  ): Promise<ImageFile[]> {
    const ids = ingredients.map(({ statement }) => statement.label);
    const actions = (format: ImageFormat): Action[] =>
      actionsFor(creation, ids, format, new Date());
    const definition = JSON.stringify(manifestDefinition(creation, actions("png")));
    // One builder for all files, so that each ingredient is read and checked once.
    using builder = c2pa.Builder.fromJson(definition, settings);
    for (const ingredient of ingredients) {
      signal?.throwIfAborted();
      await addIngredient(builder, ingredient);
    }
    const signed: ImageFile[] = [];
    for (const { format, bytes } of files) {
      signal?.throwIfAborted();
      builder.updateActionsAt([actions(format)]);
      signed.push({ format, bytes: await sign(builder, format, bytes) });
    }
    return signed;
  }

  async function sign(
    builder: WasmBuilder,
    format: ImageFormat,
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
      bytes = await builder.sign(observed, [], mediaTypes[format], toBlob(unsigned));
    } catch (reason) {
      // The library throws strings, of the signer's errors as well.
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
      // Whoever supplies a reference with a malformed manifest must not stop the image that it
      // went into. The reference is then named, and the manifest says that its own was not kept.
      return signFiles(creation, withoutManifests, files, signal);
    }
  };
}

/** What the manifest says about an ingredient, and its file when the manifest in it is kept. */
interface PreparedIngredient {
  readonly statement: {
    readonly label: string;
    readonly title: string;
    readonly relationship: "inputTo";
    readonly format: string;
    readonly description?: string;
  };
  readonly file: Blob | null;
}

/**
 * For the manifests of all ingredients together. Every one is copied into each of the files, and read
 * again to verify them: without a limit, whoever supplies a reference decides how large and how long.
 */
const maxManifestBytes = 2_000_000;

function prepare(ingredients: readonly Ingredient[]): PreparedIngredient[] {
  let bytesLeft = maxManifestBytes;
  return ingredients.map(({ bytes, title }, index) => {
    const label = `reference-${index + 1}`;
    const format = mediaTypes[detectFormat(bytes)];
    const statement = { label, title, relationship: "inputTo" as const, format };
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
