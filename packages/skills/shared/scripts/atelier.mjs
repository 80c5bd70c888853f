// What the scripts of this skill have in common. Needs Node 20 or newer, and nothing else.
import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, extname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const giveUpAfterTries = 4;

/** A request that failed, with what the service said about it. */
export class ServiceError extends Error {
  constructor(status, body) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

/** A mistake in how the script was called. */
export class UsageError extends Error {}

/** The settings: from the environment, and else from atelier.env beside this file. */
export function readSettings() {
  const file = readFileSync(new URL("atelier.env", import.meta.url), "utf8");
  const lines = file.matchAll(/^(ATELIER_[A-Z_]+)='([^']*)'$/gm);
  const saved = Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
  const setting = (name) => process.env[name] || saved[name] || "";
  return {
    url: setting("ATELIER_URL").replace(/\/+$/, ""),
    key: setting("ATELIER_API_KEY"),
    model: setting("ATELIER_MODEL"),
  };
}

/**
 * Sends a request until it is answered. Whatever may be repeated is: a POST of JSON has one idempotency
 * key for all its tries, so that it is carried out, and paid for, once. The file of an upload has none.
 */
export async function send(
  settings,
  method,
  path,
  { body, file, idempotencyKey = randomUUID() } = {},
) {
  const json = {
    "Content-Type": "application/json",
    "Idempotency-Key": idempotencyKey,
    Prefer: "respond-async",
  };
  const request = {
    method,
    headers: {
      Authorization: `Bearer ${settings.key}`,
      ...(body === undefined ? {} : json),
      ...(file === undefined ? {} : { "Content-Type": file.type }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(file === undefined ? {} : { body: file.bytes }),
  };
  assertSendable(settings.url + path, request);
  for (let tries = 1; ; tries++) {
    let waitMs = Math.min(500 * 2 ** tries, 15_000);
    try {
      const signal = AbortSignal.timeout(60_000);
      const response = await fetch(settings.url + path, { ...request, signal });
      const answer = await readJson(response);
      if (response.ok) return answer;
      // There is a job, whatever became of this answer: reading it tells the rest.
      const jobId = response.headers.get("X-Service-Job-Id");
      if (jobId !== null) return { job_id: jobId };
      const error = new ServiceError(response.status, answer);
      if (!mayRepeat(error) || tries >= giveUpAfterTries) throw error;
      const retryAfter = Number(response.headers.get("Retry-After"));
      if (retryAfter > 0) waitMs = retryAfter * 1_000;
    } catch (error) {
      if (error instanceof ServiceError || tries >= giveUpAfterTries) throw error;
    }
    await delay(waitMs);
  }
}

/** Without telling what is wrong in Node's words: they have the key in them. */
function assertSendable(url, request) {
  try {
    void new Request(url, request);
  } catch {
    throw new UsageError(
      "This can't be sent: ATELIER_URL must be an address without a password, and ATELIER_API_KEY and --idempotency-key must have no characters such as … or a line break.",
    );
  }
}

async function readJson(response) {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    // Not the service itself, but something between: a proxy, for example.
    return { error: "unreadable_answer", message: text.slice(0, 200), request_id: null };
  }
}

function mayRepeat({ status, body }) {
  // 502 of something between; the service's own is the end of a job.
  const isGateway = status === 502 && body.error === "unreadable_answer";
  return [429, 503, 504].includes(status) || isGateway || body.error === "idempotency_in_progress";
}

/** Polls a job until it is final, and tells about every change. */
export async function untilFinal(settings, jobId, onChange = () => undefined) {
  let seen = "";
  for (;;) {
    const job = await send(settings, "GET", `/v1/jobs/${jobId}`).catch((error) => {
      say(
        `Job ${jobId} goes on: read it later with GET /v1/jobs/${jobId}. Running this again makes, and pays for, another.`,
      );
      throw error;
    });
    const state = `${job.status} ${job.scenes_completed}`;
    if (state !== seen) onChange(job);
    seen = state;
    if (!["pending", "processing"].includes(job.status)) return job;
    await delay(1_000);
  }
}

/** The result of a final job. Throws the service's message when it failed. */
export function resultOf(job) {
  if (job.status === "completed") return job.result;
  const error = job.error ?? {
    error: "job_cancelled",
    message: "The job was cancelled and nothing was charged.",
  };
  throw new ServiceError(statusOfEnd[error.error] ?? 502, { ...error, request_id: null });
}

// What a job may end with, as the status of a request that is to be treated alike.
const statusOfEnd = {
  content_policy_violation: 422,
  content_illegal: 451,
  provider_refused: 422,
  reference_unreachable: 422,
  reference_invalid: 422,
  job_cancelled: 409,
  internal_error: 500,
  overloaded: 503,
  provider_unavailable: 503,
};

/**
 * Saves an image, and compares it with its hash. The key is not sent: the URL is signed, and may
 * lead to another host. Signed URLs work for an hour; the job has new ones on every read.
 */
export async function download(url, sha256, path) {
  const bytes = await fetchFile(url, {});
  if (hash(bytes) !== sha256) throw new Error("The download is incomplete. Download it again.");
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}

/** Reads a file over HTTP. */
export async function fetchFile(url, headers) {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(120_000) });
  if (!response.ok) {
    throw new Error(`${response.status} for the file. Read its job again: its URLs are new then.`);
  }
  return new Uint8Array(await response.arrayBuffer());
}

