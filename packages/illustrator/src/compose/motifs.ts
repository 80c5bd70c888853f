import { range } from "../geometry.ts";
import type { Season } from "../ground.ts";
import type { Random } from "../random.ts";
import type { Side, Thing } from "../scene.ts";

function motif(kind: string, count: number, side: Side = 0): Thing {
  return {
    family: "motif",
    kind,
    count,
    colours: [],
    size: 1,
    side,
    flying: false,
    parts: new Map(),
  };
}

/** Trees of a wood that stand in front of its hazy rows. */
export function woodFor(season: Season, random: Random): Thing[] {
  const kinds = season === "winter" ? ["pine", "pine", "birch"] : ["pine", "tree", "birch", "tree"];
  return range(4).map(() => ({ ...motif(random.pick(kinds), 1), family: "backdrop" }));
}

/** The default motifs of each kind of land; the first matching kind of a picture is used. */
const motifsOf: Readonly<Record<string, (random: Random) => Thing[]>> = {
  underwater: (random) => [
    motif("fish", random.whole(4, 7)),
    motif(random.pick(["turtle", "octopus", "jellyfish"]), 1),
  ],
  space: (random) => [motif(random.pick(["rocket", "ufo"]), 1)],
  icefield: (random) => [motif("penguin", random.whole(2, 4))],
  lake: (random) => waterside(random),
  river: (random) => waterside(random),
  waterfall: (random) => [motif(random.pick(["deer", "fox"]), 1)],
  harbour: (random) => seaside(random),
  cliff: (random) => seaside(random),
  island: (random) => [...seaside(random), motif("palm", random.whole(1, 2))],
  beach: (random) => [
    motif("umbrella", 1),
    motif("palm", random.whole(1, 2)),
    motif("gull", random.whole(2, 3)),
  ],
  sea: (random) => seaside(random),
  desert: (random) => [motif("cactus", random.whole(2, 3)), motif("rock", 2)],
  volcano: (random) => [motif("palm", random.whole(1, 2)), motif("rock", 2)],
  forest: (random) => [
    motif(random.pick(["deer", "fox", "owl", "rabbit"]), 1),
    motif("mushroom", random.whole(2, 4)),
  ],
  park: (random) => [motif("bench", 1), motif("tree", random.whole(2, 3))],
  mountains: (random) => [
    motif("pine", random.whole(3, 5)),
    motif(random.pick(["deer", "goat", "eagle"]), 1),
  ],
};

function waterside(random: Random): Thing[] {
  return [
    motif(random.pick(["cottage", "house", "boat"]), 1),
    motif(random.pick(["duck", "swan"]), random.whole(1, 3)),
    motif(random.pick(["pine", "birch", "willow"]), random.whole(2, 3)),
  ];
}

function seaside(random: Random): Thing[] {
  return [
    motif(random.pick(["sailboat", "boat", "ship"]), random.whole(1, 2)),
    motif("gull", random.whole(2, 4)),
  ];
}

/** Default motifs for a prompt that names nothing that can be drawn. */
export function motifsFor(
  kinds: ReadonlySet<string>,
  town: string | null,
  random: Random,
): Thing[] {
  if (town !== null)
    return [
      ...(town === "village" ? [motif(random.pick(["church", "cottage"]), 1)] : []),
      motif("lamppost", 1, -1),
      motif("lamppost", 1, 1),
      motif(random.pick(["bicycle", "cat", "bench"]), 1),
    ];
  const land = Object.keys(motifsOf).find((kind) => kinds.has(kind));
  if (land !== undefined) return motifsOf[land]?.(random) ?? [];
  const first = random.pick(["cottage", "windmill", "house", "tree", "blossom", "barn", "church"]);
  return [
    motif(first, 1),
    motif(random.pick(["tree", "pine", "birch", "cypress"]), random.whole(2, 4)),
    motif(random.pick(["sheep", "balloon", "bird", "bush", "flower"]), random.whole(1, 3)),
  ];
}
