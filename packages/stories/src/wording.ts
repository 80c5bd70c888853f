/**
 * The prompts that a story's images are made from.
 *
 * Each is one line that says what the image is, followed by lines of the form `Label: text` or
 * `Label (Name): text` with the labels Character, Location, Setting, Style and Story, so that a
 * model reads plain sentences and a program can find each part. The client's texts stand in them
 * as they are, on one line and with a full stop; nothing is added to what they say.
 */

/** What holds for all images of a story. */
export interface Context {
  readonly prompt?: string | undefined;
  readonly setting?: string | undefined;
  readonly style?: string | undefined;
}

/** A character or location as an image shows it. */
export interface Subject {
  readonly name: string;
  readonly description: string;
}

/** Stands between how a character always looks and how it looks in a state. */
const changeMark = "Now appearing differently:";

/**
 * How a character looks in a state: the base description, then the state's, which wins. What comes
 * last counts most with models that draw and with programs that read word by word alike.
 */
export function appearanceIn(base: string, state: string): string {
  return (
    `${sentence(base)} ${changeMark} ${sentence(state)} ` +
    "Where it differs, this replaces what was said before; face and build stay the same."
  );
}

/** The prompt of a character's portrait; the description is the whole appearance. */
export function portraitPrompt(character: Subject, context: Context): string {
  return lines(
    `Full-length portrait of ${oneLine(character.name)}, alone before a plain backdrop, facing the viewer. No text.`,
    labelled("Character", character),
    ...contextLines(context),
    notShown(context),
  );
}

/** The prompt of a portrait that shows a character in a state, made after its base portrait. */
export function statePrompt(character: Subject, context: Context, seesPortrait: boolean): string {
  return lines(
    portraitPrompt(character, context),
    seesPortrait &&
      "Keep the face and build of the reference image; change only what is described.",
  );
}

/** The prompt of a location's reference image. */
export function locationPrompt(location: Subject, context: Context): string {
  return lines(
    `View of ${oneLine(location.name)} with nobody in it: no characters, no people. No text.`,
    labelled("Location", location),
    ...contextLines(context),
    context.prompt !== undefined && "The story is context only.",
  );
}

/** What a scene shows beside its own prompt. */
export interface SceneContent {
  readonly prompt: string;
  readonly characters: readonly Subject[];
  readonly location: Subject | undefined;
  /** Images of its characters or location go along. */
  readonly seesReferences: boolean;
}

/** The prompt of a scene; the client's own comes first, untouched. */
export function scenePrompt(scene: SceneContent, context: Context): string {
  return lines(
    sentence(scene.prompt),
    scene.location && labelled("Location", scene.location),
    ...scene.characters.map((character) => labelled("Character", character)),
    ...contextLines(context),
    context.prompt !== undefined && "The story is context; draw this scene only.",
    scene.seesReferences && "Keep what the reference images show recognisably the same.",
  );
}

function contextLines({ style, setting, prompt }: Context): (string | false)[] {
  return [
    setting !== undefined && `Setting: ${sentence(oneLine(setting))}`,
    style !== undefined && `Style: ${sentence(oneLine(style))}`,
    prompt !== undefined && `Story: ${sentence(oneLine(prompt))}`,
  ];
}

/** A portrait shows neither the place nor what happens, however much is said about them. */
function notShown({ setting, prompt }: Context): string | false {
  if (setting !== undefined && prompt !== undefined) return "Setting and story are context only.";
  if (setting !== undefined) return "The setting is context only.";
  return prompt !== undefined && "The story is context only.";
}

function labelled(label: "Character" | "Location", { name, description }: Subject): string {
  return `${label} (${oneLine(name)}): ${sentence(oneLine(description))}`;
}

function lines(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter((part) => typeof part === "string").join("\n");
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/gu, " ");
}

/** With a full stop, unless it ends in a mark of its own. */
function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…:;。！？।؟]["'”’»」』)\]]*$/u.test(trimmed) ? trimmed : `${trimmed}.`;
}
