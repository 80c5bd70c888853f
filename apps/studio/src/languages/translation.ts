/**
 * The texts of a language, of the type of the English ones: the same names, with texts for texts and
 * functions for functions. The compiler names what is missing.
 */
export type Translation<Texts> = Texts extends string
  ? string
  : Texts extends (...parameters: infer Parameters) => string
    ? (...parameters: Parameters) => string
    : { readonly [Name in keyof Texts]: Translation<Texts[Name]> };
