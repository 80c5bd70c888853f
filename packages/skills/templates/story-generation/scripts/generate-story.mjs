// Makes a story and saves its scenes: node generate-story.mjs story.json -o lighthouse
import { randomUUID } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
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

const usage = `usage: node generate-story.mjs <story.json> [options]
  --model <id>            over the file's; default: the first one of SKILL.md
  --format <format>       png (default), jpeg or webp
  --quote                 print the price and make nothing
  --idempotency-key <k>   the same key for the same story: it is made and paid for once
  -o, --output <folder>   default: <job id>`;

await run(usage, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      model: { type: "string" },
      format: { type: "string" },
      quote: { type: "boolean", default: false },
      "idempotency-key": { type: "string", default: randomUUID() },
      output: { type: "string", short: "o" },
    },
  });
  if (positionals.length !== 1) throw new UsageError(usage);
  const format = chooseFormat(values.format);
  if (values.output !== undefined) await assertNoScenes(values.output);
  const settings = readSettings();
  const story = await readStory(positionals[0]);
  const request = { ...story, model: values.model ?? story.model ?? settings.model };
  if (values.quote) {
    const body = { operation: "story", request };
    const quote = await send(settings, "POST", "/v1/quotes", { body });
    print(`${quote.price_eur} EUR of ${quote.balance_eur} EUR`);
    return;
  }
  const { job_id: jobId } = await send(settings, "POST", "/v1/generate/story", {
    idempotencyKey: values["idempotency-key"],
    body: request,
  });
  say(`job ${jobId}`);
  const job = await untilFinal(settings, jobId, (state) =>
    say(`${state.status}, scene ${state.scenes_completed} of ${state.scenes_total}`),
  );
  const result = resultOf(job);
  const folder = values.output ?? jobId;
  for (const scene of result.scenes) {
    const variant = variantOf(scene, format);
    const number = String(scene.scene).padStart(2, "0");
    const file = join(folder, `scene-${number}.${format}`);
    await download(variant.url, variant.hash, file);
    print(file);
  }
  // What it was made from and of: the references in it can be used for more scenes.
  await writeFile(join(folder, "job.json"), `${JSON.stringify(job, null, 2)}\n`);
  say(`"${result.title}", cost ${result.cost_eur} EUR, balance ${result.balance_eur} EUR`);
});

/** Before the request: the files of two stories must not mix. */
async function assertNoScenes(folder) {
  const names = await readdir(folder).catch(() => []);
  if (!names.some((name) => /^scene-\d+\./.test(name))) return;
  throw new UsageError(`${folder} has scenes of another story: name a new folder.`);
}

async function readStory(file) {
  try {
    return JSON.parse((await readFile(file, "utf8")).replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new UsageError(`${file} cannot be read as JSON: ${error.message}`);
  }
}
