import type { KeptCharacter, KeptLocation } from "@atelier/client";
import { UsageError } from "@atelier/configuration";
import { properties, type Answer } from "../answer.ts";
import { megabytes } from "../megabytes.ts";
import type { Caller } from "./call.ts";
import { describeCost } from "./describe-cost.ts";
import { firstModel } from "./first-model.ts";
import { uploadFile } from "./upload.ts";

export type MemberKind = "character" | "location";

export interface KeepFlags {
  readonly idempotencyKey?: string;
}

/** Keeps a character or location of a story, and prints its id. */
export async function keep(
  { atelier, follow }: Caller,
  kind: MemberKind,
  { jobId, name, idempotencyKey }: KeepFlags & { readonly jobId: string; readonly name: string },
): Promise<Answer> {
  const body = { story_job_id: jobId, name };
  const options = { signal: follow.signal, idempotencyKey };
  const member =
    kind === "character"
      ? await atelier.characters.create(body, options)
      : await atelier.locations.create(body, options);
  return {
    json: member,
    text: member.id,
    note: `Stories use it as {"${kind}_id": "${member.id}"}.`,
  };
}

export interface DrawFlags {
  /** Default: the first one of the key. */
  readonly model?: string;
  readonly style?: string;
  readonly seed?: number;
  readonly idempotencyKey?: string;
}

/** Has a character or location drawn, waits for it, and prints its id. */
export async function draw(
  caller: Caller,
  kind: MemberKind,
  {
    name,
    description,
    model,
    style,
    seed,
    idempotencyKey,
  }: DrawFlags & { readonly name: string; readonly description: string },
): Promise<Answer> {
  const { atelier, follow } = caller;
  const calls = kind === "character" ? atelier.characters : atelier.locations;
  const { id, job_id } = await calls.draw(
    {
      name,
      description,
      model: model ?? (await firstModel(caller, "story")),
      ...(style !== undefined && { style }),
      ...(seed !== undefined && { seed }),
    },
    { signal: follow.signal, idempotencyKey },
  );
  const job = await atelier.jobs.wait(job_id, follow);
  const note = `Stories use it as {"${kind}_id": "${id}"}. ${describeCost(job.result)}`;
  return { json: { id, job }, text: id, note };
}

/** The columns of a list of characters or locations. */
export const columns = {
  ID: "id",
  NAME: "name",
  STATES: describeStates,
  MB: ({ size_bytes }: Pick<KeptLocation, "size_bytes">) => megabytes(size_bytes),
  CREATED: "created_at",
} as const;

export function describe(member: KeptCharacter | KeptLocation): Answer {
  const rows: (readonly [string, string | null])[] = [
    ["Id", member.id],
    ["Name", member.name],
    ["Status", member.status],
    ["Description", member.description],
    ["States", describeStates(member)],
    ["Image", member.reference_url ?? null],
    ["Story", member.story_job_id],
    ["Size", `${megabytes(member.size_bytes)} MB`],
    ["Created", member.created_at],
  ];
  const known = rows.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  return { json: member, text: properties(known) };
}

export interface ChangeFlags {
  readonly name?: string;
  readonly description?: string;
  /** A file. */
  readonly image?: string;
  /** The key of a state to add or change. */
  readonly state?: string;
  readonly stateDescription?: string;
  /** A file. */
  readonly stateImage?: string;
  /** The key of a state to remove. */
  readonly removeState?: string;
}

/** Changes a character or location; images are uploaded first. */
export async function change(
  caller: Caller,
  kind: MemberKind,
  id: string,
  flags: ChangeFlags,
): Promise<Answer> {
  const { atelier, follow } = caller;
  const { name, description, state, removeState } = flags;
  if (state === undefined && (flags.stateDescription ?? flags.stateImage) !== undefined) {
    throw new UsageError("--state-description and --state-image need --state");
  }
  const image = async (file: string | undefined) =>
    file === undefined ? {} : { reference: { upload_id: (await uploadFile(caller, file)).id } };
  const states = {
    ...(state !== undefined && {
      [state]: {
        ...(flags.stateDescription !== undefined && { description: flags.stateDescription }),
        ...(await image(flags.stateImage)),
      },
    }),
    ...(removeState !== undefined && { [removeState]: null }),
  };
  const changed = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(await image(flags.image)),
  };
  const options = { signal: follow.signal };
  const member =
    kind === "character"
      ? await atelier.characters.update(
          id,
          { ...changed, ...(Object.keys(states).length > 0 && { states }) },
          options,
        )
      : await atelier.locations.update(id, changed, options);
  return { json: member, text: `The ${kind} is changed.` };
}

/** Deletes a character or location with its images. */
export async function remove(
  { atelier, follow }: Caller,
  kind: MemberKind,
  id: string,
): Promise<Answer> {
  const calls = kind === "character" ? atelier.characters : atelier.locations;
  await calls.delete(id, { signal: follow.signal });
  return { json: { id, deleted: true }, text: `The ${kind} is deleted.` };
}

function describeStates({
  states = [],
}: Pick<KeptLocation, "id"> & Partial<Pick<KeptCharacter, "states">>): string | null {
  return states.length === 0 ? null : states.map(({ state }) => state).join(", ");
}
