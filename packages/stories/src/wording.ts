/**
 * The prompts for a story's images.
 *
 * Each starts with a line that describes the image, followed by lines of the form `Label: text` or
 * `Label (Name): text` with the labels Character, Location, Setting, Style and Story, so that a
 * model reads plain sentences and a program can parse each part. Client texts are inserted
 * unchanged except that they are joined to one line and end with a full stop.
 */

/** Texts shared by all images of a story. */
export interface Context {
  readonly prompt?: string | undefined;
  readonly setting?: string | undefined;
  readonly style?: string | undefined;
}

/** A character or location as shown in an image. */
export interface Subject {
  readonly name: string;
  readonly description: string;
}

/** Separates a character's base description from the state's description. */
const changeMark = "Now appearing differently:";

/**
 * Describes a character in a state: the base description, then the state's, which takes precedence.
 * Models weigh the end of a prompt most, and programs that read word by word apply the last
 * statement.
 */
export function appearanceIn(base: string, state: string): string {
  return (
    `${sentence(base)} ${changeMark} ${sentence(state)} ` +
    "Where it differs, this replaces what was said before; face and build stay the same."
  );
}

/** The prompt of a character's portrait; the description is the complete appearance. */
export function portraitPrompt(character: Subject, context: Context): string {
  return lines(
    `Full-length portrait of ${oneLine(character.name)}, alone before a plain backdrop, facing the viewer. No text.`,
    labelled("Character", character),
    ...contextLines(context),
    notShown(context),
  );
}

/** The prompt of a portrait in a state, generated after the base portrait. */
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

/** The content of a scene besides its own prompt. */
interface SceneContent {
  readonly prompt: string;
  readonly characters: readonly Subject[];
  readonly location: Subject | undefined;
  /** Whether reference images of its characters or location are sent. */
  readonly seesReferences: boolean;
}

/** The prompt of a scene; the client's own prompt comes first, unchanged. */
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

/** A portrait must not show the setting or the plot, even if the texts describe them. */
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

/** Adds a full stop unless the text ends in punctuation. */
function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…:;。！？।؟]["'”’»」』)\]]*$/u.test(trimmed) ? trimmed : `${trimmed}.`;
}
