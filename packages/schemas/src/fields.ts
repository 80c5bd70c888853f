import * as z from "zod";
import { spellWholeNumber } from "./texts/spellings.ts";

/** An optional property for which null also means absent. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => value ?? undefined, schema.optional());
}

/** A whole number, which some clients send as text. */
export function wholeNumber(schema: z.ZodNumber) {
  return optional(z.preprocess(spellWholeNumber, schema));
}

/** Maximum length of a prompt in UTF-16 code units: the highest limit of any provider. */
export const maxPromptLength = 32_000;

export const text = z.string().trim().min(1);
export const prompt = text.max(maxPromptLength);
export const description = text.max(4_000);
export const name = text.max(100);

/**
 * A new name that is shown in lists and terminals: in one Unicode form, and without characters that are
 * obeyed instead of shown. Joiners, as inside of emoji, are allowed.
 */
export const newName = name
  .normalize("NFC")
  .refine(
    (value) => !/[\p{Cc}\p{Bidi_Control}]/u.test(value),
    "must have no control characters and no marks of text direction",
  );
export const modelId = text.max(100).meta({
  description: "An `id` of `GET /v1/models`.",
  examples: ["builtin-illustrator"],
});

/** An amount in a response. */
export const eur = z
  .string()
  .regex(/^\d+\.\d{2,6}$/)
  .meta({ description: "A decimal with 2 to 6 decimals.", examples: ["0.04"] });

/** An amount in a request; `parseEur` reads it. */
export const eurAmount = z
  .string()
  .regex(/^\d{1,9}(?:\.\d{1,6})?$/, 'must be an amount in EUR such as "5" or "0.25"')
  .meta({ description: "An amount in EUR, with up to 6 decimals.", examples: ["5.00"] });

/** A request id that a client may choose. */
export const requestIdPattern = /^[A-Za-z0-9._:-]{1,128}$/;

/** Whether a date or time is in the years 1970 to 9999 (UTC), which JavaScript and Postgres both write. */
export const isUsualTime = (written: string) => {
  const time = Date.parse(written);
  return time >= 0 && time <= Date.UTC(9999, 11, 31, 23, 59, 59, 999);
};
export const usualTime = "must be in the years 1970 to 9999 (UTC)";

export const timestamp = z.iso.datetime();

/** Query parameter: the `next_cursor` of the previous page. */
export const cursor = z
  .string()
  .max(200)
  .optional()
  .meta({ description: "The `next_cursor` of the previous page." });

/** Query parameter: the size of a page. */
export const pageSize = z.coerce.number().int().min(1).max(100).default(20);

/** The query of a list without filters. */
export function pageQuery(plural: string) {
  return z.strictObject({
    limit: pageSize.meta({ description: `Maximum number of ${plural} per page.` }),
    cursor,
  });
}

/** The cursor of a page of a list. */
export const nextCursor = z.string().nullable().meta({ description: "Null on the last page." });
