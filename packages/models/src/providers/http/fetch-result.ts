import { unknown } from "./call-ended.ts";

/**
 * Fetches the bytes of a result from a URL that a provider gave, under the rules for untrusted URLs
 * and without any key. Throws whatever it likes.
 */
export type FetchResult = (url: string, signal: AbortSignal) => Promise<Uint8Array>;

/**
 * The bytes of a finished image by its URL.
 *
 * @throws CallEnded `unknown` when they cannot be had: the image was made and is paid for.
 */
export async function fetchImage(
  url: string,
  signal: AbortSignal,
  fetchResult: FetchResult,
): Promise<Uint8Array> {
  try {
    return await fetchResult(url, signal);
  } catch (error) {
    // A word that is the same for every host: a message may hold the URL, which is signed.
    const { name, code, reason } = error as { name?: string; code?: string; reason?: string };
    throw unknown(`the image could not be fetched: ${reason ?? code ?? name ?? "Error"}`);
  }
}
