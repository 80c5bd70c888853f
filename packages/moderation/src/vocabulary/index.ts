import { benign } from "./benign.ts";
import * as contexts from "./contexts.ts";
import * as documents from "./documents.ts";
import * as figures from "./figures.ts";
import * as garments from "./garments.ts";
import * as grammar from "./grammar.ts";
import * as hate from "./hate.ts";
import * as people from "./people.ts";
import * as selfHarm from "./self-harm.ts";
import * as sexual from "./sexual.ts";
import * as vices from "./vices.ts";
import * as violence from "./violence.ts";

/** Every concept with its words. */
export const vocabulary = {
  ...contexts,
  ...documents,
  ...figures,
  ...garments,
  ...grammar,
  ...hate,
  ...people,
  ...selfHarm,
  ...sexual,
  ...vices,
  ...violence,
  benign,
};

export type Concept = keyof typeof vocabulary;

/** Whether a name is that of a concept. */
export function isConcept(name: string): name is Concept {
  return Object.hasOwn(vocabulary, name);
}
