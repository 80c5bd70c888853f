import { AppError, type Strictness } from "@atelier/schemas";
import type { ModerationVerdict, QuotedWords } from "./moderation-request.ts";

type Refusal = Extract<ModerationVerdict, { readonly allowed: false }>;

/** Words of a client that one message quotes, and the length of each. */
const maxQuoted = 3;
const maxQuotedLength = 60;
/** Fields that one message names. */
const maxFields = 4;

/**
 * The error for refused texts. A certain refusal names the field and the category. An uncertain one also
 * quotes the client's own words, and says how they were read and where to reword them.
 *
 * @returns `content_illegal` for a certain refusal in a category that is refused at every strictness (the legal floor), otherwise
 *   `content_policy_violation`.
 */
export function refusalError(refusal: Refusal, strictness: Strictness): AppError {
  const { certainty, code, category, path } = refusal;
  if (certainty === "certain") {
    const message =
      code === "content_illegal"
        ? "The request violates the content policy at every strictness. Nothing was charged."
        : "The request violates the content policy. Change the text that details[0].path names; nothing was charged.";
    return new AppError(code, message, { details: { category, strictness, certainty } }).at(path);
  }
  const quoted = refusal.quoted.slice(0, maxQuoted).map(({ written, readAs }) => ({
    written: shorten(written),
    read_as: readAs,
  }));
  const fields = [path, ...(refusal.otherPaths ?? [])].slice(0, maxFields);
  const subject =
    quoted.length > 0
      ? `The words ${list(quoted.map(quote), "and")}`
      : fields.length > 1
        ? `The texts at ${list(fields, "and")}, read together,`
        : `The text at ${path}`;
  const message = `${subject} may violate the content policy (${category}). Reword the text at ${list(fields, "or")}; nothing was charged.`;
  return new AppError("content_policy_violation", message, {
    details: fields.map((field) => ({
      path: field,
      code: "content_policy_violation",
      message,
      category,
      strictness,
      certainty,
      quoted,
    })),
  });
}

function quote({ written, read_as: readAs }: { written: string; read_as: string | null }): string {
  return readAs === null ? `"${written}"` : `"${written}" (read as "${readAs}")`;
}

function shorten(written: QuotedWords["written"]): string {
  const characters = Array.from(written);
  return characters.length <= maxQuotedLength
    ? written
    : `${characters.slice(0, maxQuotedLength).join("")}…`;
}

/** "a", "a or b", "a, b or c". */
function list(parts: readonly string[], conjunction: string): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} ${conjunction} ${last}`;
}
