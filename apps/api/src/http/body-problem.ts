import { AppError } from "@atelier/schemas";

/** More than any request has. Each is looked at and may be a mistake that the answer tells of. */
const maxValues = 10_000;

/**
 * How many members the objects of a JSON text have: a string before a colon is the name of one (RFC
 * 8259, section 4).
 *
 * @param json a valid one: in others, looking for the ends of strings could take very long.
 */
function countMembers(json: string): number {
  let members = 0;
  for (const [text] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"\s*:?/gu)) {
    if (text.endsWith(":")) members += 1;
  }
  return members;
}

/**
 * What no request may have, whatever it asks for: more values than any needs, names that would be
 * dropped in silence, or text that is valid JSON and that the database does not take, with a NUL
 * character or one half of a surrogate pair. Without recursion: nesting may be as deep as the body is
 * long.
 *
 * @param json the text that `body` was parsed of, where of two members with one name the last is left.
 */
export function findProblem(body: unknown, json: string): AppError | null {
  const open: [path: string, value: unknown][] = [["", body]];
  let values = 0;
  let members = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [path, value] = next;
    values += 1;
    if (values > maxValues) return tooManyValues();
    if (typeof value === "string" && !isStorable(value)) return unstorable(path);
    if (typeof value !== "object" || value === null) continue;
    const entries = Object.entries(value);
    if (!Array.isArray(value)) members += entries.length;
    for (const [key, inner] of entries) {
      if (!isStorable(key)) return unstorable(path);
      // No schema would see it.
      if (key === "__proto__") return forbiddenName(path);
      open.push([path === "" ? key : `${path}.${key}`, inner]);
    }
  }
  return members < countMembers(json) ? repeatedName() : null;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

function unstorable(path: string): AppError {
  const message = "must not have NUL characters or unpaired surrogates";
  return refusal(path, "invalid_text", message, "Correct it and send it again.");
}

function forbiddenName(path: string): AppError {
  const message = 'must have no property "__proto__"';
  return refusal(path, "unknown_property", message, "Take it out and send it again.");
}

function repeatedName(): AppError {
  const message = "has two properties of one name in one object, of which only one could be used";
  return refusal("", "repeated_property", message, "Take one out and send it again.");
}

function tooManyValues(): AppError {
  return refusal("", "too_big", `has more than ${maxValues} values`, "Send less.");
}

function refusal(path: string, code: string, message: string, advice: string): AppError {
  const where = path === "" ? "The body" : path;
  return new AppError("invalid_request", `${where} ${message}. ${advice}`, {
    details: [{ path, code, message }],
  });
}
