import type { AnyConcept } from "./hits.ts";
import type { ModerationCategory } from "./policy.ts";

/** Something that must stand near the first concept of a rule. */
export interface Companion {
  readonly any: readonly AnyConcept[];
  /** Most tokens between it and the first. */
  readonly within: number;
  /** After the first, not before it. */
  readonly forward?: boolean;
  /** So many different words of it. */
  readonly different?: number;
}

/** Something that excuses the first concept of a rule. */
export interface Excuse {
  readonly any: readonly AnyConcept[];
  /** Most tokens between it and the first; without it, any text of the request will do. */
  readonly within?: number;
  /** Only before it: "against racism" excuses, "racism against" does not. */
  readonly before?: boolean;
}

export interface Rule {
  readonly category: ModerationCategory;
  /** Policy beyond the law: `normal` only. */
  readonly normalOnly?: boolean;
  readonly any: readonly AnyConcept[];
  readonly near?: readonly Companion[];
  readonly unless?: readonly Excuse[];
  /** Applies when the request has reference images. */
  readonly references?: boolean;
  /** Also applies when the first concept and its companion stand in different texts of a request. */
  readonly acrossTexts?: boolean;
}

const artOrMedicine: readonly Excuse[] = [
  { any: ["classicalArt"], within: 15 },
  { any: ["medicine", "nursing"], within: 20 },
];
const informing: readonly Excuse[] = [
  { any: ["opposition"], within: 6, before: true },
  { any: ["awareness"], within: 20 },
];
const remembering: readonly Excuse[] = [...informing, { any: ["remembrance"], within: 20 }];
/** The legal floor takes less for an excuse. */
const opposing: readonly Excuse[] = [
  { any: ["stance"], within: 5, before: true },
  { any: ["awareness"], within: 12 },
];
const opposingOrRemembering: readonly Excuse[] = [
  ...opposing,
  { any: ["remembrance"], within: 20 },
];
/** Putti and infants at the breast; nothing else excuses a child's nakedness. */
const childArt: readonly Excuse[] = [
  { any: ["classicalArt"], within: 3 },
  { any: ["nursing"], within: 15 },
];
/** The abuse that a poster is against has to be named on it. */
const abuseOpposed: readonly Excuse[] = [{ any: ["abuseOpposed"], within: 0 }];
const careOfBodies: readonly Excuse[] = [
  { any: ["nursing"], within: 15 },
  { any: ["medicine"], within: 4 },
];
const bodies = ["nudity", "genital", "undressing"] as const;
const known = ["acquaintance", "publicFigure", "lateFigure"] as const;

/**
 * The policy as combinations. `any` is looked for first, and is what the refusal points at;
 * `near` must all be around it, and none of `unless`.
 */
