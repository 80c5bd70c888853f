import * as z from "zod";

/** Languages of Studio, the default first. Each but the default is a folder of `apps/studio/src/languages`. */
export const studioLanguages = ["en", "de"] as const;

/** A language of Studio (ISO 639-1). */
export const studioLanguage = z.enum(studioLanguages);
export type StudioLanguage = z.infer<typeof studioLanguage>;
