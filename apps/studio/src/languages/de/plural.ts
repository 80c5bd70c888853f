import { pluralOf } from "../plural.ts";

/** Chooses the plural form of a German text. */
export const plural = pluralOf("de");
