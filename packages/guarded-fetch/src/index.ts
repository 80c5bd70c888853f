export { createGuardedFetcher } from "./fetcher.ts";
export type { FetchedImage, GuardedFetcher, GuardedFetcherOptions } from "./fetcher.ts";
export { assertPublicHttpsUrl } from "./public-url.ts";
