/**
 * Replaces every `{{placeholder}}` in a text by its value. Values may contain placeholders
 * themselves.
 *
 * @throws Error for a placeholder without a value.
 */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{([a-z_]+)\}\}/g, (_placeholder, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`{{${name}}} has no value`);
    return fill(value, values);
  });
}
