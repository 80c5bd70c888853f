import { fileURLToPath } from "node:url";
import { collectPatterns } from "./collect-patterns.ts";
import { dynamicPatterns, slowPatterns } from "./exceptions.ts";
import { findSlowText } from "./measure-growth.ts";

/**
 * Checks that each regular expression of production code takes linear time: feeds it with texts that are
 * derived from it, in two lengths, and compares the CPU times. Fails for a pattern that is slow, for one
 * that is created from a text and not named in `exceptions.ts`, and for an exception that is not needed.
 *
 * npm run patterns
 */
const { patterns, dynamic } = collectPatterns(fileURLToPath(new URL("../..", import.meta.url)));
const problems: string[] = [];
const unused = new Set([
  ...slowPatterns.map(({ place }) => place),
  ...Object.keys(dynamicPatterns),
]);

const examples = Object.entries(dynamicPatterns).flatMap(([file, entry]) =>
  "examples" in entry
    ? entry.examples.map((source) => ({ source, flags: "iu", places: [file] }))
    : [],
);
for (const { source, flags, places } of [...patterns, ...examples]) {
  const text = findSlowText(source, flags);
  if (text === null) continue;
  const exceptions = slowPatterns.filter(({ place }) =>
    places.every((one) => one.startsWith(place)),
  );
  for (const { place } of exceptions) unused.delete(place);
  if (exceptions.length > 0) continue;
  problems.push(`${places.join(", ")}: /${source}/${flags} is slow for ${JSON.stringify(text)}`);
}
for (const { file, text } of dynamic) {
  if (!Object.hasOwn(dynamicPatterns, file)) problems.push(`${file}: ${text} is not checked`);
  unused.delete(file);
}
for (const place of unused) problems.push(`${place}: the exception is not needed`);

for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`${patterns.length} regular expressions, ${problems.length} problems\n`);
if (problems.length > 0) process.exitCode = 1;
