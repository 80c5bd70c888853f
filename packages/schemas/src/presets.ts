import * as z from "zod";
import { cursor, newName, pageSize, timestamp } from "./fields.ts";
import { operation } from "./operations.ts";

/** Maximum size of the request of a preset as JSON, in bytes. */
const maxRequestBytes = 40_000;

/** The id of a preset, in lower case, as stored. */
export const presetId = z.uuid().toLowerCase();

const request = z.record(z.string(), z.unknown());

function isSmall(value: z.infer<typeof request>): boolean {
  return new TextEncoder().encode(JSON.stringify(value)).byteLength <= maxRequestBytes;
}

/** Body of `POST /v1/presets`. */
export const newPreset = z
  .strictObject({
    name: newName.meta({ examples: ["Cover in watercolour"] }),
    operation: operation.meta({ description: "The operation whose requests it is for." }),
    request: request
      .refine(isSmall, `must have at most ${maxRequestBytes.toLocaleString("en")} bytes as JSON`)
      .meta({
        description:
          "Some or all properties of a request of this operation, at most 40,000 bytes as JSON. They are stored as they are and checked when a request with them is sent.",
      }),
  })
  .meta({ id: "NewPreset" });
export type NewPreset = z.infer<typeof newPreset>;

export const preset = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    operation,
    request,
    created_at: timestamp,
    saved_at: timestamp.meta({ description: "When it was saved last." }),
  })
  .meta({ id: "Preset", description: "Properties of a request, saved under a name." });
export type Preset = z.infer<typeof preset>;

/** Query of `GET /v1/presets`. */
export const listPresetsQuery = z.strictObject({
  limit: pageSize.meta({ description: "Maximum number of presets per page." }),
  cursor,
});

/** 200 of `GET /v1/presets`. */
export const presetList = z
  .strictObject({
    presets: z.array(preset).meta({ description: "The newest first." }),
    next_cursor: z.string().nullable().meta({ description: "Null on the last page." }),
  })
  .meta({ id: "PresetList" });
export type PresetList = z.infer<typeof presetList>;
