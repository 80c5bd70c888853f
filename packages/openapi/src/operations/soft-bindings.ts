import {
  bindingQuery,
  contentQuery,
  manifestQuery,
  matchesQuery,
  softBindingAlgorithms,
  softBindingMatches,
  softBindingQuery,
  type SoftBindingMatches,
} from "@atelier/schemas";
import * as z from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { commonErrors, errorResponses } from "../error-responses.ts";
import { headerReferences, rateHeaders } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import { examples, imageForm, jsonResponse } from "./responses.ts";

const manifestId = "urn:c2pa:019a9f3c-5f0e-7c31-9b7d-3f5a2c8e1d46";
const errors = ["invalid_request", "rate_limited", ...commonErrors] as const;
const byBinding: SoftBindingMatches = { matches: [{ manifestId }] };
const byContent: SoftBindingMatches = { matches: [{ manifestId, similarityScore: 100 }] };

/** The C2PA Soft Binding Resolution API. */
export function softBindingOperations(): ZodOpenApiPathsObject {
  const open = {
    tags: ["Verification"],
    security: [],
    parameters: parameterReferences(["RequestId"]),
  };
  const matches = (example: SoftBindingMatches) =>
    jsonResponse(
      "The identifiers of the manifests; none for an unknown binding or picture.",
      {
        schema: softBindingMatches,
        examples: examples({
          found: ["A known image", example],
          none: ["An unknown one", { matches: [] }],
        }),
      },
      rateHeaders,
    );
  return {
    "/c2pa/services/supportedAlgorithms": {
      get: {
        ...open,
        operationId: "listSoftBindingAlgorithms",
        summary: "List the soft-binding algorithms",
        description:
          "Part of the C2PA Soft Binding Resolution API, for programs that have found a soft binding of this service. Needs no key; limited by client address.",
        responses: {
          "200": jsonResponse(
            "The names of the algorithms, the current ones first.",
            {
              schema: softBindingAlgorithms,
              examples: examples({
                own: [
                  "With a name of the operator",
                  {
                    watermarks: [{ alg: "com.example.atelier.1" }, { alg: "atelier.tile.1" }],
                    fingerprints: [
                      { alg: "com.example.atelier.fingerprint.1" },
                      { alg: "atelier.tile.fingerprint.1" },
                    ],
                  },
                ],
              }),
            },
            rateHeaders,
          ),
          ...errorResponses(errors, "limited"),
        },
      },
    },
    "/c2pa/matches/byBinding": {
      get: {
        ...open,
        operationId: "findManifestsByBinding",
        requestParams: { query: bindingQuery },
        summary: "Find manifests by a soft binding",
        description:
          "Returns the manifests of images with this watermark, or with a fingerprint of which all bits are equal.",
        responses: { "200": matches(byBinding), ...errorResponses(errors, "limited") },
      },
      post: {
        ...open,
        operationId: "findManifestsByLargeBinding",
        requestParams: { query: matchesQuery },
        summary: "Find manifests by a soft binding in the body",
        description: "The same for values that do not fit into a URL.",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: softBindingQuery,
              examples: examples({
                watermark: [
                  "A watermark",
                  { alg: "atelier.tile.1", value: "OWYzYzJhN2IxMWQwZTg0NQ==" },
                ],
              }),
            },
          },
        },
        responses: {
          "200": matches(byBinding),
          ...errorResponses(["request_too_large", "unsupported_media_type", ...errors], "limited"),
        },
      },
    },
    "/c2pa/matches/byContent": {
      post: {
        ...open,
        operationId: "findManifestsByContent",
        requestParams: { query: contentQuery },
        summary: "Find manifests by a picture",
        description:
          "Returns the manifests of the image that the picture is a copy or a part of. Takes the same files as `POST /verify`, whole or in a form, and costs the same. A picture that only looks like an image of this service has no match, and neither has one that a watermark was copied onto.",
        requestBody: { required: true, content: imageForm },
        responses: {
          "200": matches(byContent),
          ...errorResponses(
            ["request_too_large", "unsupported_media_type", "image_invalid", ...errors],
            "limited",
          ),
        },
      },
    },
    "/c2pa/manifests/{manifestId}": {
      get: {
        ...open,
        operationId: "readManifest",
        requestParams: {
          path: z.object({
            manifestId: z.string().meta({
              description: "As in matches: `urn:c2pa:` and a UUID.",
              example: manifestId,
            }),
          }),
          query: manifestQuery,
        },
        summary: "Read a manifest",
        description:
          "Returns the C2PA manifest store that contains the manifest, as it is in the delivered file.",
        responses: {
          "200": {
            description: "The manifest store, or a store with the manifest alone.",
            headers: headerReferences(["X-Request-Id", ...rateHeaders]),
            content: { "application/c2pa": {} },
          },
          ...errorResponses(["file_not_found", ...errors], "limited"),
        },
      },
    },
  };
}
