import type { DueDelivery } from "@atelier/events";
import type { FoundGeneration } from "@atelier/generations";
import { presentListedJob, type Sign } from "@atelier/presentation";

/** The id of an event for receivers, also when it is sent again. */
export function messageId({ eventId }: Pick<DueDelivery, "eventId">): string {
  return `evt_${eventId}`;
}

/**
 * Writes the body of a delivery: the event, and the job as it is now, without its prompt.
 *
 * @param generation of the event; null for an event of the account, or when it was erased.
 * @param sign signs URLs that are valid from now on.
 */
export async function writePayload(
  delivery: DueDelivery,
  generation: FoundGeneration | null,
  sign: Sign,
): Promise<string> {
  const job = generation === null ? null : await presentListedJob(generation, sign);
  return JSON.stringify({
    type: delivery.type,
    timestamp: delivery.createdAt.toISOString(),
    data: job === null ? (delivery.data ?? {}) : withoutPrompt(job),
  });
}

function withoutPrompt<Job extends { readonly prompt: unknown }>({ prompt: _prompt, ...job }: Job) {
  return job;
}
