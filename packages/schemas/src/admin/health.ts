import * as z from "zod";
import { eur, timestamp } from "../fields.ts";
import { endpoint, json } from "../endpoints/endpoint.ts";

const tag = "Health";

const lane = z
  .strictObject({
    name: z.string().meta({ description: "Name of the lane and of its provider." }),
    is_paused: z.boolean().nullable().meta({ description: "Null if the queue does not answer." }),
    can_pause: z.boolean().meta({
      description: "False for a server of a provider, and for a lane that no provider has now.",
    }),
    waiting: z.int().meta({ description: "Images that are ready for a worker." }),
    running: z.int(),
    oldest_seconds: z.number().meta({
      description: "Since the oldest with a waiting image was accepted; 0 if none waits.",
    }),
    oldest_job_id: z.uuid().nullable(),
    accounts: z
      .array(
        z.strictObject({
          id: z.uuid(),
          name: z.string(),
          waiting: z.int(),
          running: z.int(),
        }),
      )
      .meta({
        description: "Up to five accounts with the most images that wait or are in work.",
      }),
    circuit: z
      .strictObject({
        state: z.enum(["closed", "open", "half_open"]).meta({
          description: "`open`: the provider is not called until `open_until`.",
        }),
        failures: z.int().meta({ description: "Images in a row whose calls failed." }),
        reason: z.string().nullable(),
        open_until: timestamp.nullable(),
        changed_at: timestamp.nullable(),
      })
      .meta({ description: "The circuit breaker of the provider." }),
    last_hour: z
      .strictObject({
        calls: z.int(),
        failed_calls: z.int(),
        error_rate: z.number().nullable().meta({ description: "From 0 to 1; null without calls." }),
        errors: z
          .array(
            z.strictObject({
              kind: z.string().meta({ examples: ["rate_limited", "unavailable", "timed_out"] }),
              count: z.int(),
              last_at: timestamp,
            }),
          )
          .meta({ description: "The failed calls by kind, that of the last one first." }),
        is_complete: z.boolean().meta({
          description: "False if only the newest calls were counted.",
        }),
      })
      .meta({ description: "Ended calls of the provider. Refusals of a prompt are not failures." }),
    models: z.array(
      z.strictObject({
        id: z.string(),
        from_eur: eur.meta({ description: "The lowest price of an image." }),
        to_eur: eur.meta({ description: "The highest price of an image." }),
      }),
    ),
  })
  .meta({ id: "AdminLane" });

const worker = z
  .strictObject({
    id: z.uuid().meta({ description: "Of this run of the process." }),
    host: z.string(),
    version: z.string(),
    lanes: z.array(z.string()),
    started_at: timestamp,
    seen_at: timestamp.meta({ description: "Its last heartbeat." }),
    is_silent: z.boolean().meta({
      description: "Whether it has missed several heartbeats: it hangs or was killed.",
    }),
    replaced_by: z.uuid().nullable().meta({
      description:
        "Of a silent one: the worker that began after it fell silent and serves its lanes; null without one.",
    }),
  })
  .meta({ id: "AdminWorker" });

const health = z
  .strictObject({ lanes: z.array(lane), workers: z.array(worker) })
  .meta({ id: "AdminHealth" });
export type AdminHealth = z.infer<typeof health>;

const sample: AdminHealth = {
  lanes: [
    {
      name: "builtin",
      is_paused: false,
      can_pause: true,
      waiting: 2,
      running: 1,
      oldest_seconds: 1.4,
      oldest_job_id: "019a9f3c-5f0e-7c31-9b7d-3f5a2c8e1d46",
      accounts: [
        {
          id: "019a9f57-2b40-7f15-8c9a-4d7e10b3a6f2",
          name: "Marzipan Ltd",
          waiting: 2,
          running: 1,
        },
      ],
      circuit: { state: "closed", failures: 0, reason: null, open_until: null, changed_at: null },
      last_hour: {
        calls: 120,
        failed_calls: 3,
        error_rate: 0.025,
        errors: [{ kind: "timed_out", count: 3, last_at: "2026-11-30T10:02:10.000Z" }],
        is_complete: true,
      },
      models: [{ id: "builtin-illustrator", from_eur: "0.01", to_eur: "0.04" }],
    },
  ],
  workers: [
    {
      id: "019aa1c2-9f00-7a1b-8c2d-3e4f50617283",
      host: "worker-1",
      version: "0.4.0",
      lanes: ["builtin"],
      started_at: "2026-11-30T08:00:00.000Z",
      seen_at: "2026-11-30T10:14:50.000Z",
      is_silent: false,
      replaced_by: null,
    },
  ],
};

export const readHealth = endpoint({
  id: "readHealth",
  route: "GET /admin/v1/health",
  tag,
  summary: "Read the health of lanes and workers",
  description:
    "The lanes with their queues, providers and prices, and the workers of the last 24 hours.",
  scope: [],
  results: { 200: json("The health.", health, { health: ["One lane and worker", sample] }) },
});

const params = {
  name: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: "The name of a lane.", examples: ["builtin"] }),
};
const results = {
  200: json(
    "The lane.",
    z.strictObject({ name: z.string(), is_paused: z.boolean() }).meta({ id: "ChangedLane" }),
    { lane: ["A lane", { name: "builtin", is_paused: true }] },
  ),
} as const;

export const pauseLane = endpoint({
  id: "pauseLane",
  route: "POST /admin/v1/lanes/{name}/pause",
  tag,
  summary: "Pause a lane",
  description:
    "Workers begin no image of the lane until it is resumed; those in work are finished. Waiting jobs still fail at their deadline.",
  scope: [],
  params,
  results,
  errors: ["lane_not_found", "change_refused"],
  recorded: { action: "lanes pause", fields: ["is_paused"] },
});

export const resumeLane = endpoint({
  id: "resumeLane",
  route: "POST /admin/v1/lanes/{name}/resume",
  tag,
  summary: "Resume a lane",
  description: "Workers begin images of a paused lane again.",
  scope: [],
  params,
  results,
  errors: ["lane_not_found", "change_refused"],
  recorded: { action: "lanes resume", fields: ["is_paused"] },
});

/** `/admin/v1/health` and `/admin/v1/lanes`. */
export const healthEndpoints = [readHealth, pauseLane, resumeLane] as const;
