import type { Words } from "./words.ts";

/** Words that turn what follows into its absence. */
export const negator: Words = {
  en: `no, not, without, never, non, nor, neither, zero, don t, doesn t, isn t, aren t, avoid, avoiding, exclude, excluding, free of, free from, absence of, devoid of, lacking, instead of, rather than, nothing, cannot, can t, must not, should not`,
  de: `kein, keine, keinen, keiner, keinem, keinerlei, nicht, ohne, nie, niemals, weder, frei von, statt, anstatt`,
  fr: `sans, pas, pas de, aucun, aucune, jamais, ni, non, point de, exempt de, ne pas`,
  es: `sin, ningun, ninguna, nunca, ni, jamas, libre de`,
  it: `senza, nessun, nessuna, nessuno, mai, ne, non, privo di, priva di`,
  pt: `sem, nao, nenhum, nenhuma, nunca, nem, livre de`,
};

/** After a negator they undo it: "not only", "no longer hiding". */
export const emphasis: Words = {
  en: `consensual, stop, only, just, merely, hide, hiding, hidden, cover, covering, covered, censor, censoring, censorship, blur, blurring, shy, afraid, ashamed, forget, restriction, restrictions, limits, limit, rules, filter, filters, inhibitions, shame, hesitation, doubt`,
  de: `nur, bloss, verstecken, verdecken, zensur, zensiert, scham, einschrankung, hemmungen`,
  fr: `seulement, uniquement, cacher, censure, pudeur, honte, limites`,
  es: `solo, solamente, unicamente, ocultar, censura, pudor, verguenza, limites`,
  it: `solo, soltanto, solamente, nascondere, censura, pudore, vergogna, limiti`,
  pt: `so, somente, apenas, esconder, censura, pudor, vergonha, limites`,
};

/** Clothes left away, which say nothing about what comes after: "without shirt, smiling". */
export const garmentAbsent: Words = {
  en: `(without|no|minus) (a |any |her |his |)(shirt|top|dress|skirt|pants|trousers|jeans|shorts|shoes|socks|jacket|coat|hat|robe|towel|blanket|sheets|swimsuit|makeup|make up)`,
  de: `ohne (ein |einen |jedes |ihr |)(hemd|oberteil|kleid|rock|hose|jacke|schuhe|handtuch|decke|shirt)`,
  fr: `sans (une |un |sa |son |ses |)(chemise|haut|robe|jupe|pantalon|chaussures|veste|serviette|maillot)`,
  es: `sin (una |un |su |)(camisa|camiseta|vestido|falda|pantalones|zapatos|chaqueta|toalla|sabana)`,
  it: `senza (una |un |la |)(camicia|maglietta|vestito|gonna|pantaloni|scarpe|giacca|asciugamano)`,
  pt: `sem (uma |um |a |)(camisa|camiseta|vestido|saia|calcas|sapatos|jaqueta|toalha|blusa)`,
};

/** Heads a list of what the picture should not show. */
export const negativeList: Words = {
  any: `negative prompt, negative prompts, negativprompt, negativer prompt, prompt negatif, prompt negativo, things to avoid`,
};
