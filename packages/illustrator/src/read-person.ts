import { shade, withChroma } from "./colour.ts";
import type { Colour } from "./colour.ts";
import { costumes } from "./costumes.ts";
import { isKeyOf } from "./keys.ts";
import type { Garment, HatKind, HeldKind, PersonLook } from "./look.ts";
import type { Random } from "./random.ts";
import {
  faceOf,
  hairColours,
  hairLike,
  hairStyleOf,
  namedHair,
  skinFrom,
  skins,
} from "./read-body.ts";
import type { Mention } from "./mention.ts";
import { extraColours, garmentColours, hatColours, heldColours } from "./wardrobe.ts";

const cloths: readonly Colour[] = [
  "#c8543f",
  "#e2a23b",
  "#4f8f6b",
  "#3f74a8",
  "#7d5a94",
  "#d77c8a",
  "#2f6f73",
  "#a8553a",
  "#5c7a3f",
  "#3d4f7c",
];
const leathers: readonly Colour[] = ["#5b3d2b", "#3f3733", "#7a4f32", "#4a4f5c"];

function last(mentions: readonly Mention[], kind: string): Mention | undefined {
  return mentions.findLast(
    (mention) => mention.kind === kind && (mention.family === "wear" || mention.family === "body"),
  );
}

/** The described hat; a hood has the colour of its garment. */
export function hatOf(
  mentions: readonly Mention[],
  usual: Colour,
  cloth: Colour,
): Garment<HatKind> | null {
  for (const { family, kind, colours, adjectives } of mentions.toReversed()) {
    if (family !== "wear" || !isKeyOf(hatColours, kind)) continue;
    const straw = adjectives.includes("straw") ? "#e3c27a" : null;
    const colour = straw ?? hatColours[kind] ?? (kind === "hood" ? cloth : usual);
    return { kind, colour: colours[0] ?? colour };
  }
  return null;
}

function heldOf(mentions: readonly Mention[]): Garment<HeldKind> | null {
  for (const { kind, colours } of mentions) {
    if (isKeyOf(heldColours, kind)) return { kind, colour: colours[0] ?? heldColours[kind] };
  }
  return null;
}

/**
 * Returns the look of a person: the description, then the usual clothes of their kind, then chance.
 */
export function readPerson(
  mentions: readonly Mention[],
  subject: Mention | undefined,
  random: Random,
): PersonLook {
  const kind = subject?.kind ?? "person";
  const costume = costumes[kind] ?? costumes["person"] ?? {};
  const adjectives = new Set(subject?.adjectives);
  const kinds = new Set(mentions.map((mention) => mention.kind));
  const bodyColour = (part: string): Colour | undefined =>
    mentions.findLast(
      ({ family, kind: name, colours }) => family === "body" && name === part && colours.length > 0,
    )?.colours[0];

  // One random number per open question, always all of them and in this order.
  const chance = {
    feminine: random.chance(0.5),
    sturdy: random.between(0.92, 1.12),
    skin: random.pick(skins),
    hair: random.pick(hairColours),
    eyes: random.pick(["#3b2a22", "#3b2a22", "#4a6b8a", "#4f7350", "#6b4a2e"]),
    top: random.pick(cloths),
    over: random.pick(cloths),
    bottom: random.pick(cloths),
    detail: random.pick(cloths),
    leather: random.pick(leathers),
    skirt: random.chance(0.5),
    face: faceOf(random),
    topKind: random.pick(["shirt", "sweater"] as const),
  };
  const feminine =
    costume.feminine ?? (kinds.has("dress") || kinds.has("skirt") ? true : chance.feminine);
  const age =
    costume.age ??
    (adjectives.has("old") || adjectives.has("elderly") || adjectives.has("aged")
      ? "old"
      : kind === "person" && (adjectives.has("young") || adjectives.has("little"))
        ? "child"
        : "adult");
  const skinWord = mentions.findLast((mention) => mention.kind === "skin");
  const usualSkin = costume.skin ?? chance.skin;
  const skin = skinWord === undefined ? usualSkin : skinFrom(skinWord, usualSkin);
  const hairStyle = hairStyleOf(kinds, feminine, age, random);
  const hairColour =
    bodyColour("hair") ??
    bodyColour("braid") ??
    bodyColour("bun") ??
    bodyColour("ponytail") ??
    namedHair(kinds) ??
    (age === "old" || kind === "wizard" ? "#d5d2cc" : chance.hair);

  const garment = <Kind extends string>(
    names: readonly Kind[],
    fallback: Colour,
  ): Garment<Kind> | null => {
    const found = mentions.findLast(
      ({ family, kind: name }) => family === "wear" && names.some((one) => one === name),
    );
    const name = names.find((one) => one === found?.kind);
    if (found === undefined || name === undefined) return null;
    return { kind: name, colour: hairLike(found.colours[0] ?? garmentColours[name] ?? fallback) };
  };
  const saidTop = garment(
    ["shirt", "sweater", "dress", "robe", "armour", "suit"] as const,
    chance.top,
  );
  const top = saidTop ?? costume.top ?? { kind: chance.topKind, colour: chance.top };
  const over =
    garment(["coat", "vest", "apron", "overalls"] as const, chance.over) ??
    (saidTop === null ? (costume.over ?? null) : null);
  const bottom = garment(["trousers", "skirt", "shorts"] as const, chance.bottom) ??
    costume.bottom ?? {
      kind:
        feminine && chance.skirt && age !== "adult" ? ("skirt" as const) : ("trousers" as const),
      colour: shade(withChroma(chance.bottom, 0.6), -0.12),
    };
  const feet = garment(["boots", "shoes"] as const, chance.leather) ??
    costume.feet ?? { kind: "shoes" as const, colour: chance.leather };
  const cape = last(mentions, "cape");
  const saidHat = hatOf(mentions, chance.detail, over?.colour ?? cape?.colours[0] ?? top.colour);
  const beardMention = last(mentions, "beard") ?? last(mentions, "moustache");
  const beardKind = beardMention?.kind === "moustache" ? "moustache" : "beard";
  const extras = new Map<string, Colour>(costume.extras);
  for (const mention of mentions) {
    if (isKeyOf(extraColours, mention.kind)) {
      extras.set(mention.kind, mention.colours[0] ?? extraColours[mention.kind]);
    }
  }
  const scarf = last(mentions, "scarf");
  const glasses = last(mentions, "glasses");
  return {
    figure: kind === "robot" ? "robot" : kind === "ghost" ? "ghost" : "person",
    age,
    feminine,
    sturdy: chance.sturdy,
    skin:
      kind === "robot"
        ? (subject?.colours[0] ?? "#9fb2bd")
        : kind === "ghost"
          ? (subject?.colours[0] ?? "#f4f3f8")
          : skin,
    hair: { kind: hairStyle, colour: hairLike(hairColour) },
    eyes: bodyColour("eyes") ?? chance.eyes,
    face: chance.face,
    top,
    over,
    cape: cape === undefined ? (costume.cape ?? null) : (cape.colours[0] ?? chance.over),
    bottom,
    feet,
    hat: saidHat ?? costume.hat ?? null,
    scarf: scarf === undefined ? null : (scarf.colours[0] ?? chance.detail),
    glasses: glasses === undefined ? null : (glasses.colours[0] ?? "#3a3335"),
    beard:
      beardMention === undefined
        ? costume.beard === true
          ? { kind: "beard", colour: hairLike(hairColour) }
          : null
        : { kind: beardKind, colour: hairLike(beardMention.colours[0] ?? hairColour) },
    held: heldOf(mentions) ?? costume.held ?? null,
    extras,
  };
}
