import { harmlessTouch } from "./floor-rules.ts";
import type { Excuse, Rule } from "./rules.ts";

const artOrMedicine: readonly Excuse[] = [
  { any: ["classicalArt", "artPlace"], within: 15 },
  { any: ["medicine", "nursing"], within: 20 },
];
const informing: readonly Excuse[] = [
  { any: ["opposition"], within: 6, before: true },
  { any: ["awareness"], within: 20 },
];
/** Sexual words of a statute, lesson or report, which has to name them. */
const named: readonly Excuse[] = [
  {
    any: ["prevention", "lesson", "outlawed"],
    within: 8,
    unlessAfter: ["depictionOf"],
    unlessBefore: ["depictionLast"],
  },
];
const suggestiveExcuses: readonly Excuse[] = [
  ...informing,
  { any: ["classicalArt", "artPlace"], within: 6 },
  { any: ["medicine"], within: 10 },
];
const remembering: readonly Excuse[] = [
  ...informing,
  { any: ["remembrance"], within: 20 },
  { any: ["counterSpeech"], within: 10 },
];
/** Hatred that is reported, or that a lesson explains. */
const quoting: readonly Excuse[] = [
  { any: ["quoted"], within: 6 },
  { any: ["explaining", "lesson", "reporting", "prevention"], within: 12 },
];

/**
 * The policy beyond the law, as combinations. `any` is looked for first, and is what the refusal
 * points at; `near` must all be around it, and none of `unless`.
 */
export const policyRules: readonly Rule[] = [
  // Hate: slurs, attacks on a group, demeaning a group.
  { category: "hate", any: ["slur"], unless: remembering, softens: quoting },
  {
    category: "hate",
    any: ["attackBefore"],
    near: [{ any: ["group"], within: 1, forward: true }],
    unless: remembering,
    softens: quoting,
  },
  {
    category: "hate",
    any: ["group"],
    near: [{ any: ["attackAfter"], within: 0, forward: true }],
    unless: remembering,
    softens: quoting,
  },
  {
    category: "hate",
    any: ["group"],
    near: [{ any: ["likenedToVermin"], within: 3, forward: true }],
    unless: remembering,
    softens: quoting,
  },
  {
    category: "hate",
    any: ["demeaning"],
    near: [{ any: ["group"], within: 2, forward: true }],
    unless: remembering,
    softens: quoting,
  },
  {
    category: "hate",
    any: ["group"],
    near: [
      { any: ["likeness"], within: 1, forward: true },
      { any: ["demeaning"], within: 5, forward: true },
    ],
    unless: remembering,
    softens: quoting,
  },
  {
    category: "hate",
    any: ["hateSlogan"],
    near: [{ any: ["group"], within: 12 }],
    unless: remembering,
    softens: quoting,
  },
  {
    category: "hate",
    normalOnly: true,
    any: ["hateSlogan"],
    unless: remembering,
    softens: quoting,
  },

  // Glorifying self-harm.
  {
    category: "self_harm",
    any: ["selfHarm"],
    near: [{ any: ["alluring"], within: 12 }],
    unless: [{ any: ["help"], within: 15 }, ...informing],
  },
  {
    category: "self_harm",
    any: ["selfHarmUrge"],
    unless: [{ any: ["help"], within: 15 }, ...informing],
  },
  {
    category: "self_harm",
    normalOnly: true,
    any: ["selfHarmAct"],
    unless: [{ any: ["help"], within: 15 }, ...informing],
  },

  // Deceptive photorealistic public figures.
  {
    category: "deceptive_public_figure",
    any: ["publicFigure"],
    near: [{ any: ["deceptiveAct"], within: 20 }],
    unless: [{ any: ["stylised"] }],
    acrossTexts: true,
  },
  {
    category: "deceptive_public_figure",
    normalOnly: true,
    any: ["publicFigure"],
    near: [{ any: ["photographic"], within: 40 }],
    unless: [{ any: ["stylised"] }],
    acrossTexts: true,
  },

  // Sexual content, fictional adults; classical nudes, anatomy and nursing mothers are welcome.
  {
    category: "sexual",
    normalOnly: true,
    any: ["plainAct"],
    unless: informing,
    softens: harmlessTouch,
  },
  {
    category: "sexual",
    normalOnly: true,
    any: ["sexualAct"],
    unless: [...informing, ...named],
    softens: harmlessTouch,
  },
  {
    category: "sexual",
    normalOnly: true,
    any: ["nudity", "genital"],
    unless: [
      ...artOrMedicine,
      { any: ["lesson", "outlawed"], within: 8, unlessAfter: ["depictionOf"] },
    ],
  },
  {
    category: "sexual",
    normalOnly: true,
    any: ["plainSuggestive", "undressing"],
    near: [{ any: ["person"], within: 10 }],
    unless: suggestiveExcuses,
    softens: harmlessTouch,
  },
  {
    category: "sexual",
    normalOnly: true,
    any: ["suggestive"],
    near: [{ any: ["person"], within: 10 }],
    unless: [...suggestiveExcuses, ...named],
    softens: harmlessTouch,
  },

  // Gore.
  {
    category: "gore",
    normalOnly: true,
    any: ["gore"],
    unless: [...informing, { any: ["medicine"], within: 12 }],
  },

  // Drugs, profanity.
  {
    category: "drugs_profanity",
    normalOnly: true,
    any: ["drugs"],
    unless: [...informing, { any: ["medicine"], within: 12 }],
  },
  { category: "drugs_profanity", normalOnly: true, any: ["profanity"] },
];
