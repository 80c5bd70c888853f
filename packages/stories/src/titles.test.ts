import { operations } from "@atelier/schemas";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sceneTitles, storyTitle, titleOf } from "./titles.ts";

describe("the title of a prompt", () => {
  it.each([
    // English, in title case
    ["A picture of a fox in the snow", "Fox in the Snow"],
    ["A detailed watercolour illustration of an old lighthouse, golden hour", "Old Lighthouse"],
    [
      "In this scene, Mara finds an old brass key under the floorboards.",
      "Mara Finds an Old Brass Key",
    ],
    ["The old fisherman mends his nets while the sun sets", "Old Fisherman Mends His Nets"],
    ["At dawn, Mara rows across the misty lake", "Mara Rows Across the Misty Lake"],
    ["Mara opens the door of the mill and sees the dragon", "Mara Opens the Door"],
    ["Mara, Finn and the fox walk through the wood", "Mara, Finn and the Fox Walk"],
    ["Mara finds a picture of her mother in a drawer", "Mara Finds a Picture"],
    ["Scene 3: the harbour at night", "Harbour at Night"],
    ["Once upon a time there was a tiny bear who lived in a teapot", "Tiny Bear"],
    ["THE DRAGON ATTACKS THE CITY OF GLASS AT MIDNIGHT", "Dragon Attacks the City of Glass"],
    ["Mr. Fox goes to town", "Mr Fox Goes to Town"],
    ["dragon", "Dragon"],
    ["'The Old Mill' burns down", "Old Mill Burns Down"],
    ["‘Wait,’ says the fox", "Wait, Says the Fox"],
    ["'Tis the night before Christmas", "Tis the Night Before Christmas"],
    ["Mara's house and the dogs' kennel", "Mara's House and the Dogs' Kennel"],
    ["Image", "Image"],
    // German
    ["Ein Bild von einem alten Leuchtturm am Meer", "Leuchtturm am Meer"],
    ["Zeichne mir ein kleines Haus am See", "Kleines Haus am See"],
    ["In dieser Szene öffnet Mara die Tür zum Turm", "Mara öffnet die Tür zum Turm"],
    ["Dann versteckt sich der kleine Fuchs hinter dem Baum", "Der kleine Fuchs versteckt sich"],
    [
      "Der alte Fischer flickt seine Netze, während die Sonne sinkt",
      "Der alte Fischer flickt seine Netze",
    ],
    // French
    ["Une image d'un dragon rouge dans la nuit", "Dragon rouge dans la nuit"],
    ["Dans cette scène, Mara ouvre la porte du phare", "Mara ouvre la porte du phare"],
    ["L'ours blanc danse sur la glace", "Ours blanc danse sur la glace"],
    [
      "Le vieux pêcheur répare ses filets pendant que le soleil se couche",
      "Vieux pêcheur répare ses filets",
    ],
    // Spanish
    ["Una imagen de un zorro rojo en la nieve", "Zorro rojo en la nieve"],
    ["En esta escena, la niña abre la puerta del faro", "Niña abre la puerta del faro"],
    ["¡Dibújame una casa pequeña junto al lago!", "Casa pequeña junto al lago"],
    // Italian
    ["Un'immagine di una volpe rossa nella neve", "Volpe rossa nella neve"],
    ["In questa scena, Mara apre la porta del faro", "Mara apre la porta del faro"],
    ["L'orso bianco balla sul ghiaccio", "Orso bianco balla sul ghiaccio"],
    // Portuguese
    ["Uma imagem de uma raposa vermelha na neve", "Raposa vermelha na neve"],
    ["Nesta cena, a menina abre a porta do farol", "Menina abre a porta do farol"],
    [
      "O velho pescador conserta as redes enquanto o sol se põe",
      "Velho pescador conserta as redes",
    ],
    // Scripts without spaces, and others
    ["一只红狐狸在雪地里奔跑，夕阳西下", "一只红狐狸在雪地里奔跑"],
    ["在这个场景中，小女孩遇到了狐狸", "小女孩遇到了狐狸"],
    ["夕暮れの港。船が帰る。", "夕暮れの港"],
    ["어린 소녀가 숲에서 여우를 만난다", "어린 소녀가 숲에서 여우를 만난다"],
    ["девочка встречает лису, зима", "Девочка встречает лису"],
    // Emoji and marks
    ["🦊🌲 a fox in the forest", "Fox in the Forest"],
    ["🦊❄️👨‍👩‍👧", "🦊❄️👨‍👩‍👧"],
    ["!!!", "!!!"],
  ])("%s → %s", (prompt, title) => {
    expect(titleOf(prompt)).toBe(title);
  });

  it("is short for an endless word and for an endless text", () => {
    expect(titleOf("x".repeat(32_000))).toMatch(/^Xx{58}…$/);
    expect(titleOf("word ".repeat(6_000))).toBe("Word Word Word Word Word Word");
    expect(titleOf("山".repeat(32_000))).toBe("山".repeat(12));
  });
});

