import { presetEndpoints } from "./presets.ts";

export * from "./endpoint.ts";
export * from "./presets.ts";

/** The operations of the API that have a record, in the order of the document. */
export const endpoints = [...presetEndpoints] as const;
