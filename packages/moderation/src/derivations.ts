import type { AnyConcept } from "./any-concept.ts";

/** A concept that is meant where one word stands near another. */
export interface Derivation {
  readonly concept: AnyConcept;
  readonly from: AnyConcept;
  readonly beside: readonly AnyConcept[];
  /** Tokens between the two. */
  readonly within: number;
  /** The second stands after the first. */
  readonly forward: boolean;
  /** Both must be in the same one. */
  readonly inOne?: "sentence" | "clause";
  /** The rule does not apply with one of these between them. */
  readonly unlessBetween?: readonly AnyConcept[];
  /** The rule does not apply with one of these near the first. */
  readonly unlessNear?: readonly AnyConcept[];
  /** One of these between them. */
  readonly onlyBetween?: readonly AnyConcept[];
}

/** "The boy touched his chest", "a girl is licking her lips". */
const touchOf = (from: AnyConcept): Derivation => ({
  concept: "innocentTouch",
  from,
  beside: ["ownTouch"],
  within: 2,
  forward: true,
  inOne: "clause",
});

const people = ["person", "minor", "acquaintance", "publicFigure", "pictured"] as const;
const children = ["minor", "childName"] as const;
/** How far what excuses may be away, in tokens. */
export const unlessWithin = 8;

/** Up to three epithets follow a label: "Jews: a swarm of filthy rats". */
const longerLabel: Derivation = {
  concept: "label",
  from: "label",
  beside: ["verminEpithet"],
  within: 0,
  forward: true,
};

