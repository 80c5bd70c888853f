import { fillText, onlyPlaceholder, spread } from "./placeholders.ts";

/** A file of a form. */
export interface TemplateFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** The value that a placeholder stands for; undefined is absent. */
export type TemplateValue =
  | string
  | number
  | boolean
  | null
  | TemplateFile
  | readonly TemplateValue[]
  | { readonly [key: string]: TemplateValue }
  | undefined;

export type TemplateValues = Readonly<Record<string, TemplateValue>>;

/** Whether a value is a file. */
export function isFile(value: TemplateValue): value is TemplateFile {
  return typeof value === "object" && value !== null && "bytes" in value && "mediaType" in value;
}

/**
 * Fills a template. A text that is one placeholder becomes its value, of any type. An entry
 * that contains an absent value is left out of its object or list. A list that replaces an element of a list becomes its
 * elements.
 */
export function fillTemplate(template: unknown, values: TemplateValues): TemplateValue {
  if (typeof template === "string") return fillString(template, values);
  if (Array.isArray(template)) {
    return template.flatMap((item): readonly TemplateValue[] => {
      const value = fillTemplate(item, values);
      // A list in the place of an element is its elements.
      if (typeof item === "string" && Array.isArray(value)) return value as TemplateValue[];
      return value === undefined ? [] : [value];
    });
  }
  if (typeof template !== "object" || template === null) {
    return template as number | boolean | null;
  }
  const filled: Record<string, TemplateValue> = {};
  for (const [key, inner] of Object.entries(template)) {
    const value = fillTemplate(inner, values);
    if (value === undefined) continue;
    if (key === spread) Object.assign(filled, value);
    else filled[key] = value;
  }
  return filled;
}

function fillString(template: string, values: TemplateValues): TemplateValue {
  const name = onlyPlaceholder(template);
  if (name !== null) return values[name];
  return fillText(template, (inner) => {
    const value = values[inner];
    return value === undefined || typeof value === "object" ? undefined : String(value);
  });
}
