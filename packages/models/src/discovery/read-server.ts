import * as z from "zod";
import { CallEnded } from "../providers/http/call-ended.ts";
import { createSend } from "../providers/http/send.ts";

/** A server that was asked for its models, and what to do when it does not say. */
export interface ServerToRead {
  /** Name of the provider, for messages. */
  readonly provider: string;
  readonly baseUrl: string;
  /** Headers that contain the key. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Reads a path of a server. */
export type ReadServer = <T>(
  path: string,
  schema: z.ZodType<T>,
  /** The advice when the server has no such path. */
  advice: string,
) => Promise<T>;

/** Creates the function that reads a server. It throws an Error that says what is wrong and what to do. */
export function createReadServer({
  provider,
  baseUrl,
  credentials,
  signal,
}: ServerToRead): ReadServer {
  const send = createSend({ baseUrl, credentials, connectTimeoutMs: 5_000 });
  return async (path, schema, advice) => {
    const url = `${baseUrl.replace(/(?<!\/)\/+$/, "")}/${path}`;
    const response = await send({ method: "GET", url: path, signal, purpose: "poll" }).catch(
      (error: unknown) => {
        if (!(error instanceof CallEnded)) throw error;
        const { outcome } = error;
        const why = "message" in outcome ? outcome.message : outcome.kind;
        throw new Error(
          `${url} does not respond: ${why}. Start the server, or correct the address of "${provider}" in PROVIDERS_FILE.`,
          { cause: error },
        );
      },
    );
    const { status, body } = response;
    if (status === 401 || status === 403) {
      throw new Error(
        `${url} refuses the key (status ${status}). Name its variable in api_key_env of "${provider}" in PROVIDERS_FILE.`,
      );
    }
    if (status !== 200) throw new Error(`${url} responds with status ${status}. ${advice}`);
    const parsed = schema.safeParse(parseJson(body));
    if (parsed.success) return parsed.data;
    throw new Error(
      `${url} responds in another format:\n${z.prettifyError(parsed.error)}\nCheck the kind of "${provider}" in PROVIDERS_FILE.`,
    );
  };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
