// Draws a diagram: node draw-diagram.mjs "user → API → queue" -o diagram.svg
import { readFile } from "node:fs/promises";
import { pixelFormats, run, UsageError } from "./atelier.mjs";
import { makeImages, readCommandLine } from "./images.mjs";

const usage = `usage: node draw-diagram.mjs <words> [options]
       node draw-diagram.mjs --source <file> --language <language> [options]
  --source <file>         the diagram in a language
  --language <language>   dot (Graphviz), mermaid (flowcharts) or text
  --direction <name>      right or down
  --color <#rrggbb>       a colour: of lines and texts first, then of the shapes; up to 8
  --model <id>            default: the first one of SKILL.md
  --size <size>           such as 1K: the longer edge
  --metadata <name=value> a text of your own, stored with the job; up to 16
  --strictness <name>     normal or liberal
  --format <format>       png, jpeg, webp or svg; default: as the file is called, or png
  --quote                 print the price and make nothing
  --idempotency-key <k>   the same key for the same request: it is made and paid for once
  -o, --output <file>     default: <job id>.<format>`;

await run(usage, async () => {
  const { values, positionals } = readCommandLine({
    source: false,
    language: false,
    direction: false,
    color: true,
  });
  const { source } = values;
  if (positionals.length !== (source === undefined ? 1 : 0)) throw new UsageError(usage);
  const makeFields = async () => ({
    ...(source === undefined
      ? { prompt: positionals[0] }
      : { source: await readFile(source, "utf8") }),
    language: values.language,
    direction: values.direction,
    ...(values.color.length > 0 && { palette: values.color }),
  });
  await makeImages("diagram", values, makeFields, [...pixelFormats, "svg"]);
});
