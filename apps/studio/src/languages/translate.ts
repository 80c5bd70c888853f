import { texts } from "../texts.ts";

/** A name or sentence of the service, which are English, in the language of the page, where it is known. */
export function translate(text: string): string {
  return Object.hasOwn(texts.ofService, text) ? (texts.ofService[text] ?? text) : text;
}

/** The first sentence of a description of the service in the language of the page. */
export function translateFirstSentence(description: string): string {
  const [sentence = ""] = description.split(/(?<=\.) /, 1);
  return translate(sentence.endsWith(".") ? sentence : `${sentence}.`);
}
