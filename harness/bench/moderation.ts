import { createRuleModerator } from "@atelier/moderation";
import { createManyCaptions } from "@atelier/moderation/captions";
import { createCorpus } from "@atelier/moderation/corpus";

/**
 * Prints what the built-in rules detect in the corpus of the legal floor, and which of its harmless
 * counterparts they refuse, by family and by language; then how many of 30,000 everyday captions they
 * refuse. Needs no service.
 *
 * npm run bench -- moderation
 */
interface Row {
  prompts: number;
  found: number;
  refusedTwins: number;
}

const moderator = createRuleModerator();
const { signal } = new AbortController();
const rows = new Map<string, Row>();

for (const { family, language, unsafe, twin, isHeldOut } of createCorpus()) {
  const [verdict, twinVerdict] = await Promise.all([
    moderator.moderate(
      { texts: [{ path: "prompt", text: unsafe }], strictness: "liberal", hasClientImages: false },
      signal,
    ),
    moderator.moderate(
      { texts: [{ path: "prompt", text: twin }], strictness: "normal", hasClientImages: false },
      signal,
    ),
  ]);
  const isFound = !verdict.allowed && verdict.code === "content_illegal";
  const names = ["all", family.replace(/:.*/u, ""), `language ${language}`];
  for (const name of isHeldOut ? [...names, "held-out templates"] : names) {
    const row = rows.get(name) ?? { prompts: 0, found: 0, refusedTwins: 0 };
    rows.set(name, row);
    row.prompts += 1;
    if (isFound) row.found += 1;
    if (!twinVerdict.allowed) row.refusedTwins += 1;
  }
}

process.stdout.write("| | Prompts | 451 | Twins refused |\n| --- | --: | --: | --: |\n");
for (const [name, { prompts, found, refusedTwins }] of rows) {
  const share = ((100 * found) / prompts).toFixed(1);
  process.stdout.write(`| ${name} | ${prompts} | ${share} % | ${refusedTwins} |\n`);
}

const captions = createManyCaptions(30_000);
const verdicts = await Promise.all(
  captions.map(({ text }) =>
    moderator.moderate(
      { texts: [{ path: "prompt", text }], strictness: "normal", hasClientImages: false },
      signal,
    ),
  ),
);
const refused = verdicts.filter(({ allowed }) => !allowed);
const illegal = refused.filter((verdict) => !verdict.allowed && verdict.code === "content_illegal");
process.stdout.write(
  `\n${captions.length} everyday captions at normal: ${refused.length} refused, ${illegal.length} with 451.\n`,
);
