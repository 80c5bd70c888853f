import {
  listPresetsQuery,
  newPreset,
  preset,
  presetId,
  presetList,
  type Preset,
} from "@atelier/schemas";
import * as z from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { errorResponses, keyedErrors } from "../error-responses.ts";
import { headerReferences, rateHeaders } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import { examples, jsonResponse } from "./responses.ts";

const sample: Preset = {
  id: "019a9f55-8c1e-7a40-9d27-6e3f0b8a5c12",
  name: "Cover in watercolour",
  operation: "image",
  request: { model: "builtin-illustrator", aspect_ratio: "3:4", negative_prompt: "text" },
  created_at: "2026-11-21T10:14:00.000Z",
  saved_at: "2026-11-21T10:14:00.000Z",
};

/** `/v1/presets`. */
export function presetOperations(): ZodOpenApiPathsObject {
  const tags = ["Presets"];
  const path = z.strictObject({
    id: presetId.meta({ description: "The id of a preset.", examples: [sample.id] }),
  });
  const respond = (description: string) =>
    jsonResponse(
      description,
      { schema: preset, examples: examples({ preset: ["A preset", sample] }) },
      rateHeaders,
    );
  const { name, operation, request } = sample;
  return {
    "/v1/presets": {
      post: {
        operationId: "savePreset",
        tags,
        summary: "Save a preset",
        description:
          "Saves properties of a request under a name, in place of the preset that has the name. An account may have 200 presets. Needs the scopes `read` and `generate`. Can be repeated.",
        parameters: parameterReferences(["RequestId"]),
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: newPreset,
              examples: examples({ preset: ["A preset", { name, operation, request }] }),
            },
          },
        },
        responses: {
          "200": respond("The preset of this name, replaced."),
          "201": respond("The new preset."),
          ...errorResponses(
            [...keyedErrors, "request_too_large", "unsupported_media_type", "too_many_items"],
            "keyed",
          ),
        },
      },
      get: {
        operationId: "listPresets",
        tags,
        summary: "List presets",
        description:
          "The presets of the account, the newest first; those of test keys with a test key.",
        requestParams: { query: listPresetsQuery },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonResponse(
            "A page of presets.",
            {
              schema: presetList,
              examples: examples({
                page: ["One preset", { presets: [sample], next_cursor: null }],
              }),
            },
            rateHeaders,
          ),
          ...errorResponses(keyedErrors, "keyed"),
        },
      },
    },
    "/v1/presets/{id}": {
      get: {
        operationId: "readPreset",
        tags,
        summary: "Read a preset",
        description: "Returns the preset as it was saved last.",
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": respond("The preset."),
          ...errorResponses([...keyedErrors, "preset_not_found"], "keyed"),
        },
      },
      delete: {
        operationId: "deletePreset",
        tags,
        summary: "Delete a preset",
        description: "Deletes the preset; jobs that were made with it stay.",
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "204": {
            description: "The preset is deleted.",
            headers: headerReferences(["X-Request-Id", ...rateHeaders]),
          },
          ...errorResponses([...keyedErrors, "preset_not_found"], "keyed"),
        },
      },
    },
  };
}
