import * as z from "zod";
import { cursor, pageSize } from "../../fields.ts";
import { endpoint, json } from "../endpoint.ts";

const tag = "Presets";
const tinyId = "019a9f55-8c1e-7a40-9d27-6e3f0b8a5c13";

const newTiny = z.strictObject({ name: z.string().max(10) }).meta({ id: "NewTiny" });
const tiny = z.strictObject({ id: z.uuid(), name: z.string() }).meta({ id: "Tiny" });
const tinyList = z
  .strictObject({ tinies: z.array(tiny), next_cursor: z.string().nullable() })
  .meta({ id: "TinyList" });

const sample = { id: tinyId, name: "One" };

export const createTiny = endpoint({
  id: "createTiny",
  route: "POST /v1/tinies",
  tag,
  summary: "Create a tiny resource",
  description: "For tests.",
  scope: ["read", "generate"],
  body: { schema: newTiny, examples: { one: ["One", { name: "One" }] } },
  results: {
    200: json("The one of this name.", tiny, { one: ["One", sample] }),
    201: json("The new one.", tiny, { one: ["One", sample] }),
  },
  errors: ["too_many_items"],
});

export const listTinies = endpoint({
  id: "listTinies",
  route: "GET /v1/tinies",
  tag,
  summary: "List tiny resources",
  description: "For tests.",
  scope: ["read"],
  query: z.strictObject({ limit: pageSize, cursor }),
  results: {
    200: json("A page.", tinyList, { one: ["One", { tinies: [sample], next_cursor: null }] }),
  },
});

export const deleteTiny = endpoint({
  id: "deleteTiny",
  route: "DELETE /v1/tinies/{id}",
  tag,
  summary: "Delete a tiny resource",
  description: "For tests.",
  scope: ["read", "generate"],
  params: { id: z.uuid().meta({ description: "The id of a tiny one.", examples: [tinyId] }) },
  results: { 204: "It is deleted." },
  errors: ["preset_not_found"],
});

/** A resource that only tests have, for what follows from a record. */
export const tinyEndpoints = [createTiny, listTinies, deleteTiny] as const;
