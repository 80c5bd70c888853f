// Lists jobs, shows one, saves its images, tells the balance: node jobs.mjs list
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

const usage = `usage: node jobs.mjs <command>
  list [--limit <n>] [--status <status>] [--kind image|story]   newest first; default: 20
  show <job id>                                                 the whole job, as JSON
  save <job id> [-o <folder>] [--format png|jpeg|webp]          waits for it, and saves its images
  balance                                                       what is left to spend`;

await run(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      limit: { type: "string", default: "20" },
      status: { type: "string" },
      kind: { type: "string" },
      format: { type: "string" },
      output: { type: "string", short: "o", default: "." },
    },
  });
  const [command, jobId, ...rest] = positionals;
  const commands = { list, show, save, balance };
  const takesJob = command === "show" || command === "save";
  if (!Object.hasOwn(commands, command) || takesJob !== Boolean(jobId) || rest.length > 0) {
    throw new UsageError(usage);
  }
  await commands[command](readSettings(), values, encodeURIComponent(jobId));
});

async function list(settings, { limit, status, kind }) {
  const query = new URLSearchParams({ limit, ...(status && { status }), ...(kind && { kind }) });
  const { jobs, next_cursor } = await send(settings, "GET", `/v1/jobs?${query}`);
  for (const job of jobs) {
    const { id, created_at, kind: what, status: state, model, cost_eur } = job;
    print([id, created_at, what, state, model, `${cost_eur} EUR`].join("  "));
  }
  if (next_cursor !== null) say("There are older ones: give a higher --limit, up to 100.");
}

async function show(settings, _options, jobId) {
  print(JSON.stringify(await send(settings, "GET", `/v1/jobs/${jobId}`), null, 2));
}

async function save(settings, { format: option, output }, jobId) {
  const format = chooseFormat(option);
  const job = await untilFinal(settings, jobId, ({ status }) => say(status));
  const result = resultOf(job);
  for (const image of result.scenes ?? [result]) {
    const variant = variantOf(image, format);
    const suffix = image.scene === undefined ? "" : `-${image.scene}`;
    const file = join(output, `${job.id}${suffix}.${format}`);
    await download(variant.url, variant.hash, file);
    print(file);
  }
}

async function balance(settings) {
  const { balance_eur, held_eur } = await send(settings, "GET", "/v1/account");
  print(`${balance_eur} EUR to spend, ${held_eur} EUR held for unfinished jobs`);
}
