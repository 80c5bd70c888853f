/** The key that is held for commands. */
export const commandKey = navigator.platform.startsWith("Mac") ? "⌘" : "Ctrl";
