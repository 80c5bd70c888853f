import type { Strictness } from "@atelier/schemas";
import { RemoteDown, gravest, type Finding } from "./classifier.ts";
import type { GuardDescription } from "./guard-description.ts";

type Answer = GuardDescription["answer"];
type Meaning = NonNullable<NonNullable<GuardDescription["labels"]>[string]>;

/**
 * Reads the answer of a guard model.
 *
 * @param policy the policy that the question was about; null when the answer has labels.
 * @throws RemoteDown for anything that the description does not name: it is never taken for safe.
 */
export function readAnswer(
  content: string,
  { answer, labels = {} }: Pick<GuardDescription, "answer" | "labels">,
  policy: Meaning | null,
  strictness: Strictness,
): Finding | null {
  const verdict = readVerdict(content, answer);
  if (verdict === "safe") return null;
  const meanings = policy === null ? readLabels(content, answer, labels) : [policy];
  return gravest(
    meanings.flatMap(({ category, liberal, uncertain, only_unsafe: onlyUnsafe }): Finding[] => {
      if (strictness === "liberal" && !liberal) return [];
      if (verdict === "uncertain" && onlyUnsafe) return [];
      const isUncertain = uncertain || verdict === "uncertain";
      return [{ category, certainty: isUncertain ? "uncertain" : "certain" }];
    }),
  );
}

function readVerdict(content: string, answer: Answer): "safe" | "uncertain" | "unsafe" {
  const [word, ...more] = extract(content, answer.verdict).map((text) => text.toLowerCase());
  if (word !== undefined && more.length === 0) {
    if (answer.unsafe.includes(word)) return "unsafe";
    if (answer.uncertain.includes(word)) return "uncertain";
    if (answer.safe.includes(word)) return "safe";
  }
  throw new RemoteDown("malformed", "an answer without a verdict");
}

function readLabels(
  content: string,
  { labels: place }: Answer,
  labels: NonNullable<GuardDescription["labels"]>,
): readonly Meaning[] {
  const named = place === undefined ? [] : extract(content, place);
  // Of another version, or cut short: the reason is unknown, and so the text is not allowed.
  if (named.length === 0 || !named.every((label) => Object.hasOwn(labels, label))) {
    throw new RemoteDown("malformed", "an answer that refuses for unknown reasons");
  }
  return named.flatMap((label) => labels[label] ?? []);
}

/** The parts at a place, which are separated by commas; none when the place is not there. */
function extract(content: string, place: Answer["verdict"]): readonly string[] {
  return at(content, place)
    .flatMap((text) => text.split(","))
    .map((text) => text.trim())
    .filter((text) => text !== "");
}

function at(content: string, place: Answer["verdict"]): readonly string[] {
  if ("line" in place) {
    const lines = content.split("\n").filter((line) => line.trim() !== "");
    return lines.slice(place.line - 1, place.line);
  }
  if ("pattern" in place) {
    const [, group] = new RegExp(place.pattern, "i").exec(content) ?? [];
    return group === undefined ? [] : [group];
  }
  const values = [place.json.split(".").reduce(member, parse(content))].flat();
  return values.filter((value) => value !== null && value !== undefined).map(String);
}

function member(value: unknown, name: string): unknown {
  const isObject = typeof value === "object" && value !== null;
  return isObject && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw new RemoteDown("malformed", "an answer that is not JSON");
  }
}
