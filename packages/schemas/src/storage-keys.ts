import type { ReceivedFormat } from "./request-fields.ts";
import type { DeliveredFormat } from "./results.ts";

/** The files of a finished image: one of each format, a small WebP, and the SVG of a vector drawing. */
export type StoredFormat = DeliveredFormat | "thumbnail";

/**
 * Prefixes of storage keys: `renders/<render>/<attempt>.<format>` for finished images
 * (`.thumbnail.webp` for thumbnails),
 * `staged/<render>/<attempt>/…` for the raw bytes of a provider, and
 * `staged/<first render>/references/…` for fetched reference images of a generation. Uploads are at
 * `uploads/<upload>/image.<format>`.
 */
export const filePrefixes = { renders: "renders/", staged: "staged/" } as const;

/**
 * An attempt at a render. It is part of every key (decision 004), so that a stalled worker that
 * resumes never overwrites the files of its successor, whose hashes are already recorded.
 */
interface Attempt {
  readonly renderId: string;
  readonly attempt: number;
}

/** The key of a file of a finished image. */
export function imageKey({ renderId, attempt }: Attempt, format: StoredFormat): string {
  return `${filePrefixes.renders}${renderId}/${attempt}.${extensionOf(format)}`;
}

function extensionOf(format: StoredFormat | ReceivedFormat): string {
  return format === "thumbnail" ? "thumbnail.webp" : format;
}

/**
 * Prefix of dossiers: what is kept of images after their files are deleted, at
 * `dossiers/<render>/<attempt>.zst`. A sweep deletes them, never a rule of the store.
 */
export const dossierPrefix = "dossiers/";

/** Prefix of the dossiers of a render, over all attempts. */
export function dossiersPrefix(renderId: string): string {
  return `${dossierPrefix}${renderId}/`;
}

/** The key of the dossier of an image. */
export function dossierKey({ renderId, attempt }: Attempt): string {
  return `${dossiersPrefix(renderId)}${attempt}.zst`;
}

/** Reads the render and the attempt from the key of a dossier; null for other keys. */
export function readDossierKey(key: string): Attempt | null {
  const [, renderId, attempt] =
    /^dossiers\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(\d{1,9})\.zst$/.exec(key) ?? [];
  return renderId === undefined ? null : { renderId, attempt: Number(attempt) };
}

/** The keys that dossiers of a render can have, of all attempts up to one. */
export function dossierKeys({ renderId, attempt: last }: Attempt): string[] {
  return Array.from({ length: last }, (_, index) => dossierKey({ renderId, attempt: index + 1 }));
}

/** Prefix of archived jobs, at `archived/<month>/<file>.jsonl.gz`. No rule of the store and no sweep deletes them. */
export const archivePrefix = "archived/";

/**
 * The key of a file of archived jobs.
 *
 * @param month such as `2026-05`.
 * @param fileId a new one for each content, so that no file is overwritten.
 */
export function archiveKey(month: string, fileId: string): string {
  return `${archivePrefix}${month}/${fileId}.jsonl.gz`;
}

/**
 * Prefix of records of erased accounts, at `erasures/<account>.json`. No rule of the store and no sweep deletes
 * them: a restored backup of any age brings the account back.
 */
export const erasurePrefix = "erasures/";

/** The key of the record that an account was erased. */
export function erasureKey(accountId: string): string {
  return `${erasurePrefix}${accountId}.json`;
}

/** Reads the id of the account from the key of such a record; null for other keys. */
export function readErasureKey(key: string): string | null {
  const [, accountId] =
    /^erasures\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.json$/.exec(key) ?? [];
  return accountId ?? null;
}

/** Prefix of the storage keys of uploads. */
export const uploadPrefix = "uploads/";

/** The key of the file of an upload. */
export function uploadKey(uploadId: string, format: ReceivedFormat): string {
  return `${uploadPrefix}${uploadId}/image.${format}`;
}

/** The id of the upload that a key belongs to; null for other keys. */
export function uploadIdOf(key: string): string | null {
  return key.startsWith(uploadPrefix) ? (key.split("/")[1] ?? null) : null;
}

/**
 * Prefix of files that are kept until they are deleted, at `kept/<job or other item>/<file>.<format>`. No
 * rule of the store and no retention deletes them.
 */
export const keptPrefix = "kept/";

/** The key of a kept file. A file that is kept again has another id, so that deleting the old one is safe. */
export function keptKey(
  itemId: string,
  fileId: string,
  format: StoredFormat | ReceivedFormat,
): string {
  return `${keptPrefix}${itemId}/${fileId}.${extensionOf(format)}`;
}

/** Ends the id of a kept file that is a copy of an upload. */
const receivedMark = ".received";

/** The key of a kept copy of an upload, which is as it was received: workers decode it before they use it. */
export function keptUploadKey(itemId: string, fileId: string, format: ReceivedFormat): string {
  return keptKey(itemId, `${fileId}${receivedMark}`, format);
}

/** Whether a file is as a client sent it: an upload, or a kept copy of one. */
export function isReceivedKey(key: string): boolean {
  return uploadIdOf(key) !== null || (isKeptKey(key) && key.includes(receivedMark));
}

/** Whether a key is that of a kept file. */
export function isKeptKey(key: string): boolean {
  return key.startsWith(keptPrefix);
}

/** Prefix of all staged files of a render, over all attempts. */
export function stagedPrefix(renderId: string): string {
  return `${filePrefixes.staged}${renderId}/`;
}

/** The key of a staged file. */
export function stagedKey({ renderId, attempt }: Attempt, name: string): string {
  return `${stagedPrefix(renderId)}${attempt}/${name}`;
}

/** Prefix of the reference images that were fetched for a generation. */
export function keptReferencesPrefix(firstRenderId: string): string {
  return `${stagedPrefix(firstRenderId)}references/`;
}

/** The key of a fetched reference image, independent of the render and attempt that fetched it. */
export function keptReferenceKey(firstRenderId: string, name: string): string {
  return `${keptReferencesPrefix(firstRenderId)}${name}`;
}

/** Reads the attempt and the name from the key of a staged file. */
export function readStagedKey(key: string): { readonly attempt: number; readonly name: string } {
  const [, , attempt = "", name = ""] = key.split("/");
  return { attempt: Number(attempt), name };
}

/** Reads the render id from a key of the forms above; arbitrary text for other keys. */
export function renderIdOf(key: string): string {
  return key.split("/")[1] ?? "";
}
