import { AppError } from "@atelier/schemas";
import { scanJson, type JsonLimits, type JsonScan } from "./scan-json.ts";

/** Maximum length of a path in an error message. */
const maxPathLength = 500;

/**
 * Checks a JSON text before it is parsed.
 *
 * @returns the number of members in its objects.
 * @throws AppError `invalid_request` when it is nested too deeply or has too many values or properties.
 */
export function admitJson(bytes: Uint8Array, limits: JsonLimits): Pick<JsonScan, "members"> {
  const { exceeds, members } = scanJson(bytes, limits);
  if (exceeds === "depth") {
    const message = `is nested more than ${limits.depth} levels deep`;
    throw refusal("", "too_deep", message, "Send fewer levels.");
  }
  if (exceeds === "members") {
    const message = `has more than ${limits.members} properties`;
    throw refusal("", "too_big", message, "Send fewer.");
  }
  if (exceeds === "values") {
    throw refusal("", "too_big", `has more than ${limits.values} values`, "Send less.");
  }
  return { members };
}

/**
 * Finds problems that no request may have: members that would be dropped silently, and valid JSON
 * text that Postgres cannot store, with a NUL character or an unpaired surrogate.
 *
 * @param body parsed from a text that `admitJson` accepted, which bounds its size and depth.
 * @param members number of members in the text; of duplicate names, only the last was parsed.
 */
export function findProblem(body: unknown, members: number): AppError | null {
  const path: (string | number)[] = [];
  let parsedMembers = 0;

  function find(value: unknown): AppError | null {
    if (typeof value === "string") return isStorable(value) ? null : unstorable(path.join("."));
    if (typeof value !== "object" || value === null) return null;
    if (Array.isArray(value)) return findIn(value);
    for (const key of Object.keys(value)) {
      parsedMembers += 1;
      if (!isStorable(key)) return unstorable(path.join("."));
      // A schema would not see it.
      if (key === "__proto__") return forbiddenName(path.join("."));
      path.push(key);
      const problem = find((value as Readonly<Record<string, unknown>>)[key]);
      if (problem !== null) return problem;
      path.pop();
    }
    return null;
  }

  function findIn(list: readonly unknown[]): AppError | null {
    for (let index = 0; index < list.length; index += 1) {
      path.push(index);
      const problem = find(list[index]);
      if (problem !== null) return problem;
      path.pop();
    }
    return null;
  }
  return find(body) ?? (parsedMembers < members ? repeatedName() : null);
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

function unstorable(path: string): AppError {
  const message = "must not have NUL characters or unpaired surrogates";
  return refusal(path, "invalid_text", message, "Correct it and send the request again.");
}

function forbiddenName(path: string): AppError {
  const message = 'must have no property "__proto__"';
  return refusal(path, "unknown_property", message, "Remove it and send the request again.");
}

function repeatedName(): AppError {
  const message =
    "has an object with two properties of the same name, of which only one could be used";
  return refusal("", "repeated_property", message, "Remove one and send it again.");
}

function refusal(path: string, code: string, message: string, advice: string): AppError {
  const shown = path.slice(0, maxPathLength);
  return new AppError("invalid_request", `${shown || "The body"} ${message}. ${advice}`, {
    details: [{ path: shown, code, message }],
  });
}
