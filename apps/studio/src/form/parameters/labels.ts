import { texts } from "../../texts.ts";

/** The label of a parameter: its name in words when Studio has no text for it. */
export function labelOf(name: string): string {
  const { names } = texts.create.parameters;
  if (name in names) return names[name as keyof typeof names];
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The effect of a parameter; undefined when Studio has no text for it. */
export function hintOf(name: string): string | undefined {
  const { hints } = texts.create.parameters;
  return name in hints ? hints[name as keyof typeof hints] : undefined;
}
