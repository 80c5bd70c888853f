import type { FoundGeneration, FoundRender } from "@atelier/generations/jobs";
import type { StoryRequest } from "@atelier/schemas";

/** Engine commands that are named: a story has those of all its prompts. */
const maxCommands = 10;

/** Words of prompts that are named. */
const maxWords = 10;

/** `warnings` of a result: parts of the request without effect. Without any, the field is omitted. */
export function presentWarnings({
  kind,
  request,
  renders,
}: Pick<FoundGeneration, "kind" | "request" | "renders">): { readonly warnings?: string[] } {
  // A redacted request is empty.
  const story = kind === "story" ? (request as Partial<StoryRequest>) : {};
  const warnings = [
    ...warnOfReadings(renders),
    ...warnOfCommands(renders),
    ...warnOfNames(story),
    ...warnOfImages(renders),
  ];
  return warnings.length === 0 ? {} : { warnings };
}

/** Says what the model drew of the prompts, and what of them it cannot read. */
function warnOfReadings(renders: readonly FoundRender[]): string[] {
  const readings = renders.flatMap(({ spec }) => spec.reading ?? []);
  if (readings.length === 0) return [];
  const listed = (words: readonly string[]) => [...new Set(words)].slice(0, maxWords).join(", ");
  const understood = listed(readings.flatMap((reading) => reading.understood));
  const unread = listed(readings.flatMap((reading) => reading.unread));
  const isPattern = readings.some((reading) => reading.isPattern);
  return [
    [
      understood !== "" && `drew: ${understood}.`,
      unread !== "" && `cannot read: ${unread}.`,
      isPattern &&
        "drew a pattern where it understood nothing that it can draw. Name people, animals, places or things, best in English.",
    ]
      .filter((part) => part !== false)
      .map((part, index) => `${index === 0 ? "The model" : "It"} ${part}`)
      .join(" "),
  ];
}

function warnOfCommands(renders: readonly FoundRender[]): string[] {
  const commands = new Set(renders.flatMap(({ spec }) => spec.engineCommands ?? []));
  return [...commands]
    .slice(0, maxCommands)
    .map(
      (command) =>
        `${command} in the prompt has no effect: prompts cannot set options of an engine. Use parameters.`,
    );
}

/** Names the characters, states and locations that no scene names; of a story without scenes none. */
function warnOfNames({
  characters = [],
  locations = [],
  scenes = [],
}: Partial<StoryRequest>): string[] {
  if (scenes.length === 0) return [];
  const shown = scenes.flatMap((scene) => scene.characters ?? []);
  const isShown = (name: string) => shown.some((one) => one.name === name);
  const states = characters.flatMap(({ name, reference, states: looks = {} }) =>
    Object.entries(looks)
      // A kept character brings all of its states.
      .filter(([, look]) => !isLookOf(reference, look.reference))
      .map(([state]) => ({ name, state })),
  );
  const unused = {
    characters: characters.filter(({ name }) => !isShown(name)).map(({ name }) => `"${name}"`),
    states: states
      .filter(
        ({ name, state }) =>
          isShown(name) && !shown.some((one) => one.name === name && one.state === state),
      )
      .map(({ name, state }) => `"${state}" of "${name}"`),
    locations: locations
      .filter(({ name }) => !scenes.some(({ location }) => location === name))
      .map(({ name }) => `"${name}"`),
  };
  return Object.entries(unused).flatMap(([list, names]) =>
    names.length === 0 ? [] : [`No scene names these ${list}: ${names.join(", ")}.`],
  );
}

type Reference = NonNullable<StoryRequest["characters"][number]["reference"]>;

/** Whether a look is one of the kept character that a reference names. */
function isLookOf(character: Reference | undefined, look: Reference | undefined): boolean {
  return look?.character_id !== undefined && look.character_id === character?.character_id;
}

/** Names the images that the client supplied and that no image was made with. */
function warnOfImages(renders: readonly FoundRender[]): string[] {
  const paths = [...new Set(renders.flatMap(({ spec }) => spec.unused ?? []))];
  if (paths.length === 0) return [];
  return [`No image was made with these references, which were only checked: ${paths.join(", ")}.`];
}
