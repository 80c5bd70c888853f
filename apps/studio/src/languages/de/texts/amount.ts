import type { texts as english } from "../../../texts/amount.ts";
import type { Translation } from "../../translation.ts";

export const texts = {
  ambiguous: (text: string, { thousands, decimals }: { thousands: string; decimals: string }) =>
    `„${text}“ kann zwei Beträge bedeuten. Schreiben Sie ${thousands} oder ${decimals.replace(".", ",")}.`,
  wrong: "Muss ein Betrag in EUR sein, etwa 5 oder 0,25, ohne Trennzeichen für Tausender.",
} satisfies Translation<typeof english>;
