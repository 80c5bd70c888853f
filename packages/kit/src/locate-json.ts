/**
 * Finds the value at a path in a JSON text.
 *
 * @param text valid JSON.
 * @param path keys and indices; a part that does not exist ends the search at its parent.
 * @returns the offset of the value, or of its key with `at: "key"`.
 */
export function locateJson(
  text: string,
  path: readonly PropertyKey[],
  at: "value" | "key" = "value",
): number {
  let offset = skipSpace(text, 0);
  for (const [depth, part] of path.entries()) {
    const member = findMember(text, offset, part);
    if (member === null) return offset;
    offset = at === "key" && depth === path.length - 1 ? member.key : member.value;
  }
  return offset;
}

interface Member {
  /** Offset of the key, or of the element of a list. */
  readonly key: number;
  readonly value: number;
}

function findMember(text: string, start: number, part: PropertyKey): Member | null {
  const isObject = text[start] === "{";
  if (!isObject && text[start] !== "[") return null;
  let found: Member | null = null;
  let offset = skipSpace(text, start + 1);
  for (
    let index = 0;
    offset < text.length && text[offset] !== "}" && text[offset] !== "]";
    index += 1
  ) {
    const key = offset;
    let name: unknown = index;
    if (isObject) {
      const end = skipValue(text, key);
      name = JSON.parse(text.slice(key, end));
      // After the colon.
      offset = skipSpace(text, skipSpace(text, end) + 1);
    }
    // The last of equal keys counts, as in JSON.parse.
    if (name === part || String(name) === String(part)) found = { key, value: offset };
    offset = skipSpace(text, skipValue(text, offset));
    if (text[offset] === ",") offset = skipSpace(text, offset + 1);
  }
  return found;
}

function skipSpace(text: string, start: number): number {
  let offset = start;
  while (offset < text.length && " \t\r\n".includes(text[offset] ?? "")) offset += 1;
  return offset;
}

/** The offset after a value. */
function skipValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') {
    let offset = start + 1;
    while (offset < text.length && text[offset] !== '"') offset += text[offset] === "\\" ? 2 : 1;
    return offset + 1;
  }
  if (first !== "{" && first !== "[") {
    let offset = start;
    while (offset < text.length && !/[\s,\]}]/.test(text[offset] ?? "")) offset += 1;
    return offset;
  }
  let depth = 0;
  for (let offset = start; offset < text.length;) {
    const character = text[offset];
    if (character === '"') {
      offset = skipValue(text, offset);
      continue;
    }
    if (character === "{" || character === "[") depth += 1;
    if (character === "}" || character === "]") depth -= 1;
    offset += 1;
    if (depth === 0) return offset;
  }
  return text.length;
}
