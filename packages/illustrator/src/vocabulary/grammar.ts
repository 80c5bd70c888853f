/** Function words that define how nouns relate. Same notation as in nature.ts. */

import type { Side } from "../scene.ts";
import { wordSet } from "./word-forms.ts";

export const definiteArticles = wordSet(
  "the this that these those his her its their my your our der die das den dem des le la les el los las il lo gli os as sein seine ihr ihre son sa ses su suo sua seu",
);
export const prepositions = wordSet(
  "in inside on upon onto at by near beside under beneath below behind over above through across along between crossing with from into against around toward towards past outside before after next front wearing carrying holding auf im am bei unter hinter vor uber mit neben dans sur pres sous devant derriere avec en sobre con cerca bajo junto al nel nella sul sulla vicino sotto com na perto",
);
/** Prepositions that contain an article, as in "im Park". */
export const contractions = wordSet("im am al nel nella sul sulla na");
export const negations = wordSet("no without kein keine keinen ohne sans sin senza sem not never");
/** Words that continue a negation: "no cars or people". */
export const conjunctions = wordSet("or nor and oder noch und ou ni et o e y");
export const copulas = wordSet(
  "is are was were painted coloured colored dyed ist sind est sont es son e sono sao",
);
export const groupWords = wordSet(
  "herd flock group pair couple pack bunch row school swarm crowd fleet family familie famille familia famiglia pareja coppia casal hundred hundreds dozens lots",
);
export const flyingWords = wordSet(
  "fly flying flies soar soaring soars hovering hovers fliegt fliegen fliegender volent vuela vuelan vola volano voa voam",
);
/** Prepositions that describe the path of a flight. */
export const wayWords = wordSet(
  "over above across through past uber durch sobre sur sopra attraverso por",
);
const leftWords = wordSet("left links gauche izquierda sinistra esquerda");
const rightWords = wordSet("right rechts droite derecha destra direita");

/** Returns the side of the picture that a word means; 0 for other words. */
export function sideOf(word: string): Side {
  return leftWords.has(word) ? -1 : rightWords.has(word) ? 1 : 0;
}
/** Nouns that have a left and a right of their own. */
export const limbs = wordSet(
  "hand hands arm arms eye ear leg foot shoulder cheek knee wrist ankle",
);
