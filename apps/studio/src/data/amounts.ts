import { locale } from "../language.ts";

/**
 * Reads an amount in EUR as people write it: with a comma or a point before its decimals.
 *
 * @returns the amount as the service takes it; null for other texts, and for one whose separator may be one of
 *   thousands.
 */
export function readAmount(written: string): string | null {
  const text = written.trim();
  if (readAmbiguous(text) !== null) return null;
  return /^\d{1,9}(?:[.,]\d{1,6})?$/.test(text) ? text.replace(",", ".") : null;
}

/** The two amounts that a text such as "1.000" may mean; null for other texts. */
export function readAmbiguous(
  written: string,
): { readonly thousands: string; readonly decimals: string } | null {
  const [, whole, rest] = /^([1-9]\d{0,2})[.,](\d{3})$/.exec(written.trim()) ?? [];
  if (whole === undefined || rest === undefined) return null;
  return {
    thousands: whole + rest,
    decimals: `${whole}.${rest.endsWith("0") ? rest.slice(0, 2) : `${rest}0`}`,
  };
}

/**
 * An amount of the service as a field shows it in a language, so that it can be read again.
 *
 * @param tag the language with a region.
 */
export function writeAmount(eur: string, tag = locale): string {
  const mark = new Intl.NumberFormat(tag).format(0.5).charAt(1);
  return (readAmbiguous(eur)?.decimals ?? eur).replace(".", mark);
}

/**
 * Returns the text to send for that of an amount. Texts that are not one amount are sent in a spelling that the service
 * refuses, so that the problems of all fields are shown together.
 */
export function amountToSend(written: string): string {
  return readAmount(written) ?? written.trim().replace(".", ",");
}
