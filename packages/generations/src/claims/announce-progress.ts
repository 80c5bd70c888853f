import type { Database } from "@atelier/database";
import { renderProgress, type RenderProgress } from "@atelier/schemas";
import * as z from "zod";

/** Postgres channel of the progress of renders. Nothing of it is stored. */
export const progressChannel = "render_progress";

const announced = z.object({
  accountId: z.uuid(),
  generationId: z.uuid(),
  progress: renderProgress,
});
export type AnnouncedProgress = z.infer<typeof announced>;

/** Tells the API processes how far a render is: in the notifier's next batch, outside of transactions. */
export function announceProgress(
  database: Pick<Database, "notify">,
  { accountId, generationId }: Omit<AnnouncedProgress, "progress">,
  progress: RenderProgress,
): void {
  database.notify(progressChannel, JSON.stringify({ accountId, generationId, progress }));
}

/** Reads a notification; null for one of another version. */
export function readProgress(payload: string): AnnouncedProgress | null {
  try {
    return announced.parse(JSON.parse(payload));
  } catch {
    return null;
  }
}
