import { texts } from "../../texts.ts";

/** The key that is held for commands. */
export const commandKey = navigator.platform.startsWith("Mac") ? "⌘" : texts.common.controlKey;
