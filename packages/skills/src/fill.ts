/**
 * A text with every `{{placeholder}}` replaced by its value. Values may have placeholders themselves.
 *
 * @throws Error for a placeholder that has no value.
 */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{([a-z_]+)\}\}/g, (_placeholder, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`there is no value for {{${name}}}`);
    return fill(value, values);
  });
}