export const rules: readonly Rule[] = [
  // Sexual content involving minors, in any style or code.
  { category: "sexual_minors", any: ["abuseCode"], unless: opposing },
  {
    category: "sexual_minors",
    any: ["sexualAct"],
    near: [{ any: ["minor"], within: 60 }],
    unless: abuseOpposed,
    acrossTexts: true,
  },
  {
    category: "sexual_minors",
    any: bodies,
    near: [{ any: ["minor"], within: 40 }],
    unless: childArt,
    acrossTexts: true,
  },
  {
    category: "sexual_minors",
    any: ["suggestive"],
    near: [{ any: ["minor"], within: 20 }],
    unless: abuseOpposed,
    acrossTexts: true,
  },
  { category: "sexual_minors", any: ["intimateGarment"], near: [{ any: ["minor"], within: 6 }] },
  {
    category: "sexual_minors",
    any: ["sexualAct", "nudity", "genital"],
    near: [{ any: ["boyWord"], within: 8 }],
    unless: childArt,
  },
  {
    category: "sexual_minors",
    any: ["sexualAct", "nudity", "genital"],
    near: [{ any: ["youthHint"], within: 40, different: 2 }],
    unless: artOrMedicine,
  },

  // Undressing or sexualising a real or identifiable person.
  { category: "real_person_sexual", any: ["nudify"], unless: opposing },
  {
    category: "real_person_sexual",
    any: [...bodies, "sexualAct"],
    near: [{ any: known, within: 40 }],
    unless: careOfBodies,
    acrossTexts: true,
  },
  {
    category: "real_person_sexual",
    any: [...bodies, "sexualAct"],
    near: [{ any: ["pictured"], within: 40 }],
    unless: [{ any: ["classicalArt"], within: 3 }, ...careOfBodies],
    acrossTexts: true,
  },
  {
    category: "real_person_sexual",
    any: ["suggestive"],
    near: [{ any: [...known, "pictured"], within: 15 }],
    acrossTexts: true,
  },
  {
    category: "real_person_sexual",
    any: ["swimwear"],
    near: [
      { any: ["dressCommand"], within: 8 },
      { any: [...known, "pictured"], within: 15 },
    ],
  },
  {
    category: "real_person_sexual",
    any: [...bodies, "sexualAct"],
    near: [
      { any: ["fullName"], within: 25 },
      { any: ["photographic"], within: 25 },
    ],
  },
  {
    category: "real_person_sexual",
    references: true,
    any: [...bodies, "sexualAct", "garmentRemoval", "underwearOnly"],
    unless: [{ any: ["classicalArt"], within: 3 }, ...careOfBodies, { any: ["styleOnly"] }],
  },
  {
    category: "real_person_sexual",
    references: true,
    any: ["suggestive"],
    near: [{ any: ["person", "pictured", "dressCommand"], within: 12 }],
    unless: [{ any: ["styleOnly"] }],
  },
  {
    category: "real_person_sexual",
    references: true,
    any: ["swimwear"],
    near: [{ any: ["dressCommand"], within: 8 }],
  },

  // Terrorist propaganda, incitement to violence against a group.
  { category: "terrorism_incitement", any: ["incitementSlogan"], unless: opposingOrRemembering },
  {
    category: "terrorism_incitement",
    any: ["killing"],
    near: [
      { any: ["group", "groupPlace"], within: 4, forward: true },
      { any: ["messageMedium", "praise", "allOf"], within: 15 },
    ],
    unless: opposingOrRemembering,
  },
  {
    category: "terrorism_incitement",
    any: ["group"],
    near: [{ any: ["mustDie"], within: 4, forward: true }],
    unless: opposingOrRemembering,
  },
  {
    category: "terrorism_incitement",
    any: ["assault"],
    near: [
      { any: ["group", "groupPlace"], within: 3, forward: true },
      { any: ["praise", "messageMedium"], within: 10 },
    ],
    unless: opposingOrRemembering,
  },
  {
    category: "terrorism_incitement",
    any: ["terrorist"],
    near: [{ any: ["praise"], within: 10 }],
    unless: opposingOrRemembering,
  },
  { category: "terrorism_incitement", any: ["bombMaking"], unless: opposing },

  // Forged identity documents, banknotes.
  {
    category: "forgery",
    any: ["identityDocument", "banknote"],
    near: [{ any: ["forgery"], within: 8 }],
    unless: [...informing, { any: ["plaything", "remembrance"], within: 20 }],
  },
  {
    category: "forgery",
    any: ["money"],
    near: [{ any: ["forgery"], within: 2 }],
    unless: [...informing, { any: ["plaything", "remembrance"], within: 20 }],
  },
  {
    category: "forgery",
    any: ["identityDocument", "banknote"],
    near: [{ any: ["forgeryDetail"], within: 15, different: 2 }],
    unless: [...informing, { any: ["plaything", "documentScenery"], within: 15 }],
  },

  // Hate: slurs, demeaning a group.
  { category: "hate", any: ["slur"], unless: remembering },
  {
    category: "hate",
    any: ["group"],
    near: [{ any: ["likenedToVermin"], within: 3, forward: true }],
    unless: remembering,
  },
  {
    category: "hate",
    any: ["demeaning"],
    near: [{ any: ["group"], within: 2, forward: true }],
    unless: remembering,
  },
  {
    category: "hate",
    any: ["group"],
    near: [
      { any: ["likeness"], within: 1, forward: true },
      { any: ["demeaning"], within: 5, forward: true },
    ],
    unless: remembering,
  },
  {
    category: "hate",
    any: ["hateSlogan"],
    near: [{ any: ["group"], within: 12 }],
    unless: remembering,
  },
  { category: "hate", normalOnly: true, any: ["hateSlogan"], unless: remembering },

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
  { category: "sexual", normalOnly: true, any: ["sexualAct"], unless: informing },
  { category: "sexual", normalOnly: true, any: ["nudity", "genital"], unless: artOrMedicine },
  {
    category: "sexual",
    normalOnly: true,
    any: ["suggestive", "undressing"],
    near: [{ any: ["person"], within: 10 }],
    unless: [...informing, { any: ["classicalArt"], within: 6 }, { any: ["medicine"], within: 10 }],
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
