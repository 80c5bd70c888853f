import { verification, type Verification } from "@atelier/schemas";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { commonErrors, errorResponses } from "../error-responses.ts";
import { rateHeaders } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import { examples, imageForm, jsonResponse } from "./responses.ts";

const image = {
  model: "builtin-illustrator",
  created_at: "2026-11-22T12:00:00.000Z",
  formats: ["png", "jpeg", "webp"],
} satisfies Verification["image"];

const copy: Verification = {
  verdict: "made_here",
  based_on: ["watermark", "fingerprint"],
  techniques: [
    { technique: "c2pa", result: "no_match", detail: null },
    { technique: "hash", result: "no_match", detail: null },
    {
      technique: "watermark",
      result: "match",
      detail: "The watermark belongs to the same image.",
    },
    {
      technique: "fingerprint",
      result: "match",
      detail:
        "Its look differs from that of a registered image in 4 of 256 bits. Similar images can have different origins.",
    },
    { technique: "xmp", result: "no_match", detail: null },
  ],
  contradicted_by: [],
  synthetic: "rules",
  signer: null,
  image,
};

const similar: Verification = {
  ...copy,
  synthetic: null,
  verdict: "similar_found",
  based_on: ["fingerprint"],
  techniques: copy.techniques.map((one) =>
    one.technique === "watermark" ? { ...one, result: "no_match", detail: null } : one,
  ),
};

const unchecked = (technique: Verification["techniques"][number]["technique"]) => ({
  technique,
  result: "not_checked" as const,
  detail: "Only a hash was sent.",
});

const byHash: Verification = {
  verdict: "made_here",
  based_on: ["hash"],
  techniques: [
    unchecked("c2pa"),
    {
      technique: "hash",
      result: "match",
      detail: "A file with this hash was delivered by this installation.",
    },
    unchecked("watermark"),
    unchecked("fingerprint"),
    unchecked("xmp"),
  ],
  contradicted_by: [],
  synthetic: "rules",
  signer: null,
  image,
};

/** Public verification. */
export function verifyOperations(): ZodOpenApiPathsObject {
  return {
    "/verify": {
      post: {
        tags: ["Verification"],
        security: [],
        parameters: parameterReferences(["RequestId"]),
        operationId: "verifyImage",
        summary: "Verify an image",
        description:
          "Finds out where an image comes from, by its C2PA manifest, its hash, its watermark, its fingerprint and its XMP. Needs no key and stores nothing. Send a PNG, JPEG, WebP, AVIF or GIF file of at most 25 MB and 40 megapixels, or an SVG file, as the only file of a form or as the whole body, or the SHA-256 of a file as JSON: `sha256` in 64 lower-case hexadecimal digits. Of an SVG, only manifest and hash are checked. Limited by client address; an image counts as one request for every 4 megapixels, and an AVIF or GIF as ten.",
        requestBody: {
          required: true,
          content: imageForm,
        },
        responses: {
          "200": jsonResponse(
            "What each technique found, and the verdict.",
            {
              schema: verification,
              examples: examples({
                copy: ["A smaller copy without metadata", copy],
                similar: ["A picture that only looks like one of this service", similar],
                hash: ["A known hash", byHash],
              }),
            },
            rateHeaders,
          ),
          ...errorResponses(
            [
              "invalid_request",
              "request_too_large",
              "unsupported_media_type",
              "image_invalid",
              "rate_limited",
              ...commonErrors,
            ],
            "limited",
          ),
        },
      },
    },
  };
}