/** SHA-256, in hexadecimal. */
export function hash(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The formats of images; graphics and diagrams have SVG as well. */
export const pixelFormats = ["png", "jpeg", "webp"];

/**
 * The format to save: as the option says, or else as the file's name ends; PNG when neither says
 * any. It is asked before the request: a mistake must not be found once the image is paid for.
 */
export function chooseFormat(option, file = "", known = pixelFormats) {
  const ending = extname(file).slice(1);
  const named = ending === "" ? undefined : knownFormat(ending, known);
  const format = option === undefined ? (named ?? "png") : knownFormat(option, known);
  if (named === undefined || named === format) return format;
  throw new UsageError(
    `${file} is the name of a ${named}, and --format says ${format}: leave one of them out.`,
  );
}

function knownFormat(name, known) {
  const format = name.toLowerCase().replace(/^jpg$/, "jpeg");
  if (known.includes(format)) return format;
  const names = `${known.slice(0, -1).join(", ")} or ${known.at(-1)}`;
  throw new UsageError(`Unknown format "${name}". Use ${names}.`);
}

/** The images of a result, in order. */
export function imagesOf(result) {
  return result.scenes ?? result.images ?? [result];
}

/** The file of a result in a format. Throws when the images have expired. */
export function variantOf(image, format) {
  const variant = image.formats?.[format];
  if (variant !== undefined) return variant;
  throw new UsageError(
    image.formats === undefined
      ? "The files of this job have expired. Generate it again."
      : `The model gave no ${format}: its images have ${Object.keys(image.formats).join(", ")}.`,
  );
}

/** Prints a line of the result. */
export function print(text) {
  process.stdout.write(`${text}\n`);
}

/** Says on stderr what happens: stdout has only the result. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

// Exit codes by kind of error, and what to do about it beyond what the service says.
const advice = [
  [400, 2, "Correct the request as the message says."],
  [401, 3, "The key is wrong or was revoked: download this skill again with a key that works."],
  [402, 4, "The prepaid balance is used up: ask the account holder to top it up. Do not retry."],
  [403, 3, "The account may not do this: ask the operator of the service. Do not retry."],
  [404, 2, "Use a model or a job that exists: GET /v1/models and GET /v1/jobs list them."],
  [
    409,
    2,
    "The job was cancelled or is over already: read the message, and run this anew if need be.",
  ],
  [422, 2, "Correct the request as the message says. A prompt against the policy must be changed."],
  [429, 5, "Too many requests or unfinished jobs: wait a minute, then run this again."],
  [451, 2, "Nobody may make this image. Do not rephrase it to get around the refusal."],
  [
    500,
    6,
    "A failure of the service: run this again; if the error persists, send the request or job id to the operator.",
  ],
  [
    502,
    6,
    "The model's provider failed, and nothing was charged: run this again or use another model.",
  ],
  [503, 5, "The service cannot do it now: run this again in a minute, with no key that was used."],
];

/** Runs a script; prints every error with what to do, and sets the exit code by its kind. */
export async function run(usage, script) {
  if (process.argv.slice(2).some((argument) => argument === "--help" || argument === "-h")) {
    print(usage);
    return;
  }
  try {
    await script();
  } catch (error) {
    const { code, lines } = explain(error);
    for (const line of lines) say(line);
    process.exitCode = code;
  }
}

function explain(error) {
  if (error instanceof UsageError) return { code: 2, lines: [error.message] };
  if (error instanceof ServiceError) {
    const { status, body } = error;
    const details = body.details == null ? [] : [`details: ${JSON.stringify(body.details)}`];
    const request = body.request_id == null ? [] : [`request id: ${body.request_id}`];
    const [, code = 1, what = "Nothing was charged. Read the message, and try again."] =
      advice.find(([known]) => known === status) ?? [];
    const lines = [`${body.error}: ${body.message}`, ...details, ...request, `what to do: ${what}`];
    return { code, lines };
  }
  if (error.cause !== undefined || error.name === "TimeoutError") {
    const reason = error.cause?.code ?? error.cause?.message ?? error.message;
    return {
      code: 6,
      lines: [
        `The service could not be reached: ${reason}.`,
        "what to do: check that ATELIER_URL is right and reachable from here, then run this again.",
      ],
    };
  }
  return { code: error.code?.startsWith("ERR_PARSE_ARGS") ? 2 : 1, lines: [error.message] };
}
