import type { Random } from "../shared/random.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Values that often cause bugs. */
const hostile: readonly [Json, ...Json[]] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  "",
  " ",
  "a".repeat(20_000),
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff lone",
  "\u202e\u200b\ufeff",
  "👩‍👩‍👧‍👦".repeat(50),
  "'; DROP TABLE account; --",
  "{{constructor.constructor('return process')()}}",
  "../../../../etc/passwd",
  "https://169.254.169.254/latest/meta-data",
  "https://user:password@example.com/a.png",
  "http://example.com/a.png",
  "https://[::1]/a.png",
  "file:///etc/passwd",
  "__proto__",
  "constructor",
  "NaN",
  "1e400",
  [],
  {},
  [[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]],
  Array.from({ length: 200 }, () => "x"),
  JSON.parse('{"__proto__": {"admin": true}}') as Json,
];

const names: readonly [string, ...string[]] = [
  "__proto__",
  "constructor",
  "toString",
  "modle",
  "PROMPT",
  "",
  "a\u0000",
  "n",
];

/** Returns a copy with one change: a value replaced, removed, added or repeated. */
export function mutate(value: Json, random: Random): Json {
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    const at = random.between(0, Math.max(0, list.length - 1));
    switch (random.between(0, 3)) {
      case 0:
        return list.filter((_, index) => index !== at);
      case 1:
        return [...list, ...list];
      case 2:
        return [...list, random.pick(hostile)];
      default:
        return list.map((item, index) => (index === at ? deeper(item, random) : item));
    }
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value as Record<string, Json>);
    const at = random.between(0, Math.max(0, entries.length - 1));
    switch (random.between(0, 5)) {
      case 0:
        return fromEntries(entries.filter((_, index) => index !== at));
      case 1:
        return fromEntries([...entries, [random.pick(names), random.pick(hostile)]]);
      default:
        return fromEntries(
          entries.map(([name, item], index) => [name, index === at ? deeper(item, random) : item]),
        );
    }
  }
  return random.pick(hostile);
}

function deeper(value: Json, random: Random): Json {
  return random.next() < 0.5 ? random.pick(hostile) : mutate(value, random);
}

/** Like `Object.fromEntries`, with `__proto__` as an ordinary property. */
function fromEntries(entries: readonly (readonly [string, Json])[]): Json {
  const result = Object.create(null) as Record<string, Json>;
  for (const [name, value] of entries) {
    Object.defineProperty(result, name, { value, enumerable: true, configurable: true });
  }
  return result;
}

/** Corrupts the text of a body; the result may not be JSON. */
export function spoil(text: string, random: Random): string | Uint8Array {
  switch (random.between(0, 6)) {
    case 0:
      return text.slice(0, random.between(0, text.length));
    case 1:
      return Buffer.concat([Buffer.from(text.slice(0, 12)), Buffer.from([0xff, 0xfe, 0xc0])]);
    case 2:
      return `\ufeff${text}`;
    case 3:
      return text.replace("{", '{"model":"builtin-pattern",');
    case 4:
      return `${text}${text}`;
    case 5:
      return "[".repeat(20_000);
    default:
      return `{"prompt":"${"x".repeat(1_100_000)}"}`;
  }
}
