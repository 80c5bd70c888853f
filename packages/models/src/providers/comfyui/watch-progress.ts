import * as z from "zod";
import type { CallProgress } from "../../provider.ts";

/** Steps of the node that runs: a sampler, or another node with steps such as an upscaler. */
const messageSchema = z.object({
  type: z.literal("progress"),
  data: z.object({
    value: z.number().min(0),
    max: z.number().positive(),
    prompt_id: z.string().optional(),
  }),
});

/**
 * Receives the progress of a client's jobs over ComfyUI's WebSocket until the signal aborts. Other messages,
 * previews among them, are ignored. When the connection fails, there is no progress.
 *
 * @param job.clientId `client_id` of the job.
 */
export async function watchProgress(
  job: { readonly id: string; readonly clientId: string },
  options: {
    readonly baseUrl: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
    readonly onProgress: (progress: CallProgress) => void;
  },
): Promise<void> {
  const { baseUrl, headers, signal, onProgress } = options;
  const { WebSocket } = await import("undici");
  if (signal.aborted) return;
  const url = new URL("ws", baseUrl.endsWith("/") ? baseUrl : `${baseUrl}/`);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.searchParams.set("clientId", job.clientId);
  const socket = new WebSocket(url, { headers: { ...headers } });
  socket.addEventListener("message", ({ data }) => {
    const message = typeof data === "string" ? readMessage(data) : null;
    if (message === null || (message.prompt_id ?? job.id) !== job.id) return;
    const { value: step, max: of } = message;
    onProgress({
      progress: step / of,
      ...(Number.isInteger(step) && Number.isInteger(of) ? { step, of } : { step: null, of: null }),
    });
  });
  // Without a listener, a failed connection would be an uncaught error.
  socket.addEventListener("error", () => undefined);
  signal.addEventListener("abort", () => socket.close(), { once: true });
}

function readMessage(text: string): z.infer<typeof messageSchema>["data"] | null {
  try {
    return messageSchema.parse(JSON.parse(text)).data;
  } catch {
    return null;
  }
}
