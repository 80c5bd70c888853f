import type { Strictness } from "@atelier/schemas";
import type { ModerationCategory } from "../policy.ts";

/** A model elsewhere that judges. It throws ClassifierDown when it gives no judgement. */
export interface Classifier {
  /** Of the model, stored with each decision. */
  readonly name: string;
  /** The category that refuses each text, or null, in the order of the texts. */
  judgeTexts(
    texts: readonly string[],
    strictness: Strictness,
    signal: AbortSignal,
  ): Promise<readonly (ModerationCategory | null)[]>;
  /** The category that refuses an image; the method is null where the model cannot see. */
  readonly judgeImage:
    | ((
        image: Uint8Array,
        strictness: Strictness,
        signal: AbortSignal,
      ) => Promise<ModerationCategory | null>)
    | null;
}

/** No judgement was to be had. The message is for operators; it holds no key and no text. */
export class ClassifierDown extends Error {
  override readonly name = "ClassifierDown";
}
