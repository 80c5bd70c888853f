import * as z from "zod";
import { newName, nextCursor, optional, pageQuery, timestamp } from "../fields.ts";
import { operation } from "../operations.ts";
import { noBase64 } from "../request-fields.ts";
import { endpoint, json } from "./endpoint.ts";

/** Maximum size of the request of a preset as JSON, in bytes. */
const maxRequestBytes = 40_000;

/** The id of a preset, in lower case, as stored. */
const presetId = z.uuid().toLowerCase();

const request = z.record(z.string(), z.unknown());

function isSmall(value: z.infer<typeof request>): boolean {
  return new TextEncoder().encode(JSON.stringify(value)).byteLength <= maxRequestBytes;
}

/** Whether the images of a request are named and not in it; texts of the client have no images. */
function hasNoImages(value: unknown, path: readonly string[] = []): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (path[0] === "metadata" || path[0] === "parameters") return true;
  if (!Array.isArray(value) && Object.hasOwn(value, "base64")) return false;
  return Object.entries(value).every(([name, inner]) => hasNoImages(inner, [...path, name]));
}

/** The most bytes of a picture of a preset. */
export const maxPictureBytes = 8_192;

/** The beginnings of WebP, JPEG and PNG files in base64; the size of a WebP comes before its name. */
const pictureStart = /^(?:UklGR[A-Za-z0-9+/]{6}XRUJQ|\/9j\/|iVBORw0KGgo)/;

function isSmallPicture(base64: string): boolean {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return (base64.length / 4) * 3 - padding <= maxPictureBytes;
}

const picture = z
  .base64("must be base64")
  .refine(isSmallPicture, `must have at most ${maxPictureBytes.toLocaleString("en")} bytes`)
  .regex(pictureStart, "must be a WebP, JPEG or PNG file");

/** Body of `POST /v1/presets`. */
export const newPreset = z
  .strictObject({
    name: newName.meta({ examples: ["Cover in watercolour"] }),
    operation: operation.meta({ description: "The operation whose requests it is for." }),
    request: request
      .refine(isSmall, `must have at most ${maxRequestBytes.toLocaleString("en")} bytes as JSON`)
      .refine((value) => hasNoImages(value), `has base64, which ${noBase64}`)
      .meta({
        description:
          "Some or all properties of a request of this operation, at most 40,000 bytes as JSON. They are stored as they are and checked when a request with them is sent.",
      }),
    picture: optional(picture).meta({
      description:
        "A small WebP, JPEG or PNG file of at most 8,192 bytes in base64, which is stored with the preset. Studio offers presets of images that have a picture as styles: it adds their prompt to another one.",
    }),
  })
  .meta({ id: "NewPreset" });
export type NewPreset = z.infer<typeof newPreset>;

/** The stored properties of a preset, besides its name. */
export type PresetValues = Pick<NewPreset, "operation" | "request"> & {
  readonly picture?: string | null | undefined;
};

export const preset = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    operation,
    request,
    picture: z.string().nullable().meta({ description: "In base64; null without one." }),
    created_at: timestamp,
    saved_at: timestamp.meta({ description: "When it was saved last." }),
  })
  .meta({ id: "Preset", description: "Properties of a request, saved under a name." });
export type Preset = z.infer<typeof preset>;

/** Query of `GET /v1/presets`. */
export const listPresetsQuery = pageQuery("presets");

/** 200 of `GET /v1/presets`. */
export const presetList = z
  .strictObject({
    presets: z.array(preset).meta({ description: "The newest first." }),
    next_cursor: nextCursor,
  })
  .meta({ id: "PresetList" });
export type PresetList = z.infer<typeof presetList>;

const tag = "Presets";

const sample: Preset = {
  id: "019a9f55-8c1e-7a40-9d27-6e3f0b8a5c12",
  name: "Cover in watercolour",
  operation: "image",
  request: { model: "builtin-illustrator", aspect_ratio: "3:4", negative_prompt: "text" },
  picture: null,
  created_at: "2026-11-21T10:14:00.000Z",
  saved_at: "2026-11-21T10:14:00.000Z",
};

const params = {
  id: presetId.meta({ description: "The id of a preset.", examples: [sample.id] }),
};
const one = (description: string) => json(description, preset, { preset: ["A preset", sample] });

export const savePreset = endpoint({
  id: "savePreset",
  route: "POST /v1/presets",
  tag,
  summary: "Save a preset",
  description:
    "Saves properties of a request under a name, in place of the preset that has the name. An account may have 200 presets. Needs the scopes `read` and `generate`. Can be repeated.",
  scope: ["read", "generate"],
  body: {
    schema: newPreset,
    examples: {
      preset: [
        "A preset",
        { name: sample.name, operation: sample.operation, request: sample.request },
      ],
    },
  },
  results: { 200: one("The preset of this name, replaced."), 201: one("The new preset.") },
  errors: ["too_many_items"],
});

export const listPresets = endpoint({
  id: "listPresets",
  route: "GET /v1/presets",
  tag,
  summary: "List presets",
  description: "The presets of the account, the newest first; those of test keys with a test key.",
  scope: ["read"],
  query: listPresetsQuery,
  results: {
    200: json("A page of presets.", presetList, {
      page: ["One preset", { presets: [sample], next_cursor: null }],
    }),
  },
});

export const readPreset = endpoint({
  id: "readPreset",
  route: "GET /v1/presets/{id}",
  tag,
  summary: "Read a preset",
  description: "Returns the preset as it was saved last.",
  scope: ["read"],
  params,
  results: { 200: one("The preset.") },
  errors: ["preset_not_found"],
});

export const deletePreset = endpoint({
  id: "deletePreset",
  route: "DELETE /v1/presets/{id}",
  tag,
  summary: "Delete a preset",
  description: "Deletes the preset; jobs that were made with it stay.",
  scope: ["read", "generate"],
  params,
  results: { 204: "The preset is deleted." },
  errors: ["preset_not_found"],
});

/** `/v1/presets`. */
export const presetEndpoints = [savePreset, listPresets, readPreset, deletePreset] as const;
