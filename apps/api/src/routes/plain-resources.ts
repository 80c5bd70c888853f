import type { PlainResource } from "./items.ts";
import { presetResource } from "./presets.ts";

/** These are served and exported. */
export const plainResources: readonly PlainResource[] = [presetResource];
