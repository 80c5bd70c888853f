import { expect, it } from "vitest";
import { readRequest } from "../read-request.ts";
import { formsOf, type InflectedLanguage } from "./inflect.ts";
import { colourWords } from "./modifiers.ts";

it.each<[InflectedLanguage, string, string]>([
  ["de", "weiß", "weiss weisse weisser weisses weissen weissem"],
  ["fr", "blanc", "blanc blanche blanches blancs"],
  ["fr", "gris", "gris grise grises"],
  ["fr", "doré", "dore doree dorees dores"],
  ["es", "rojo", "rojo roja rojos rojas"],
  ["es", "azul", "azul azules"],
  ["es", "verde", "verde verdes"],
  ["it", "bianco", "bianco bianca bianchi bianche"],
  ["it", "grigio", "grigio grigia grigi grigie"],
  ["it", "verde", "verde verdi"],
  ["pt", "azul", "azul azuis"],
  ["pt", "preto", "preto preta pretos pretas"],
])("%s: the forms of %s", (language, base, forms) => {
  expect(formsOf(base, language)).toEqual(forms.split(" "));
});

it.each([
  ["ein Haus neben weißem Auto", "car", "white"],
  ["ein Boot mit rotem Segel neben schwarzem Auto", "car", "black"],
  ["Hund in grünem Haus", "house", "green"],
  ["deux bateaux rouges et des maisons blanches", "house", "white"],
  ["casas azules", "house", "blue"],
  ["barche nere", "boat", "black"],
  ["trois chevaux bruns", "horse", "brown"],
  ["aviões azuis", "plane", "blue"],
])("%s: the %s is %s", (prompt, kind, colour) => {
  const { things } = readRequest(prompt, [], 1);
  expect(things.find((thing) => thing.kind === kind)?.colours).toEqual([
    colourWords[colour]?.colour,
  ]);
});

it("reads inflected sizes", () => {
  const sizeOf = (prompt: string) => readRequest(prompt, [], 1).things[0]?.size;
  expect(sizeOf("mit kleinem Haus")).toBe(sizeOf("a small house"));
  expect(sizeOf("in großem Haus")).toBe(sizeOf("a big house"));
});
