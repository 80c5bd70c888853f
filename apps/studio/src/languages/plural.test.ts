import { describe, expect, it } from "vitest";
import { texts as english } from "../texts/library.ts";
import { texts as englishStories } from "../texts/stories.ts";
import { texts as englishUsage } from "../texts/usage.ts";
import { texts as german } from "./de/texts/library.ts";
import { texts as germanStories } from "./de/texts/stories.ts";
import { texts as germanUsage } from "./de/texts/usage.ts";
import { pluralOf } from "./plural.ts";

describe("pluralOf", () => {
  it("chooses the form of the language, and `other` for forms without a text", () => {
    const forms = { one: "zdjęcie", few: "zdjęcia", many: "zdjęć", other: "zdjęcia" };
    const polish = [0, 1, 2, 5, 22].map((count) => pluralOf("pl")(count, forms));
    expect(polish).toEqual(["zdjęć", "zdjęcie", "zdjęcia", "zdjęć", "zdjęcia"]);
    expect(pluralOf("pl")(1, { other: "x" })).toBe("x");
  });
});

describe("counted texts", () => {
  const counted = (text: (count: number) => string) => [0, 1, 2].map(text);

  it("are right in English for 0, 1 and 2", () => {
    expect(counted(englishStories.stories.imageCount)).toEqual(["0 images", "1 image", "2 images"]);
    expect(counted(english.create.generate)[1]).toBe("Generate image");
    expect(counted(english.create.capabilities.references)).toEqual([
      "0 references",
      "1 reference",
      "2 references",
    ]);
    expect(counted((count) => englishUsage.usage.ofJobs(2, count))).toEqual([
      "2 images of 0 jobs",
      "2 images of 1 job",
      "2 images of 2 jobs",
    ]);
  });

  it("are right in German for 0, 1 and 2", () => {
    expect(counted(germanStories.stories.imageCount)).toEqual(["0 Bilder", "1 Bild", "2 Bilder"]);
    expect(counted(german.create.generate)).toEqual([
      "0 Bilder erstellen",
      "Bild erstellen",
      "2 Bilder erstellen",
    ]);
    expect(counted((count) => german.library.running(count, false))).toEqual([
      "0 laufende Aufträge",
      "1 laufender Auftrag",
      "2 laufende Aufträge",
    ]);
    expect(counted((count) => germanUsage.usage.ofJobs(2, count))).toEqual([
      "2 Bilder aus 0 Aufträgen",
      "2 Bilder aus 1 Auftrag",
      "2 Bilder aus 2 Aufträgen",
    ]);
    expect(german.library.cancelledAll({ cancelled: 2, stopping: 0, left: 1 })).toBe(
      "2 Aufträge abgebrochen. 1 war zu weit, um ihn abzubrechen.",
    );
  });
});
