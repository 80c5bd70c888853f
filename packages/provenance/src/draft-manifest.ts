import { createHash, hash } from "node:crypto";
import type { WasmBuilder } from "@contentauth/c2pa-wasm";
import type { ImageFormat } from "@atelier/kit";
import { toBlob } from "./c2pa.ts";
import { array, byteString, decodeCbor, integer, map, textString, type CborValue } from "./cbor.ts";
import type { ClaimSigner } from "./cose.ts";
import { findCbor, hashedBytes, readBoxes, type CborBox } from "./jumbf.ts";
import { findStore, openSlot } from "./manifest-slot.ts";
import { writePng, type PngChunk } from "./png-chunks.ts";

/** A manifest store that lacks the hash of its file and its signature. */
export interface ManifestDraft {
  readonly store: Buffer;
  /** The encoded claim, as it is in the store. */
  readonly claim: Buffer;
}

/**
 * Lets the library draft a manifest store with all assertions and ingredients: it signs a PNG of one
 * pixel, which has the file's XMP, because the claim repeats its instance id. The signature is left
 * empty, and no time stamp is requested. A store has the same content in every format.
 *
 * @param carrier the chunks of the PNG.
 */
export async function draftManifest(
  builder: WasmBuilder,
  { alg, reserveSize }: ClaimSigner,
  carrier: readonly PngChunk[],
  xmp: string,
): Promise<ManifestDraft> {
  const claims: Buffer[] = [];
  const emptySigner = {
    alg,
    reserveSize,
    sign: async (claim: Uint8Array) => {
      claims.push(Buffer.from(claim));
      return new Uint8Array(reserveSize);
    },
  };
  const signed = await builder.sign(emptySigner, [], "image/png", toBlob(writePng(carrier, xmp)));
  const [claim, ...others] = claims;
  if (claim === undefined || others.length > 0) throw new Error("The draft has not one claim.");
  return { store: findStore("png", Buffer.from(signed)).store, claim };
}

/**
 * Completes a draft for a file without a manifest: the hash of the file, the hashes of the assertions that
 * changed, and the signature. Changes the draft in place.
 *
 * @returns the file with its manifest.
 * @throws Error when the draft does not have the expected layout, and TimeStampError.
 */
export async function completeManifest(
  { store, claim }: ManifestDraft,
  signer: ClaimSigner,
  format: ImageFormat,
  file: Buffer,
): Promise<Buffer> {
  const slot = openSlot(format, file, store.length);
  const manifest = readBoxes(store)[0]?.boxes.at(-1)?.boxes ?? [];
  const assertions = manifest.find(({ label }) => label === "c2pa.assertions")?.boxes ?? [];
  const written = findCbor(manifest, "c2pa.claim.v2");
  if (!store.subarray(written.start, written.end).equals(claim)) {
    throw new Error("The draft has another claim than the one to sign.");
  }

  const wrapped = slot.wrap(store).length;
  const exclusion = { start: slot.head.length, length: wrapped };
  const digest = createHash("sha256").update(slot.head).update(slot.tail).digest();
  replaceAssertion(store, claim, findCbor(assertions, "c2pa.hash.data"), (draft) =>
    dataHash(exclusion, digest, draft),
  );
  for (const { label } of assertions) {
    if (label === null || !/^c2pa\.soft-binding(__\d+)?$/.test(label)) continue;
    replaceAssertion(store, claim, findCbor(assertions, label), padWithBytes);
  }
  claim.copy(store, written.start);

  const signature = findCbor(manifest, "c2pa.signature");
  const envelope = await signer.sign(claim);
  if (envelope.length !== signature.end - signature.start) {
    throw new Error("The draft has no room for the signature.");
  }
  store.set(envelope, signature.start);
  return Buffer.concat([slot.head, slot.wrap(store), slot.tail]);
}

/** Changes the content of an assertion, and its hash in the claim, which must state it once. */
function replaceAssertion(
  store: Buffer,
  claim: Buffer,
  { superbox, start, end }: CborBox,
  change: (draft: Buffer) => Buffer,
): void {
  const digest = () => hash("sha256", hashedBytes(store, superbox), "buffer");
  const before = digest();
  const content = change(Buffer.from(store.subarray(start, end)));
  if (content.length !== end - start) {
    throw new Error(`The content of ${superbox.label} does not fit into the draft.`);
  }
  content.copy(store, start);
  const at = claim.indexOf(before);
  if (at === -1 || claim.includes(before, at + 1)) {
    throw new Error(`The claim does not state the hash of ${superbox.label} once.`);
  }
  digest().copy(claim, at);
}

/** The assertion `c2pa.hash.data` (C2PA 2.4, data hash), padded to the size of the draft. */
function dataHash(
  exclusion: { readonly start: number; readonly length: number },
  digest: Buffer,
  draft: Buffer,
): Buffer {
  const encode = (range: typeof exclusion, value: Buffer, pad: number): Buffer => {
    const excluded = map(
      [textString("start"), integer(range.start)],
      [textString("length"), integer(range.length)],
    );
    return map(
      [textString("exclusions"), array(excluded)],
      [textString("name"), textString("jumbf manifest")],
      [textString("alg"), textString("sha256")],
      [textString("hash"), byteString(value)],
      [textString("pad"), byteString(new Uint8Array(pad))],
    );
  };
  const { exclusions, hash: drafted, pad } = decodeCbor(draft) as DataHash;
  const [range] = exclusions ?? [];
  const isExpected =
    range !== undefined &&
    drafted instanceof Buffer &&
    pad instanceof Buffer &&
    encode(range, drafted, pad.length).equals(draft);
  if (!isExpected) throw new Error("The draft of c2pa.hash.data has another layout.");
  return encode(exclusion, digest, Math.max(0, draft.length - encode(exclusion, digest, 0).length));
}

interface DataHash {
  readonly exclusions?: readonly { readonly start: number; readonly length: number }[];
  readonly hash?: CborValue;
  readonly pad?: CborValue;
}

const emptyArray = 0x80;
const emptyBytes = 0x40;

/**
 * Encodes the `pad` of a `c2pa.soft-binding` as bytes, as the schema requires (C2PA 2.4, soft binding).
 * The library takes assertions as JSON, which has no bytes, and writes an empty array.
 */
function padWithBytes(draft: Buffer): Buffer {
  const key = Buffer.concat([textString("pad"), Buffer.from([emptyArray])]);
  const at = draft.indexOf(key);
  if (at === -1 || draft.includes(key, at + 1)) {
    throw new Error("The draft of c2pa.soft-binding has not one empty pad.");
  }
  draft[at + key.length - 1] = emptyBytes;
  return draft;
}
