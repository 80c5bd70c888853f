// Lists jobs, shows one, saves its images, tells the balance: node jobs.mjs list
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  chooseFormat,
  download,
  fetchFile,
  imagesOf,
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

const usage = `usage: node jobs.mjs <command>
  list [filters]      newest first
    --limit <n>             default: 20
    --status <status>       pending, processing, completed, failed or cancelled
    --kind <kind>           image or story
    --model <id>            of this model
    --words <text>          with all of these words
    --metadata <name=value> with this text in the metadata
  show <job id>       the whole job, as JSON
  save <job id> [-o <folder>] [--format png|jpeg|webp|svg]   waits for it, and saves its images
  archive <job id> [-o <folder>] [--format png|jpeg|webp]    its images as one ZIP file
  balance             what is left to spend`;

await run(usage, async () => {
  const text = { type: "string" };
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      limit: { ...text, default: "20" },
      status: text,
      kind: text,
      model: text,
      words: text,
      metadata: text,
      format: text,
      output: { ...text, short: "o", default: "." },
    },
  });
  const [command, jobId, ...rest] = positionals;
  const commands = { list, show, save, archive, balance };
  const takesJob = ["show", "save", "archive"].includes(command);
  if (!Object.hasOwn(commands, command) || takesJob !== Boolean(jobId) || rest.length > 0) {
    throw new UsageError(usage);
  }
  await commands[command](readSettings(), values, encodeURIComponent(jobId));
});

async function list(settings, { limit, status, kind, model, words, metadata = "" }) {
  const [name, ...value] = metadata.split("=");
  const filters = { status, kind, model, q: words, [`metadata.${name}`]: value.join("=") };
  const given = Object.entries(filters).filter(([, filter]) => filter);
  const query = new URLSearchParams([["limit", limit], ...given]);
  const { jobs, next_cursor } = await send(settings, "GET", `/v1/jobs?${query}`);
  for (const job of jobs) {
    const { id, created_at, kind: what, status: state, model: used, cost_eur, prompt } = job;
    print([id, created_at, what, state, used, `${cost_eur} EUR`, prompt ?? ""].join("  "));
  }
  if (next_cursor !== null) say("There are older ones: give a higher --limit, up to 100.");
}

async function show(settings, _options, jobId) {
  print(JSON.stringify(await send(settings, "GET", `/v1/jobs/${jobId}`), null, 2));
}

async function save(settings, { format: option, output }, jobId) {
  const format = chooseFormat(option, "", ["png", "jpeg", "webp", "svg"]);
  const job = await untilFinal(settings, jobId, ({ status }) => say(status));
  const images = imagesOf(resultOf(job));
  for (const [index, image] of images.entries()) {
    const variant = variantOf(image, format);
    const suffix = images.length === 1 ? "" : `-${index + 1}`;
    const file = join(output, `${job.id}${suffix}.${format}`);
    await download(variant.url, variant.hash, file);
    print(file);
  }
}

async function archive(settings, { format: option, output }, jobId) {
  const format = chooseFormat(option);
  resultOf(await untilFinal(settings, jobId, ({ status }) => say(status)));
  const bytes = await fetchFile(`${settings.url}/v1/jobs/${jobId}/archive?format=${format}`, {
    Authorization: `Bearer ${settings.key}`,
  });
  const file = join(output, `${jobId}.zip`);
  await writeFile(file, bytes);
  print(file);
}

async function balance(settings) {
  const { balance_eur, held_eur } = await send(settings, "GET", "/v1/account");
  print(`${balance_eur} EUR to spend, ${held_eur} EUR held for unfinished jobs`);
}
