import type * as z from "zod";
import { ClassifierDown } from "./classifier.ts";

export interface RemoteOptions {
  /** With its version, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Null for a server without keys. */
  readonly apiKey: string | null;
  readonly model: string;
  /** The longest that one judgement may take. */
  readonly timeoutMs: number;
}

const maxAnswerBytes = 1024 * 1024;

/**
 * Asks a model elsewhere. Redirects are not followed: the key would go along.
 *
 * @throws ClassifierDown for whatever is no answer of the expected form, in time.
 * @throws the signal's reason when the caller aborts.
 */
export async function postJson<T>(
  { baseUrl, apiKey, timeoutMs }: RemoteOptions,
  path: string,
  body: object,
  schema: z.ZodType<T>,
  signal: AbortSignal,
): Promise<T> {
  try {
    const response = await fetch(`${baseUrl}/${path}`, {
      method: "POST",
      redirect: "error",
      headers: {
        "Content-Type": "application/json",
        ...(apiKey === null ? {} : { Authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new ClassifierDown(`status ${response.status}`);
    }
    return schema.parse(JSON.parse(await readText(response)));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ClassifierDown) throw error;
    // The response body is left out: it may repeat the prompt.
    throw new ClassifierDown(error instanceof Error ? error.name : "no answer");
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxAnswerBytes) throw new ClassifierDown("an answer that is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
