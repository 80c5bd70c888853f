import { presetResource } from "./presets.ts";

/** Resources whose routes and part of the export follow from their records. */
export const plainResources = [presetResource] as const;
