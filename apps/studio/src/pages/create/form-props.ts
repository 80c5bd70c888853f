import type { Model } from "@atelier/schemas";
import type { Draft, DraftChange } from "./draft.ts";

/** Properties that the parts of the form share. */
export interface FormProps {
  readonly draft: Draft;
  readonly model: Model;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: DraftChange;
}
