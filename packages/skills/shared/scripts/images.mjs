// What the scripts that make images have in common.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { parseArgs } from "node:util";
import {
  chooseFormat,
  download,
  imagesOf,
  print,
  readSettings,
  resultOf,
  say,
  send,
  untilFinal,
  UsageError,
  variantOf,
} from "./atelier.mjs";

const text = { type: "string" };
const texts = { type: "string", multiple: true, default: [] };

/** Options of every operation. */
const common = {
  model: text,
  size: text,
  n: text,
  seed: text,
  negative: text,
  metadata: texts,
  format: text,
  strictness: text,
  quote: { type: "boolean", default: false },
  "idempotency-key": text,
  output: { type: "string", short: "o" },
};

/** The lines of the usage about these options. */
export const commonUsage = `  --model <id>            default: the first one of SKILL.md
  --size <size>           such as 1K
  --n <number>            1 to 10 images of the prompt, each at the price of one
  --seed <number>         the same seed makes the same or a similar image
  --negative <text>       what the image must not show
  --metadata <name=value> a text of your own, stored with the job; up to 16
  --strictness <name>     normal or liberal
  --quote                 print the price and make nothing
  --idempotency-key <k>   the same key for the same request: it is made and paid for once
  -o, --output <file>     default: <job id>.<format>; several images are numbered`;

/** Reads the command line: the options of an operation and the common ones. */
export function readCommandLine(options) {
  const own = Object.fromEntries(
    Object.entries(options).map(([name, isList]) => [name, isList ? texts : text]),
  );
  return parseArgs({ allowPositionals: true, options: { ...common, ...own } });
}

/** The fields of a request that every operation has. */
function commonFields(values, settings) {
  return {
    model: values.model ?? settings.model,
    image_size: values.size,
    n: numberOf("n", values.n),
    seed: numberOf("seed", values.seed),
    negative_prompt: values.negative,
    strictness: values.strictness,
    ...(values.metadata.length > 0 && {
      metadata: Object.fromEntries(values.metadata.map(splitMetadata)),
    }),
  };
}

/** A number of the command line; undefined without one. */
export function numberOf(name, value) {
  if (value === undefined) return undefined;
  if (!/^\d+(\.\d+)?$/.test(value)) throw new UsageError(`--${name} must be a number.`);
  return Number(value);
}

function splitMetadata(pair) {
  const at = pair.indexOf("=");
  if (at < 1) throw new UsageError(`--metadata ${pair}: write it as name=value.`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

const types = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
  ".avif": "image/avif",
};
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The source of an image in a request: an HTTPS URL, the id of a job (`<job id>`, or `<job id>:2` for
 * its third image), or a file, which is uploaded and kept for a day.
 */
export async function toSource(settings, image) {
  if (image.startsWith("https://") || image.startsWith("http://")) return { url: image };
  const [jobId, index = "0"] = image.split(":");
  if (uuid.test(jobId)) return { job_id: jobId, image: numberOf("image", index) };
  const type = types[extname(image).toLowerCase()];
  if (type === undefined) {
    throw new UsageError(
      `${image} is no HTTPS URL, no job id and no PNG, JPEG, WebP or AVIF file.`,
    );
  }
  const bytes = await readFile(image);
  const { id } = await send(settings, "POST", "/v1/uploads", { file: { bytes, type } });
  return { upload_id: id };
}

/** Images with their descriptions, from two options that are given in pairs. */
export async function toDescribed(settings, images, descriptions) {
  const described = [];
  for (const [index, image] of images.entries()) {
    described.push({
      description: descriptions[index],
      ...(await toSource(settings, image)),
    });
  }
  return described;
}

/**
 * Requests images, waits for them and saves them.
 *
 * @param makeFields returns the fields of the request that only this operation has.
 */
export async function makeImages(operation, values, makeFields, formats) {
  const format = chooseFormat(values.format, values.output, formats);
  const settings = readSettings();
  const fixed = commonFields(values, settings);
  const request = { ...fixed, ...(await makeFields(settings)) };
  if (values.quote) {
    const body = { operation, request };
    const quote = await send(settings, "POST", "/v1/quotes", { body });
    print(`${quote.price_eur} EUR of ${quote.balance_eur} EUR`);
    return;
  }
  const accepted = await send(settings, "POST", `/v1/generate/${operation}`, {
    idempotencyKey: values["idempotency-key"] ?? randomUUID(),
    body: request,
  });
  // A repeated request may be answered with its result at once.
  const jobId = accepted.job_id ?? accepted.id;
  say(`job ${jobId}`);
  const result = resultOf(await untilFinal(settings, jobId, ({ status }) => say(status)));
  const images = imagesOf(result);
  for (const [index, image] of images.entries()) {
    const variant = variantOf(image, format);
    const file = values.output ?? `${jobId}.${format}`;
    const numbered = images.length === 1 ? file : addNumber(file, index + 1);
    await download(variant.url, variant.hash, numbered);
    print(numbered);
  }
  say(`cost ${result.cost_eur} EUR, balance ${result.balance_eur} EUR, seed ${result.seed}`);
}

/** `boat.png` as `boat-2.png`. */
function addNumber(file, number) {
  const ending = extname(file);
  return `${file.slice(0, file.length - ending.length)}-${number}${ending}`;
}
