import { AppError } from "@atelier/schemas";
import { onTestFinished } from "vitest";
import {
  createGuardedFetcher,
  type GuardedFetcher,
  type GuardedFetcherOptions,
} from "../fetcher.ts";
import { startInternet, type Internet, type Site } from "./internet.ts";

/** A signal for tests whose caller never aborts. */
export const never = new AbortController().signal;

/**
 * Starts a simulated internet with these sites and a fetcher for it; both are closed when the test
 * ends.
 */
export async function online(
  sites: Readonly<Record<string, Site>>,
  options: Partial<GuardedFetcherOptions> = {},
): Promise<{ internet: Internet; fetcher: GuardedFetcher }> {
  const internet = await startInternet(sites);
  const fetcher = createGuardedFetcher({
    maxBytes: 200_000,
    maxPixels: 1_000_000,
    totalTimeoutMs: 10_000,
    testing: internet.testing,
    ...options,
  });
  onTestFinished(async () => {
    await fetcher.close();
    await internet.close();
  });
  return { internet, fetcher };
}

/** Returns the error of a refused fetch. Fails if the fetch succeeds or fails in another way. */
export async function refusal(fetcher: GuardedFetcher, url: string): Promise<AppError> {
  const outcome = await fetcher.fetchImage(url, never).then(
    () => new Error(`${url} got through`),
    (error: unknown) => error,
  );
  if (outcome instanceof AppError) return outcome;
  throw outcome;
}
