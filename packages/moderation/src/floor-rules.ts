import type { AnyConcept } from "./any-concept.ts";
import type { Excuse, Rule } from "./rules.ts";

/*
 * The rules of every strictness, the legal floor. They fail closed: a sexual concept is refused wherever
 * a hint of youth, or of a person who exists, stands in the request. Only the excuses here lift a match
 * (`unless`) or make it uncertain (`softens`, see decision 046). Distances are in tokens, and tested by the
 * texts of `fixtures`; 0 means that the concepts touch or overlap.
 */

/** A request for a depiction is not excused, before its object ("drawing of …") or after it. */
const notDepicted = { unlessAfter: ["depictionOf"], unlessBefore: ["depictionLast"] } as const;
/** The purpose of a text on abuse, before it or right after it: "campaign against …", "… helpline". */
const preventing: readonly Excuse[] = [
  {
    any: ["prevention"],
    within: 14,
    after: 4,
    ...notDepicted,
    unlessBeside: ["pictureWord"],
  },
  { any: ["abuseOpposed"], within: 0 },
  { any: ["lesson"], within: 6, ...notDepicted, unlessBeside: ["pictureWord"] },
  { any: ["outlawed"], within: 6, ...notDepicted },
];
/** Depictions named by a lesson, a report or a law are uncertain; "drawing of …" is not. */
const inLesson: readonly Excuse[] = [
  { any: ["explaining", "lesson"], within: 10, ...notDepicted },
  { any: ["outlawed"], within: 8, ...notDepicted },
];
/** A child's own gesture, or a doctor's, is never certain. */
export const harmlessTouch: readonly Excuse[] = [
  { any: ["innocentTouch"], within: 0 },
  { any: ["examination"], within: 6, before: true },
];
/** Topics of abuse in a lesson, a campaign or a report. */
const inLessonOrPrevention: readonly Excuse[] = [
  ...inLesson,
  { any: ["prevention", "awareness", "reporting"], within: 20, ...notDepicted },
];
/** Topics of a poster or leaflet for a school; not what a picture on it would show. */
const onPoster: readonly Excuse[] = [
  { any: ["lessonFrame"], within: 10, ...notDepicted, unlessBeside: ["pictureWord"] },
];
/** Putti and infants at the breast; nothing else excuses a child's nakedness. */
const childArt: readonly Excuse[] = [
  { any: ["classicalArt"], within: 3 },
  { any: ["nursing"], within: 15 },
];
/** A statue of a child may be in a museum. Any text can claim that, so it only softens. */
const inMuseum: readonly Excuse[] = [{ any: ["artPlace"], within: 3, ...notDepicted }];
/** Organs are named in lessons and at the doctor's. */
const healthLesson: readonly Excuse[] = [
  ...childArt,
  { any: ["medicine"], within: 8 },
  { any: ["prevention", "lesson"], within: 8 },
];
const careOfBodies: readonly Excuse[] = [
  { any: ["nursing"], within: 15 },
  { any: ["medicine"], within: 4 },
];
const inReport: readonly Excuse[] = [
  { any: ["stance"], within: 6, before: true },
  { any: ["awareness"], within: 12 },
  { any: ["reporting"], within: 20 },
];
/** Propaganda that a lesson explains; no lesson explains how to build a bomb. */
const inReportOrLesson: readonly Excuse[] = [
  ...inReport,
  { any: ["lesson"], within: 6, ...notDepicted },
];
/** Violence in a game, a lesson or a warning. */
const terrorInGameOrLesson: readonly Excuse[] = [
  { any: ["explaining", "lesson", "outlawed"], within: 12 },
  { any: ["prevention", "plaything"], within: 20 },
  { any: ["opposition"], within: 6, before: true },
];
/** A request for the thing itself is not excused. */
const notOrdered = { unlessBeside: ["makingOf", "passingPurpose"] } as const;
const notForUse: readonly Excuse[] = [
  { any: ["lesson"], within: 6, ...notDepicted, ...notOrdered },
  { any: ["awareness", "reporting", "plaything"], within: 20, ...notOrdered },
  { any: ["opposition"], within: 6, before: true },
];
/** A forgery in a lesson or a warning. */
const forgeryInLesson: readonly Excuse[] = [
  { any: ["explaining", "lesson", "outlawed"], within: 12 },
  { any: ["prevention", "opposition"], within: 20 },
];
const bodies = ["nudity", "undressing"] as const;
const known = ["acquaintance", "publicFigure", "lateFigure"] as const;
const sexual: readonly AnyConcept[] = ["plainAct", "nudity", "undressing", "genital"];

