import { membersOf, type SceneContent } from "./added-request.ts";

/** The sentence of the service about names that no scene of the request has, with their kind and their list. */
const unusedNames = /^No scene names these ([a-z]+): (.+)\.$/;

/** Whether a warning is about names that no scene of the request has. */
export function isAboutNames(warning: string): boolean {
  return unusedNames.test(warning);
}

/** The warnings of a story, without the names of characters, states and locations that scenes added since name. */
export function warningsNow(
  warnings: readonly string[],
  added: readonly SceneContent[],
): readonly string[] {
  const named = new Set(
    added
      .flatMap(membersOf)
      .flatMap(({ portrait, state, location }) => [
        portrait === undefined ? `locations: "${location}"` : `characters: "${portrait}"`,
        `states: "${state}" of "${portrait}"`,
      ]),
  );
  return warnings.flatMap((warning) => {
    const [, kind, list] = unusedNames.exec(warning) ?? [];
    if (list === undefined) return [warning];
    const left = list.split(", ").filter((name) => !named.has(`${kind}: ${name}`));
    return left.length === 0 ? [] : [`No scene names these ${kind}: ${left.join(", ")}.`];
  });
}