function request(texts: object) {
  return operations.story.request.parse({
    model: "m",
    characters: [{ name: "Mira", description: "b" }],
    scenes: [{ prompt: "a storm at sea" }, { prompt: "calm" }],
    ...texts,
  });
}

describe("the title of a story", () => {
  it("is the requested one, else comes from the prompt, the setting or the characters", () => {
    const [title, prompt, setting] = ["Otto's Day", "The lost star", "A village in winter"];
    expect(storyTitle(request({ title, prompt, setting }))).toBe("Otto's Day");
    expect(storyTitle(request({ prompt, setting }))).toBe("Lost Star");
    expect(storyTitle(request({ setting }))).toBe("Village in Winter");
    expect(storyTitle(request({ prompt: "\u200b" }))).toBe("Mira");
  });

  it.each([
    [["Mira"], "Mira"],
    [["Mira", "Otto"], "Mira and Otto"],
    [["Mira", "Otto", "Finn"], "Mira, Otto and Finn"],
    [["Mira", "Otto", "Finn", "Ada"], "Mira, Otto and Others"],
    [["\u200b"], "Story"],
  ])("of the characters %j is %j", (names, title) => {
    const characters = names.map((name) => ({ name, description: "b" }));
    expect(storyTitle(request({ characters }))).toBe(title);
  });
});

it.each([" ", "\u00a0", "\n", " \n", "a ", "森", "🇩🇪", "e\u0301"])(
  "creates a title from half a million repetitions of %j without delay",
  (unit) => {
    expect(titleOf(`fox${unit.repeat(500_000 / unit.length)}fox`)).toMatch(/^fox/iu);
  },
);

describe("the titles of scenes", () => {
  it("differ for prompts with a common beginning", () => {
    expect(
      sceneTitles(["Mara walks along the beach with Finn", "Mara walks along the beach with Tom"]),
    ).toEqual(["Mara Walks Along the Beach", "Beach with Tom"]);
    expect(sceneTitles(["Fox", "fox", "Fox!"])).toEqual(["Fox", "Fox (2)", "Fox (3)"]);
    expect(sceneTitles(["\u200b", "\u200b\u200b"])).toEqual(["Scene 1", "Scene 2"]);
  });

  it("keep characters intact when prompts differ in the second half of a surrogate pair", () => {
    // 𠮷 and 𠮾 are two code units each and share the first one.
    const prompts = ["野家", "野村"].map((name) => `山が見える。𠮷${name}で食べる`);
    for (const alike of [prompts, ["山が見える。𠮷", "山が見える。𠮾"]]) {
      const titles = sceneTitles(alike);
      expect(new Set(titles).size).toBe(2);
      expect(titles.filter((title) => !title.isWellFormed())).toEqual([]);
    }
    expect(sceneTitles(prompts)).toEqual(["山が見える", "𠮷野村で食べる"]);
    // A Thai tone mark stays with its consonant.
    expect(sceneTitles(["นี่ ก่กข", "นี่ ก่กค"])).toEqual(["นี่", "ก่กค"]);
  });

  it("are short, non-empty and distinct for distinct prompts", () => {
    const words = fc.constantFrom(
      ..."the a und le Fuchs scene of picture 图 森林 𠮷 🦊 , . - ! in walks Mara while &".split(
        " ",
      ),
    );
    const prompt = fc.oneof(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 80 }),
      fc.array(words, { minLength: 1, maxLength: 20 }).map((list) => list.join(" ")),
    );
    fc.assert(
      fc.property(fc.array(prompt, { minLength: 2, maxLength: 10 }), (prompts) => {
        const titles = sceneTitles(prompts);
        expect(new Set(titles).size).toBe(new Set(prompts).size);
        for (const title of titles) {
          expect(title.trim()).not.toBe("");
          expect(title.isWellFormed()).toBe(true);
          expect(title.split(" ").length).toBeLessThanOrEqual(7);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