export const floorRules: readonly Rule[] = [
  // Sexual content involving minors, in any style or code.
  {
    category: "sexual_minors",
    any: ["abuseCode"],
    unless: preventing,
    softens: [...inLessonOrPrevention, ...onPoster],
  },
  {
    category: "sexual_minors",
    any: ["plainAct"],
    near: [{ any: ["minor"] }],
    unless: [{ any: ["abuseOpposed"], within: 0 }],
    acrossTexts: true,
    softens: [...inLesson, ...harmlessTouch],
  },
  {
    category: "sexual_minors",
    any: bodies,
    near: [{ any: ["minor"] }],
    unless: childArt,
    acrossTexts: true,
    softens: [...inLesson, ...inMuseum],
  },
  {
    category: "sexual_minors",
    any: [...sexual],
    near: [{ any: ["childName"], within: 8 }],
    unless: healthLesson,
  },
  {
    category: "sexual_minors",
    any: ["genital"],
    near: [{ any: ["minor"] }],
    unless: healthLesson,
    acrossTexts: true,
    softens: [...inLesson, ...onPoster],
  },
  {
    category: "sexual_minors",
    any: ["sexTopic", "abuseTopic"],
    near: [{ any: ["minor"] }],
    unless: preventing,
    acrossTexts: true,
    softens: [...inLessonOrPrevention, ...onPoster],
  },
  {
    category: "sexual_minors",
    any: ["plainSuggestive"],
    near: [{ any: ["minor"], within: 30 }],
    unless: [{ any: ["abuseOpposed"], within: 0 }],
    acrossTexts: true,
    softens: [...inLesson, ...harmlessTouch],
  },
  {
    category: "sexual_minors",
    any: ["adultOnly"],
    near: [{ any: ["minor"], within: 6 }],
    unless: preventing,
    softens: [...inLesson, ...onPoster],
  },
  {
    category: "sexual_minors",
    any: ["intimateGarment", "underwearOnly"],
    near: [{ any: ["minor"], within: 4 }],
    softens: inLesson,
  },
  {
    category: "sexual_minors",
    any: ["plainAct", "nudity", "genital"],
    near: [{ any: ["boyWord"], within: 8 }],
    unless: childArt,
    softens: [...inLesson, ...harmlessTouch, ...inMuseum],
  },
  {
    category: "sexual_minors",
    any: ["plainAct", "genital"],
    near: [{ any: ["descendant"], within: 8 }],
    unless: [...preventing, ...healthLesson],
    softens: inLesson,
  },
  {
    category: "sexual_minors",
    any: ["plainAct"],
    near: [{ any: ["childPlace"], within: 8 }],
    unless: [...preventing, ...healthLesson],
    acrossTexts: true,
    softens: inLesson,
  },
  {
    category: "sexual_minors",
    any: [...sexual, "sexTopic"],
    near: [{ any: ["youthHint"], within: 40, different: 2 }],
    unless: [...healthLesson, { any: ["classicalArt", "artPlace"], within: 15 }],
    softens: inLesson,
  },

  // Undressing or sexualising a real or identifiable person.
  {
    category: "real_person_sexual",
    any: ["nudify"],
    unless: inReport,
    softens: inLessonOrPrevention,
  },
  {
    category: "real_person_sexual",
    any: sexual,
    near: [{ any: known, within: 40 }],
    unless: careOfBodies,
    acrossTexts: true,
    softens: inLesson,
  },
  {
    category: "real_person_sexual",
    any: sexual,
    near: [{ any: ["pictured"], within: 40 }],
    unless: [{ any: ["classicalArt"], within: 3 }, ...careOfBodies],
    acrossTexts: true,
    softens: inLesson,
  },
  {
    category: "real_person_sexual",
    any: ["plainSuggestive", "sexTopic"],
    near: [{ any: [...known, "pictured"], within: 15 }],
    unless: preventing,
    acrossTexts: true,
    softens: inLessonOrPrevention,
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
    any: sexual,
    near: [
      { any: ["fullName"], within: 25 },
      { any: ["photographic"], within: 25 },
    ],
    softens: inLesson,
  },
  {
    category: "real_person_sexual",
    references: true,
    any: [...sexual, "garmentRemoval", "underwearOnly", "sexTopic"],
    unless: [{ any: ["classicalArt"], within: 3 }, ...careOfBodies, { any: ["styleOnly"] }],
  },
  {
    category: "real_person_sexual",
    references: true,
    any: ["plainSuggestive", "suggestive"],
    near: [{ any: ["person", "pictured", "pictureWord", "dressCommand"], within: 12 }],
    unless: [{ any: ["styleOnly"] }],
  },
  {
    category: "real_person_sexual",
    references: true,
    any: ["swimwear"],
    near: [{ any: ["dressCommand"], within: 8 }],
  },

  // Terrorist propaganda, incitement to violence against a group.
  {
    category: "terrorism_incitement",
    any: ["incitementSlogan"],
    unless: inReport,
    softens: terrorInGameOrLesson,
  },
  {
    category: "terrorism_incitement",
    any: ["killing"],
    near: [
      { any: ["group", "groupPlace"], within: 4, forward: true },
      { any: ["messageMedium", "praise", "allOf"], within: 15 },
    ],
    unless: inReportOrLesson,
    softens: terrorInGameOrLesson,
  },
  {
    category: "terrorism_incitement",
    any: ["killOrder"],
    near: [{ any: ["group", "groupPlace"], within: 1, forward: true }],
    unless: inReportOrLesson,
    softens: terrorInGameOrLesson,
  },
  {
    category: "terrorism_incitement",
    any: ["group"],
    near: [{ any: ["mustDie"], within: 4, forward: true }],
    unless: inReportOrLesson,
    softens: terrorInGameOrLesson,
  },
  // "The only good … is a dead one".
  {
    category: "terrorism_incitement",
    any: ["group"],
    near: [
      { any: ["goodWord"], within: 3 },
      { any: ["deadWord"], within: 3 },
      { any: ["messageMedium", "praise"], within: 15 },
    ],
    unless: inReportOrLesson,
    softens: terrorInGameOrLesson,
  },
  {
    category: "terrorism_incitement",
    any: ["violentMetaphor"],
    near: [{ any: ["group", "groupPlace"], within: 6 }],
    unless: inReportOrLesson,
    softens: terrorInGameOrLesson,
  },
  {
    category: "terrorism_incitement",
    any: ["group", "groupPlace"],
    near: [
      { any: ["killingLast"], within: 3, forward: true },
      { any: ["praise", "messageMedium", "allOf"], within: 10 },
    ],
    unless: inReportOrLesson,
    softens: terrorInGameOrLesson,
  },
  {
    category: "terrorism_incitement",
    any: ["assault"],
    near: [
      { any: ["group", "groupPlace"], within: 3, forward: true },
      { any: ["praise", "messageMedium"], within: 10 },
    ],
    unless: inReportOrLesson,
    softens: terrorInGameOrLesson,
  },
  {
    category: "terrorism_incitement",
    any: ["terrorist", "bannedGroup"],
    near: [{ any: ["praise"], within: 12 }],
    unless: inReportOrLesson,
    softens: terrorInGameOrLesson,
  },
  {
    category: "terrorism_incitement",
    any: ["glorifying"],
    near: [{ any: ["terrorAct"], within: 3, forward: true }],
    unless: inReportOrLesson,
    softens: terrorInGameOrLesson,
  },
  {
    category: "terrorism_incitement",
    any: ["terrorAct"],
    near: [{ any: ["glorifying"], within: 3, forward: true }],
    unless: inReportOrLesson,
    softens: terrorInGameOrLesson,
  },
  {
    category: "terrorism_incitement",
    any: ["bombMaking"],
    unless: inReport,
    softens: [{ any: ["plaything"], within: 20 }],
  },

  // Forged identity documents, banknotes.
  {
    category: "forgery",
    any: ["identityDocument", "banknote"],
    near: [{ any: ["forgery"], within: 8 }],
    unless: notForUse,
    softens: forgeryInLesson,
  },
  {
    category: "forgery",
    any: ["banknote"],
    near: [{ any: ["printing"], within: 3 }],
    unless: notForUse,
    softens: forgeryInLesson,
  },
  {
    category: "forgery",
    any: ["money"],
    near: [{ any: ["forgery"], within: 2 }],
    unless: notForUse,
    softens: forgeryInLesson,
  },
  // "Passes the check", "to deceive the police". The purpose is in `any` too: its own "police" would excuse it otherwise.
  {
    category: "forgery",
    any: ["identityDocument", "banknote", "passingPurpose"],
    near: [{ any: ["passingPurpose"], within: 10, forward: true }],
    unless: notForUse,
    softens: forgeryInLesson,
  },
  {
    category: "forgery",
    any: ["passingPurpose"],
    near: [{ any: ["identityDocument", "banknote"], within: 6, forward: true }],
    unless: notForUse,
    softens: forgeryInLesson,
  },
  // A passport of one's own for a border: a forgery or a travel picture. It softens itself, so it is never certain.
  {
    category: "forgery",
    any: ["identityDocument"],
    near: [
      { any: ["ownFace"], within: 8 },
      { any: ["crossing"], within: 12 },
    ],
    unless: [
      { any: ["lesson"], within: 6 },
      { any: ["awareness", "plaything"], within: 20 },
    ],
    softens: [{ any: ["identityDocument"] }],
  },
  {
    category: "forgery",
    any: ["identityDocument", "banknote"],
    near: [{ any: ["forgeryDetail"], within: 15, different: 2 }],
    unless: [...notForUse, { any: ["documentScenery"], within: 15 }],
    softens: forgeryInLesson,
  },
];
