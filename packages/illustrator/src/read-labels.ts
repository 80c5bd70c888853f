/** A name with its description. */
export interface Described {
  readonly name: string | null;
  readonly description: string;
}

/** A prompt split into its labelled parts. */
interface LabelledPrompt {
  /** All unlabelled text: the action. */
  readonly text: string;
  readonly characters: readonly Described[];
  readonly location: Described | null;
  readonly setting: string | null;
  readonly style: string | null;
}

/**
 * Splits a prompt whose lines may be labelled: `Character (Mira): a girl …`, `Location (The bay):
 * …`, `Setting: …`, `Style: …`, `Story: …`. `Story` lines are ignored, because they describe the
 * whole story and not this picture.
 */
export function readLabels(prompt: string): LabelledPrompt {
  const text: string[] = [];
  const characters: Described[] = [];
  let location: Described | null = null;
  let setting: string | null = null;
  let style: string | null = null;
  for (const line of prompt.split("\n")) {
    const subject = /^(Character|Location) \((.{1,300}?)\): (.+)$/u.exec(line);
    const context = /^(Setting|Style|Story): (.+)$/u.exec(line);
    if (subject !== null) {
      const described = { name: subject[2] ?? null, description: subject[3] ?? "" };
      if (subject[1] === "Character") characters.push(described);
      else location ??= described;
    } else if (context !== null) {
      if (context[1] === "Setting") setting = context[2] ?? null;
      else if (context[1] === "Style") style = context[2] ?? null;
    } else text.push(line);
  }
  return { text: text.join("\n"), characters, location, setting, style };
}
