import { unknown } from "./call-ended.ts";

/**
 * Downloads a result from a URL that a provider returned, under the rules for untrusted URLs and
 * without any key. May throw any error.
 */
export type FetchResult = (url: string, signal: AbortSignal) => Promise<Uint8Array>;

/**
 * Downloads a finished image.
 *
 * @throws CallEnded `unknown` when the download fails: the image was generated and charged.
 */
export async function fetchImage(
  url: string,
  signal: AbortSignal,
  fetchResult: FetchResult,
): Promise<Uint8Array> {
  try {
    return await fetchResult(url, signal);
  } catch (error) {
    // Report a value that does not depend on the URL: an error message may contain the signed URL.
    const { name, code, reason } = error as { name?: string; code?: string; reason?: string };
    throw unknown(`the image could not be fetched: ${reason ?? code ?? name ?? "Error"}`);
  }
}