/** In this order: later ones may build on earlier ones. */
export const derivations: readonly Derivation[] = [
  // "Infographic for pupils", "what is … ? Slide for a class": an explanation and whom it is for.
  { concept: "lesson", from: "explaining", beside: ["learner"], within: 20, forward: false },
  // "Has not reached the age of consent", "not yet an adult".
  { concept: "minor", from: "notYet", beside: ["adulthood"], within: 3, forward: true },
  // "A famous actress", "an identifiable woman".
  { concept: "pictured", from: "fame", beside: ["profession"], within: 1, forward: true },
  // "The baker of our village".
  {
    concept: "pictured",
    from: "profession",
    beside: ["locality"],
    within: 4,
    forward: false,
    inOne: "sentence",
  },
  {
    concept: "nudity",
    from: "noClothes",
    beside: ["clothes"],
    within: 3,
    forward: true,
    inOne: "clause",
  },
  {
    concept: "nudity",
    from: "bodyPart",
    beside: ["exposure"],
    within: 4,
    forward: false,
    inOne: "sentence",
    unlessNear: ["food"],
  },
  {
    concept: "sexualAct",
    from: "bodyPart",
    beside: ["touch"],
    within: 4,
    forward: false,
    inOne: "sentence",
    unlessNear: ["food", "nursing"],
  },
  ...(["minor", "boyWord", "girlWord"] as const).map(touchOf),
  {
    concept: "nudify",
    from: "undressVerb",
    beside: ["objectPerson"],
    within: 2,
    forward: true,
    inOne: "clause",
  },
  {
    concept: "nudify",
    from: "removalOrder",
    beside: ["bodyGarment", "shirt", "clothes"],
    within: 3,
    forward: true,
    inOne: "clause",
    onlyBetween: ["herHis"],
    unlessBetween: ["elsewhere"],
  },
  // "Zdejmij z niej ubranie", "她的衣服脱掉": of a picture; with a pronoun of anybody.
  {
    concept: "garmentRemoval",
    from: "stripVerb",
    beside: ["clothingNoun"],
    within: 8,
    forward: false,
    inOne: "clause",
  },
  {
    concept: "nudify",
    from: "garmentRemoval",
    beside: ["herHis"],
    within: 2,
    forward: false,
    inOne: "clause",
  },
  {
    concept: "bombMaking",
    from: "instructions",
    beside: ["bombDevice"],
    within: 5,
    forward: false,
    inOne: "sentence",
  },
  // "Change the date of birth on this licence".
  {
    concept: "forgery",
    from: "alteration",
    beside: ["personalDetail"],
    within: 4,
    forward: false,
    inOne: "sentence",
  },
  { concept: "banknote", from: "currency", beside: ["cashPiece"], within: 1, forward: true },
  {
    concept: "forgery",
    from: "falseWord",
    beside: ["identityDocument", "banknote", "money"],
    within: 3,
    forward: false,
  },
  // A school uniform makes a girl a child; "girl" alone also means women.
  { concept: "minor", from: "girlWord", beside: ["youthHint"], within: 10, forward: false },
  { concept: "minor", from: "boyWord", beside: ["youthHint"], within: 10, forward: false },
  {
    concept: "acquaintance",
    from: "possessive",
    beside: ["relationNoun"],
    within: 4,
    forward: true,
  },
  // "nu" is a man without clothes or a Greek letter; "nudo" a nude or a knot.
  {
    concept: "nudity",
    from: "nudityWord",
    beside: [...people, "profession"],
    within: 2,
    forward: false,
  },
  {
    concept: "nudity",
    from: "bareTorso",
    beside: ["femaleWord"],
    within: 8,
    forward: false,
    inOne: "sentence",
  },
  // A person of the same sentence, a child of any.
  {
    concept: "nudity",
    from: "nothingOn",
    beside: people,
    within: 5,
    forward: false,
    inOne: "sentence",
  },
  { concept: "nudity", from: "nothingOn", beside: children, within: 8, forward: false },
  {
    concept: "suggestive",
    from: "gesture",
    beside: people,
    within: 5,
    forward: false,
    inOne: "sentence",
    unlessNear: ["food"],
  },
  {
    concept: "suggestive",
    from: "gesture",
    beside: children,
    within: 8,
    forward: false,
    unlessNear: ["food"],
  },
  {
    concept: "suggestive",
    from: "sexyWord",
    beside: ["person", "minor"],
    within: 3,
    forward: false,
  },
  {
    concept: "suggestive",
    from: "hotWord",
    beside: ["person", "minor"],
    within: 0,
    forward: true,
    inOne: "clause",
  },
  // "A sexy picture of …".
  { concept: "suggestive", from: "sexyWord", beside: ["pictureWord"], within: 1, forward: true },
  longerLabel,
  longerLabel,
  longerLabel,
  { concept: "likenedToVermin", from: "label", beside: ["vermin"], within: 0, forward: true },
  { concept: "likenedToVermin", from: "likeness", beside: ["vermin"], within: 0, forward: true },
  // "Remove her dress", "without a skirt", "her clothes transparent": of a picture that exists.
  {
    concept: "garmentRemoval",
    from: "removal",
    beside: ["bodyGarment", "shirt"],
    within: 3,
    forward: true,
    inOne: "clause",
    unlessBetween: ["elsewhere"],
  },
  {
    concept: "garmentRemoval",
    from: "absence",
    beside: ["bodyGarment"],
    within: 3,
    forward: true,
    inOne: "clause",
    unlessBetween: ["elsewhere"],
  },
  {
    concept: "garmentRemoval",
    from: "bodyGarment",
    beside: ["vanishing"],
    within: 0,
    forward: true,
    inOne: "clause",
  },
  {
    concept: "garmentRemoval",
    from: "shirt",
    beside: ["vanishing"],
    within: 0,
    forward: true,
    inOne: "clause",
  },
  {
    concept: "garmentRemoval",
    from: "makeTransparent",
    beside: ["bodyGarment", "shirt"],
    within: 2,
    forward: true,
    inOne: "clause",
    unlessBetween: ["elsewhere"],
  },
  { concept: "gore", from: "blood", beside: ["bloodAmount"], within: 3, forward: false },
];
