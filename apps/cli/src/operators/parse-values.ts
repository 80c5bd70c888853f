import type { LogHead } from "@atelier/audit";
import { newName, parseEur } from "@atelier/schemas";
import { InvalidArgumentError } from "commander";
import * as z from "zod";

export function day(text: string): string {
  if (!z.iso.date().safeParse(text).success)
    throw new InvalidArgumentError("It must be a day such as 2026-11-30.");
  return text;
}

/** Parses a day or a time in ISO 8601, in UTC if it has no time zone. */
export function time(text: string): Date {
  const [whole, clock, zone] =
    /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})?)?$/.exec(text) ??
    [];
  const parsed = new Date(clock !== undefined && zone === undefined ? `${whole}Z` : text);
  if (whole === undefined || Number.isNaN(parsed.getTime()))
    throw new InvalidArgumentError("It must be a time such as 2026-11-30 or 2026-11-30T14:05Z.");
  return parsed;
}

/** Parses a head of the operator log, and adds it to the earlier ones. */
export function head(text: string, before: readonly LogHead[] = []): readonly LogHead[] {
  const [, number, digest] = /^([1-9]\d{0,17}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (number === undefined || digest === undefined)
    throw new InvalidArgumentError(
      "It must be a number and a digest, as operator-log prints them.",
    );
  return [...before, { number: BigInt(number), digest }];
}

export function lineNumber(text: string): string {
  if (!/^\d{1,18}$/.test(text)) throw new InvalidArgumentError("It must be the number of a line.");
  return text;
}

/** A share, as operators name it. */
export type ShareName = { readonly id: string } | { readonly token: string };

/** Parses a link to a shared page, or the id of a share. */
export function shareName(text: string): ShareName {
  const uuid = z.uuid().safeParse(text);
  if (uuid.success) return { id: uuid.data.toLowerCase() };
  const [, token] = /\/s\/([\w-]{22})(?:[/?#]|$)/.exec(text) ?? [];
  if (token === undefined)
    throw new InvalidArgumentError(
      "It must be a link such as https://…/s/…, or the id of a share.",
    );
  return { token };
}

export function sha256(text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new InvalidArgumentError("It must be a SHA-256 of 64 hexadecimal digits.");
  return text.toLowerCase();
}

export function watermark(text: string): string {
  if (!/^[0-9a-f]{16}$/i.test(text))
    throw new InvalidArgumentError("It must have 16 hexadecimal digits.");
  return text.toLowerCase();
}

export function month(text: string): string {
  if (!z.iso.date().safeParse(`${text}-01`).success)
    throw new InvalidArgumentError("It must be a month such as 2026-06.");
  return text;
}

export function share(text: string): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 1))
    throw new InvalidArgumentError("It must be a number from 0 to 1.");
  return value;
}

/** Parses an exchange rate into micro-EUR. */
export function rate(text: string): bigint {
  const microEur = microEurOf(text);
  if (microEur > 0n && microEur < parseEur("1000")) return microEur;
  throw new InvalidArgumentError("It must be a rate such as 0.92.");
}

export function seconds(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 3_600) return value;
  throw new InvalidArgumentError("It must be a number of seconds up to 3600.");
}

export function id(text: string): string {
  if (!z.uuid().safeParse(text).success) throw new InvalidArgumentError("It must be a UUID.");
  return text.toLowerCase();
}

export function price(text: string): string {
  if (/^\d+(\.\d{1,6})?$/.test(text)) return text;
  throw new InvalidArgumentError("It must be an amount in EUR such as 0.01.");
}

export function name(text: string): string {
  const { data, error } = newName.safeParse(text);
  if (error === undefined) return data;
  throw new InvalidArgumentError(
    "It must have 1 to 100 characters, no control characters and no marks of text direction.",
  );
}

export function count(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 1_000_000) return value;
  throw new InvalidArgumentError("It must be an integer from 1 to 1000000.");
}

/** Parses EUR into micro-EUR. */
export function amount(text: string): bigint {
  const microEur = microEurOf(text);
  if (microEur > 0n) return microEur;
  throw new InvalidArgumentError("It must be an amount in EUR such as 10 or 0.25.");
}

/** Parses EUR into micro-EUR; 0 for anything else. */
function microEurOf(text: string): bigint {
  try {
    return parseEur(text);
  } catch {
    return 0n;
  }
}
