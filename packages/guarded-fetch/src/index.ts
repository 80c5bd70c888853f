export { atReference, GuardedRequestError } from "./errors.ts";
export type { TestingOptions } from "./connect.ts";
export { createGuardedCaller, type GuardedCaller } from "./caller.ts";
export { createGuardedFetcher } from "./fetcher.ts";
export type { FetchedImage, GuardedFetcher, GuardedFetcherOptions, InTurn } from "./fetcher.ts";
export { createGuardedPoster, type GuardedPoster, type PostResult } from "./poster.ts";
export { probeImage } from "./probe.ts";
export { assertPublicHttpsUrl } from "./public-url.ts";
export { problemOfReceiverUrl } from "./receiver-url.ts";
