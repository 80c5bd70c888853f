import { positionAt } from "@atelier/kit";

/** Position of the first character that is not JSON, and the characters that are valid there. */
interface JsonError {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly expected: string;
}

type State = "value" | "value or ]" | "name" | "name or }" | ":" | ", or ]" | ", or }" | "end";

const expectations: Readonly<Record<State, string>> = {
  value: "a value",
  "value or ]": 'a value or "]"',
  name: "a name in double quotes",
  "name or }": 'a name in double quotes or "}"',
  ":": '":"',
  ", or ]": '"," or "]"',
  ", or }": '"," or "}"',
  end: "the end of the text",
};

const space = /[ \t\n\r]*/y;
const string = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const literal = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Finds the first error of a text that is not JSON (RFC 8259), in one pass; null for valid JSON. */
export function findJsonError(text: string): JsonError | null {
  const open: ("[" | "{")[] = [];
  let at = 0;
  let state: State = "value";

  function take(pattern: RegExp): boolean {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  }
  function afterValue(): State {
    const container = open.at(-1);
    if (container === undefined) return "end";
    return container === "[" ? ", or ]" : ", or }";
  }
  /** Reads one token; null if it is not valid in this state. */
  function next(): State | null {
    const character = text[at];
    switch (state) {
      case ":":
        if (character !== ":") return null;
        at += 1;
        return "value";
      case "name":
      case "name or }":
        if (character === "}" && state === "name or }") return close();
        return take(string) ? ":" : null;
      case ", or ]":
      case ", or }":
        if (character === state.at(-1)) return close();
        if (character !== ",") return null;
        at += 1;
        return state === ", or ]" ? "value" : "name";
      case "value":
      case "value or ]":
        if (character === "]" && state === "value or ]") return close();
        if (character === "[" || character === "{") {
          open.push(character);
          at += 1;
          return character === "[" ? "value or ]" : "name or }";
        }
        return take(string) || take(literal) ? afterValue() : null;
      case "end":
        return null;
    }
  }
  function close(): State {
    open.pop();
    at += 1;
    return afterValue();
  }

  for (;;) {
    take(space);
    if (state === "end" && at === text.length) return null;
    const following = next();
    if (following === null) return { ...positionAt(text, at), expected: expectations[state] };
    state = following;
  }
}
