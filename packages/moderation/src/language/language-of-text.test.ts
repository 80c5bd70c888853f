import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { LanguageCode } from "./language-codes.ts";
import { loadLanguageDetector, type TextLanguage } from "./language-of-text.ts";
import { decodeNGrams, encodeNGrams } from "./n-grams.ts";

const detector = loadLanguageDetector();

function certainty({ language, isSure }: TextLanguage): unknown {
  return { language, isSure };
}

const sentences: Readonly<Partial<Record<LanguageCode, string>>> = {
  ar: "الأطفال يرسمون شجرة كبيرة أمام البيت",
  be: "Дзеці малююць вялікае дрэва перад домам",
  bg: "Децата рисуват голямо дърво пред къщата",
  ca: "Els nens dibuixen un arbre molt gran davant de casa seva",
  cs: "Děti kreslí velký strom před naším domem",
  da: "Børnene tegner et stort træ foran deres hus",
  de: "Die Kinder malen einen großen Baum vor dem Haus",
  el: "Τα παιδιά ζωγραφίζουν ένα μεγάλο δέντρο",
  en: "The children are drawing a large tree in front of the house",
  es: "Los niños dibujan un árbol muy grande delante de la casa",
  et: "Lapsed joonistavad maja ette suurt puud",
  fa: "بچه‌ها جلوی خانه یک درخت بزرگ می‌کشند",
  fi: "Lapset piirtävät ison puun talon eteen",
  fr: "Les enfants dessinent un grand arbre devant la maison",
  he: "הילדים מציירים עץ גדול ליד הבית",
  hr: "Djeca crtaju veliko drvo ispred naše kuće",
  hu: "A gyerekek egy nagy fát rajzolnak a ház elé",
  it: "I bambini disegnano un grande albero davanti alla casa",
  ja: "子供たちは家の前で大きな木を描いています",
  ko: "아이들이 집 앞에서 큰 나무를 그리고 있어요",
  lt: "Vaikai piešia didelį medį priešais savo namą ir žaidžia kieme",
  nl: "De kinderen tekenen een grote boom voor het huis",
  pl: "Dzieci rysują duże drzewo przed naszym domem",
  pt: "As crianças desenham uma árvore muito grande em frente da casa",
  ro: "Copiii desenează un copac mare în fața casei",
  ru: "Дети рисуют большое дерево перед своим домом",
  sv: "Barnen ritar ett stort träd framför huset",
  tr: "Çocuklar evin önünde büyük bir ağaç çiziyor",
  uk: "Діти малюють велике дерево перед своїм будинком",
  ur: "بچے گھر کے سامنے ایک بڑا درخت بنا رہے ہیں",
  vi: "Bọn trẻ đang vẽ một cái cây lớn trước nhà",
  zh: "孩子们在房子前面画一棵大树",
};

describe("languageOf", () => {
  it.each(Object.entries(sentences))("is sure of a sentence in %s", (language, sentence) => {
    expect(certainty(detector.languageOf(sentence))).toEqual({ language, isSure: true });
  });

  it.each([
    ["de zon schijnt nu", "nl", "fr"],
    ["un bébé dort dans les bras", "fr", "en"],
    ["rodzina idzie drogą", "pl", "es"],
    ["copilul nu doarme", "ro", "fr"],
    ["weiße Blüte im Glas", "de", "en"],
    ["çocuklar sahada top oynuyor", "tr", "pl"],
    ["дети похожи на родителей", "ru", "en"],
    ["barnen leker i parken nu", "sv", "fr"],
  ] as const)("tells the language of the clause %j from another", (clause, language, other) => {
    const found = detector.languageOf(clause);
    expect(found.isLikelier(language, other)).toBe(true);
    expect(found.isLikelier(other, language)).toBe(false);
    expect(found.points(other, language)).toBe(-found.points(language, other));
    expect([found.canBe(language), found.canBe(other)]).toEqual([true, false]);
  });

  it("knows no language of a text without letters, and rules none out", () => {
    for (const text of ["", "  ", "12:30, 4 × 5", "🙂", "᚛᚛᚛"]) {
      const found = detector.languageOf(text);
      expect(certainty(found)).toEqual({ language: undefined, isSure: false });
      expect(found.canBe("en")).toBe(true);
    }
  });

  it("is not sure of a word that is common in several languages", () => {
    for (const word of ["nu", "bras", "pan", "no", "a"]) {
      expect(detector.languageOf(word).isSure).toBe(false);
    }
  });

  it("reads composed and decomposed letters alike, and ignores case and repetition", () => {
    const text = "Děti kreslí velký strom";
    const expected = detector.languageOf(text).points("cs", "pl");
    for (const same of [text.normalize("NFD"), text.toUpperCase(), `${text}. ${text}!`]) {
      expect(detector.languageOf(same).points("cs", "pl")).toBe(expected);
    }
  });

  it("answers for text of 32,000 characters in every shape", () => {
    for (const text of ["ab ".repeat(11_000), "я".repeat(32_000), "'".repeat(32_000), "\uD800"]) {
      expect(() => detector.languageOf(text)).not.toThrow();
    }
  });
});

describe("data/language-n-grams.bin", () => {
  const file = readFileSync(new URL("../../data/language-n-grams.bin", import.meta.url));

  it("is what encodeNGrams writes for its tables", () => {
    expect(encodeNGrams(decodeNGrams(file)).equals(file)).toBe(true);
  });

  it("is rejected when it is truncated or too long", () => {
    for (const wrong of [Buffer.alloc(0), file.subarray(0, -1), Buffer.concat([file, file])]) {
      expect(() => decodeNGrams(wrong)).toThrow("Run packages/moderation/generate/n-grams.ts");
    }
  });
});
