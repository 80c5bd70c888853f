import type { Colour } from "./colour.ts";

export type Age = "child" | "adult" | "old";
export type HairStyle =
  | "short"
  | "long"
  | "bob"
  | "braids"
  | "ponytail"
  | "bun"
  | "curly"
  | "longcurly"
  | "spiky"
  | "bald";
export type HatKind =
  | "hat"
  | "tophat"
  | "cap"
  | "beanie"
  | "beret"
  | "pointyhat"
  | "crown"
  | "hood"
  | "helmet"
  | "headscarf"
  | "wreath"
  | "bow"
  | "spacehelmet"
  | "chefhat";
export type HeldKind =
  | "sword"
  | "staff"
  | "wand"
  | "shield"
  | "broom"
  | "fishingrod"
  | "book"
  | "lantern"
  | "basket"
  | "umbrella"
  | "flower"
  | "cup"
  | "partyballoon"
  | "icecream"
  | "apple"
  | "phone"
  | "guitar";

/** A piece of clothing: its kind and colour. */
export interface Garment<Kind extends string = string> {
  readonly kind: Kind;
  readonly colour: Colour;
}

/** Features that a person keeps in any clothes; derived from the name unless described. */
export interface Face {
  readonly eyeSpacing: number;
  readonly eyeSize: number;
  readonly nose: 0 | 1 | 2;
  readonly brow: number;
  readonly smile: number;
  readonly faceWidth: number;
  readonly parting: -1 | 1;
}

/** The appearance of a person. The same look always draws the same person. */
export interface PersonLook {
  readonly figure: "person" | "robot" | "ghost";
  readonly age: Age;
  readonly feminine: boolean;
  readonly sturdy: number;
  readonly skin: Colour;
  readonly hair: Garment<HairStyle>;
  readonly eyes: Colour;
  readonly face: Face;
  readonly top: Garment<"shirt" | "sweater" | "dress" | "robe" | "armour" | "suit">;
  readonly over: Garment<"coat" | "vest" | "apron" | "overalls"> | null;
  readonly cape: Colour | null;
  readonly bottom: Garment<"trousers" | "skirt" | "shorts">;
  readonly feet: Garment<"boots" | "shoes">;
  readonly hat: Garment<HatKind> | null;
  readonly scarf: Colour | null;
  readonly glasses: Colour | null;
  readonly beard: Garment<"beard" | "moustache"> | null;
  readonly held: Garment<HeldKind> | null;
  /** Small items: freckles, belt, tie, necklace, backpack, earrings, eyepatch, gloves, wings. */
  readonly extras: ReadonlyMap<string, Colour>;
}

/** An animal character: its kind, coat and clothes. */
export interface AnimalLook {
  readonly figure: "animal";
  readonly kind: string;
  readonly colours: readonly Colour[];
  readonly size: number;
  readonly scarf: Colour | null;
  readonly hat: Garment<HatKind> | null;
  /** Seeds everything that the words do not specify. */
  readonly seed: number;
}

export type Look = PersonLook | AnimalLook;
