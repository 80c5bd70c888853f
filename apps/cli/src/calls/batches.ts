import { readFile } from "node:fs/promises";
import type { Batch } from "@atelier/client";
import { UsageError } from "@atelier/configuration";
import type { ImageFormat } from "@atelier/schemas";
import { properties, type Answer } from "../answer.ts";
import type { Caller } from "./call.ts";
import { saveFile } from "./save-images.ts";

export interface CreateFlags {
  readonly webhookUrl?: string;
  readonly idempotencyKey?: string;
}

/** Creates a batch of a file of JSON lines, and prints its id. */
export async function create(
  { atelier, follow }: Caller,
  file: string,
  { idempotencyKey, webhookUrl }: CreateFlags,
): Promise<Answer> {
  const bytes = await readFile(file).catch((cause: Error) => {
    throw new UsageError(`Cannot read ${file}: ${cause.message}`, { cause });
  });
  const options = { signal: follow.signal, idempotencyKey, webhookUrl };
  const batch = await atelier.batches.createFromFile(new Uint8Array(bytes), options);
  const command = `atelier batches wait ${batch.id}`;
  return {
    json: batch,
    text: batch.id,
    note: `${batch.counts.total} requests. Wait for them: ${command}`,
  };
}

/** Waits until all lines of a batch have ended. */
export async function wait({ atelier, follow }: Caller, batchId: string): Promise<Answer> {
  return describe(await atelier.batches.wait(batchId, { signal: follow.signal }));
}

export interface ResultsFlags {
  readonly output?: string;
}

/** Saves the lines that have ended as JSON lines. */
export async function results(
  { atelier, follow }: Caller,
  batchId: string,
  { output = `atelier-${batchId}.jsonl` }: ResultsFlags,
): Promise<Answer> {
  const lines: string[] = [];
  for await (const result of atelier.batches.results(batchId, { signal: follow.signal })) {
    lines.push(`${JSON.stringify(result)}\n`);
  }
  await saveFile(output, Buffer.from(lines.join("")));
  return { json: { file: output, lines: lines.length }, text: output };
}

export interface ArchiveFlags {
  readonly output?: string;
  readonly format?: ImageFormat;
  readonly afterLine?: string;
}

/** Saves the images of lines of a batch as a ZIP. */
export async function archive(
  { atelier, follow }: Caller,
  batchId: string,
  { output = `atelier-${batchId}.zip`, format, afterLine = "0" }: ArchiveFlags,
): Promise<Answer> {
  if (!/^\d{1,5}$/.test(afterLine)) throw new UsageError("--after-line must be a line number.");
  const query = { format, after_line: Number(afterLine) };
  const bytes = await atelier.batches.archive(batchId, query, { signal: follow.signal });
  await saveFile(output, bytes);
  return { json: { file: output, size_bytes: bytes.length }, text: output };
}

export function describe(batch: Batch): Answer {
  const { id, status, counts, cost_eur, created_at, completed_at, waiting_for, error } = batch;
  const rows: (readonly [string, string | null])[] = [
    ["Batch", id],
    ["Status", status],
    ["Lines", String(counts.total)],
    ["Waiting", String(counts.waiting)],
    ["Processing", String(counts.processing)],
    ["Completed", String(counts.completed)],
    ["Failed", String(counts.failed)],
    ["Cancelled", String(counts.cancelled)],
    ["Cost", `${cost_eur} EUR`],
    ["Created", created_at],
    ["Ended", completed_at],
    ["Waits for", waiting_for && `${waiting_for.error}: ${waiting_for.message}`],
    ["Error", error && `${error.error}: ${error.message}`],
  ];
  const known = rows.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  return { json: batch, text: properties(known) };
}
