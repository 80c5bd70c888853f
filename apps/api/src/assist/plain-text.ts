import * as z from "zod";

/** Controls, lone surrogates and invisible characters; joiners belong to emoji and to some scripts. */
const unseen = /[\p{Cc}\p{Cs}[\p{Cf}--[\u200c\u200d]]]/gv;
const markup = /<[a-z!/?]/i;

/**
 * An unchecked text of a language model: in one Unicode form and on one line, without invisible characters.
 * Markup is refused.
 */
export function plainText(maxLength: number, minLength = 1) {
  return z
    .string()
    .transform((text) =>
      text.normalize("NFC").replaceAll(unseen, " ").replaceAll(/ {2,}/g, " ").trim(),
    )
    .pipe(
      z
        .string()
        .min(minLength)
        .max(maxLength)
        .refine((text) => !markup.test(text), "must be plain text without markup"),
    );
}
