import type { DueDelivery } from "@atelier/events";
import type { FoundGeneration } from "@atelier/generations/jobs";
import { presentListedJob, type Sign } from "@atelier/presentation";
import type { ListedJob } from "@atelier/schemas";

/** The id of an event for receivers, also when it is sent again. */
export function messageId({ eventId }: Pick<DueDelivery, "eventId">): string {
  return `evt_${eventId}`;
}

/**
 * Writes the body of a delivery: the event, and the job as it is now, without text of its request.
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
    data:
      job === null || generation === null ? (delivery.data ?? {}) : withoutText(job, generation),
  });
}

/**
 * Removes the prompts of a job and of the image that it changes, what is derived from prompts, and names of
 * characters and locations: the titles of scenes, a title that was not given, and messages of errors, which can
 * quote the request.
 */
function withoutText(
  { prompt: _prompt, ...job }: ListedJob,
  { request, note }: Pick<FoundGeneration, "request" | "note">,
) {
  const { renders, result, error, source } = job;
  const given = givenTitle(request);
  return {
    ...job,
    title: note?.title ?? given,
    source: source && { ...source, prompt: null },
    ...(renders !== undefined && { renders: renders.map((one) => ({ ...one, name: null })) }),
    result: result === null ? null : resultWithoutText(result, given),
    error:
      error === null
        ? null
        : { error: error.error, message: "Read the job for the message.", details: null },
  };
}

/** The title that a request gives a story; null without one, and without the request. */
function givenTitle(request: unknown): string | null {
  const body = typeof request === "object" && request !== null ? request : {};
  return "title" in body && typeof body.title === "string" ? body.title : null;
}

function resultWithoutText(result: NonNullable<ListedJob["result"]>, given: string | null) {
  const { title: _title, warnings: _warnings, scenes, characters, locations, ...rest } = result;
  return {
    ...rest,
    ...(given !== null && { title: given }),
    ...(scenes && { scenes: scenes.map(({ title: _sceneTitle, ...scene }) => scene) }),
    ...(characters && { characters: characters.map(withoutName) }),
    ...(locations && { locations: locations.map(withoutName) }),
  };
}

function withoutName<Named extends { readonly name: string }>({ name: _name, ...rest }: Named) {
  return rest;
}
