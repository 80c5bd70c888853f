import type { Concept } from "./lexicon/concepts.ts";

/** Concepts without words of their own: combinations of others make them. */
type DerivedConcept =
  | "acquaintance"
  | "childName"
  | "fullName"
  | "garmentRemoval"
  | "innocentTouch"
  | "label"
  | "likenedToVermin"
  | "plainAct"
  | "plainSuggestive";

export type AnyConcept = Concept | DerivedConcept;
