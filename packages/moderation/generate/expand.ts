/**
 * The forms of a pattern: "nud(e|es)" → "nude", "nudes". Groups may hold groups, and empty choices:
 * "(a |)".
 *
 * @throws Error for a bracket without its partner.
 */
export function expand(pattern: string): string[] {
  if (!pattern.includes("(") && !pattern.includes(")")) return [pattern];
  const parts = pattern.match(/[^()|]+|[()|]/gu) ?? [];
  let at = 0;

  function choices(): string[] {
    const done: string[] = [];
    let open = [""];
    for (; at < parts.length && parts[at] !== ")"; at += 1) {
      const part = parts[at] ?? "";
      if (part === "|") {
        done.push(...open);
        open = [""];
      } else if (part === "(") {
        at += 1;
        const inner = choices();
        if (parts[at] !== ")") throw new Error(`unclosed group in the vocabulary: ${pattern}`);
        open = open.flatMap((head) => inner.map((tail) => head + tail));
      } else {
        open = open.map((head) => head + part);
      }
    }
    return [...done, ...open];
  }

  const variants = choices();
  if (at < parts.length) throw new Error(`stray bracket in the vocabulary: ${pattern}`);
  return variants;
}
