import { workerData } from "node:worker_threads";
import { lowerPriority } from "@atelier/kit/lower-priority";
import type { SearchableImage } from "@atelier/watermark";
import { createSearch, type PlacedMark } from "./search-watermarks.ts";

export { judgeLook } from "./search-watermarks.ts";

const secrets: readonly string[] = workerData;

// On Linux, this is the priority of the calling thread (setpriority(2)).
if (process.platform === "linux") lowerPriority();

/** Searches an image for the watermarks of the installation. */
export default createSearch(secrets) satisfies (image: SearchableImage) => PlacedMark[];
