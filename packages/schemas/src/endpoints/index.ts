import { collectionEndpoints } from "./collections.ts";
import { jobEndpoints } from "./jobs.ts";
import { presetEndpoints } from "./presets.ts";

export * from "./collections.ts";
export * from "./endpoint.ts";
export * from "./jobs.ts";
export * from "./presets.ts";
export * from "./samples.ts";

/** The operations of the API that have a record, by their resource. */
export const endpoints = [...jobEndpoints, ...collectionEndpoints, ...presetEndpoints] as const;
