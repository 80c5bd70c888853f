import literata from "@expo-google-fonts/literata/400Regular/Literata_400Regular.ttf?url";
import sourceSans from "@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf?url";
import type { BookFont } from "./book.ts";

/** TrueType fonts with the Latin, Greek and Cyrillic letters of all languages of Europe. */
export const fonts: Readonly<Record<BookFont, { readonly family: string; readonly url: string }>> =
  {
    literata: { family: "Literata", url: literata },
    "source-sans": { family: "Source Sans 3", url: sourceSans },
  };
