// Makes an image and saves it: node generate-image.mjs "a red boat at sunset" -o boat.png
import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import {
  chooseFormat,
  download,
  print,
  readSettings,
  resultOf,
  run,
  say,
  send,
  untilFinal,
  UsageError,
  variantOf,
} from "./atelier.mjs";

const usage = `usage: node generate-image.mjs <prompt> [options]
  --model <id>            default: the first one of SKILL.md
  --aspect-ratio <w:h>    such as 16:9
  --size <size>           such as 1K
  --format <format>       png, jpeg or webp; default: as the file is called, or png
  --reference <url> --reference-description <text>   an image to go by; up to 5 such pairs
  --strictness <name>     normal or liberal
  --idempotency-key <k>   the same key for the same image: it is made and paid for once
  -o, --output <file>     default: <job id>.<format>`;

await run(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      model: { type: "string" },
      "aspect-ratio": { type: "string" },
      size: { type: "string" },
      format: { type: "string" },
      reference: { type: "string", multiple: true, default: [] },
      "reference-description": { type: "string", multiple: true, default: [] },
      strictness: { type: "string" },
      "idempotency-key": { type: "string", default: randomUUID() },
      output: { type: "string", short: "o" },
    },
  });
  const descriptions = values["reference-description"];
  if (positionals.length !== 1 || values.reference.length !== descriptions.length) {
    throw new UsageError(usage);
  }
  const format = chooseFormat(values.format, values.output);
  const settings = readSettings();
  const accepted = await send(settings, "POST", "/v1/generate/image", {
    idempotencyKey: values["idempotency-key"],
    body: {
      model: values.model ?? settings.model,
      prompt: positionals[0],
      aspect_ratio: values["aspect-ratio"],
      image_size: values.size,
      strictness: values.strictness,
      reference_images: values.reference.map((url, index) => ({
        url,
        description: descriptions[index],
      })),
    },
  });
  // A repeated request may be answered with its result at once.
  const jobId = accepted.job_id ?? accepted.id;
  say(`job ${jobId}`);
  const job = await untilFinal(settings, jobId, ({ status }) => say(status));
  const result = resultOf(job);
  const variant = variantOf(result, format);
  const file = values.output ?? `${jobId}.${format}`;
  await download(variant.url, variant.hash, file);
  say(`cost ${result.cost_eur} EUR, balance ${result.balance_eur} EUR`);
  print(file);
});
