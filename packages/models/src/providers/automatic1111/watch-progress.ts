import * as z from "zod";
import type { CallProgress } from "../../provider.ts";
import { findJson } from "../http/read-json.ts";
import type { Send } from "../http/send.ts";
import { wait } from "../http/wait.ts";

const taskSchema = z.object({ active: z.boolean() });
const progressSchema = z.object({
  progress: z.number(),
  state: z.object({ sampling_step: z.int().min(0), sampling_steps: z.int().min(0) }),
});

/**
 * Asks how far a task is until the signal aborts. The server makes one image at a time and reports the
 * progress of that image alone, so it is asked first whether that is this task's. A server that does not say
 * (without its user interface, `--nowebui`) is not asked again.
 *
 * @param taskId `force_task_id` of the request for the image.
 */
export async function watchProgress(
  taskId: string,
  options: {
    readonly send: Send;
    readonly intervalMs: number;
    readonly signal: AbortSignal;
    readonly onProgress: (progress: CallProgress) => void;
  },
): Promise<void> {
  const { send, intervalMs, signal, onProgress } = options;
  const purpose = "poll";
  try {
    for (;;) {
      await wait(intervalMs, signal);
      const task = await send({
        method: "POST",
        url: "internal/progress",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ id_task: taskId, live_preview: false }),
        signal,
        purpose,
      });
      const active = task.status === 200 ? findJson(task, taskSchema)?.active : undefined;
      if (active === undefined) return;
      if (!active) continue;
      const url = "sdapi/v1/progress?skip_current_image=true";
      const response = await send({ method: "GET", url, signal, purpose });
      const known = findJson(response, progressSchema);
      if (response.status !== 200 || known === null) return;
      const { sampling_step: step, sampling_steps: of } = known.state;
      onProgress({
        progress: known.progress,
        ...(of > 0 ? { step, of } : { step: null, of: null }),
      });
    }
  } catch {
    // The call has ended, or progress cannot be read: the image does not depend on it.
  }
}
