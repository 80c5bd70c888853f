import * as z from "zod";
import type { Fault } from "../testing/faults.ts";
import {
  makeImage,
  startProtocolServer,
  type ProtocolServer,
  type Reply,
  type Visit,
} from "../testing/protocol-server.ts";

const models = ["gemini-3-pro-image", "gemini-nano-banana-2.1"];

const partSchema = z
  .strictObject({
    text: z.string().optional(),
    inlineData: z
      .strictObject({
        mimeType: z.enum(["image/png", "image/jpeg", "image/webp"]),
        data: z.base64().min(1),
      })
      .optional(),
    thought: z.boolean().optional(),
    thoughtSignature: z.base64().optional(),
  })
  .refine(({ inlineData, text }) => (inlineData === undefined) !== (text === undefined));

const orderSchema = z.strictObject({
  contents: z
    .array(z.strictObject({ role: z.enum(["user", "model"]), parts: z.array(partSchema).min(1) }))
    .min(1),
  generationConfig: z.strictObject({
    responseModalities: z.array(z.enum(["TEXT", "IMAGE"])).optional(),
    imageConfig: z
      .strictObject({
        aspectRatio: z
          .string()
          .refine((ratio) => ratio in pixels)
          .default("1:1"),
        imageSize: z.enum(["1K", "2K", "4K"]).default("1K"),
      })
      .default({ aspectRatio: "1:1", imageSize: "1K" }),
    seed: z.int32().optional(),
    thinkingConfig: z
      .strictObject({ thinkingLevel: z.enum(["MINIMAL", "MEDIUM", "HIGH"]) })
      .optional(),
  }),
  safetySettings: z
    .array(
      z.strictObject({
        category: z.string().startsWith("HARM_CATEGORY_"),
        threshold: z.enum(["BLOCK_LOW_AND_ABOVE", "BLOCK_MEDIUM_AND_ABOVE", "BLOCK_ONLY_HIGH"]),
      }),
    )
    .optional(),
});

type Order = z.output<typeof orderSchema>;

/** Pixels at 1K, as the models produce them; 2K and 4K are two and four times as large. */
const pixels: Readonly<Record<string, readonly [width: number, height: number]>> = {
  "1:1": [1024, 1024],
  "2:3": [848, 1264],
  "3:2": [1264, 848],
  "3:4": [896, 1200],
  "4:3": [1200, 896],
  "4:5": [928, 1152],
  "5:4": [1152, 928],
  "9:16": [768, 1376],
  "16:9": [1376, 768],
  "21:9": [1584, 672],
  "1:4": [512, 2048],
  "4:1": [2048, 512],
  "1:8": [384, 3072],
  "8:1": [3072, 384],
};

/**
 * Google's Gemini API on loopback: `POST /{v1|v1beta}/models/{id}:generateContent`, validated
 * against the fields of the vendor's SDK. Every image comes with a thought signature, after one
 * thought as text and one as image. A conversation must contain the model's parts with their
 * original signatures. Rejecting a missing signature is the stricter reading of the vendor's
 * documentation.
 *
 * Refusal shapes: `prompt:<blockReason>`, `finish:<finishReason>`; `text` is a text response.
 */
export function startGeminiServer(
  options: { readonly apiKey?: string } = {},
): Promise<ProtocolServer> {
  const { apiKey = "AIzaSyAtelierTest0123456789abcdefghijkl" } = options;
  /** Signed parts by signature. */
  const signed = new Map<string, string>();
  return startProtocolServer((visit) => respond(visit, apiKey, signed));
}

async function respond(visit: Visit, apiKey: string, signed: Map<string, string>): Promise<Reply> {
  const { call, fault, url } = visit;
  const model = /^\/v1(?:beta)?\/models\/([^/:]+):generateContent$/.exec(url.pathname)?.[1];
  if (call.method !== "POST" || model === undefined) return failure(404, "NOT_FOUND", "Not found.");
  if (url.search !== "") return invalid("Unexpected query.");
  const sentKey = call.headers["x-goog-api-key"];
  if (sentKey === undefined) {
    return failure(403, "PERMISSION_DENIED", "Method doesn't allow unregistered callers.");
  }
  if (sentKey !== apiKey) {
    const reason = { "@type": `${types}.ErrorInfo`, reason: "API_KEY_INVALID" };
    return invalid("API key not valid. Please pass a valid API key.", [reason]);
  }
  if (!/^application\/json\b/.test(call.headers["content-type"] ?? "")) {
    return invalid("Unsupported content type.");
  }
  if (!models.includes(model)) {
    return failure(404, "NOT_FOUND", `models/${model} is not found for API version v1beta.`);
  }
  const order = parseOrder(call.body);
  if ("status" in order) return order;
  const { aspectRatio } = order.generationConfig.imageConfig;
  if (/^(1:[48]|[48]:1)$/.test(aspectRatio) && model === "gemini-3-pro-image") {
    return invalid(`Aspect ratio ${aspectRatio} is not supported by this model.`);
  }
  if (
    order.generationConfig.thinkingConfig !== undefined &&
    !model.startsWith("gemini-nano-banana-2.")
  ) {
    return invalid("Thinking level is not supported for this model.");
  }
  const wrong = findUnsigned(order, signed);
  if (wrong !== null) {
    return invalid(
      `Unable to submit request because it has an invalid thought signature for content at index ${wrong}.`,
    );
  }
  const problem = fault === null ? null : failureOf(fault, apiKey);
  if (problem !== null) return problem;
  visit.pay();
  return success(order, fault, signed);
}

function parseOrder(body: Buffer): Order | Reply {
  try {
    const parsed = orderSchema.safeParse(JSON.parse(body.toString()));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const name = issue?.code === "unrecognized_keys" ? issue.keys.join() : issue?.path.join(".");
    return invalid(`Invalid JSON payload received. Unknown or invalid field "${name}".`);
  } catch {
    return invalid("Invalid JSON payload received.");
  }
}

/** Index of the first model content that this server did not send in this form; null if none. */
function findUnsigned({ contents }: Order, signed: Map<string, string>): number | null {
  const index = contents.findIndex(
    ({ parts, role }, place) =>
      role !== (place % 2 === 0 ? "user" : "model") ||
      (role === "model" &&
        parts.some(
          ({ inlineData, thought, thoughtSignature }) =>
            inlineData !== undefined &&
            thought !== true &&
            signed.get(thoughtSignature ?? "") !== inlineData.data,
        )),
  );
  return index === -1 ? null : index;
}

async function success(
  { contents, generationConfig }: Order,
  fault: Fault | null,
  signed: Map<string, string>,
): Promise<Reply> {
  const { aspectRatio, imageSize } = generationConfig.imageConfig;
  const [width, height] = pixels[aspectRatio] ?? [1024, 1024];
  const scale = Number(imageSize.slice(0, -1));
  const size = { width: width * scale, height: height * scale };
  const data = (await makeImage(size, "png", fault)).toString("base64");
  const draft = (await makeImage({ width: 64, height: 64 }, "png", null)).toString("base64");
  const signature = Buffer.from(`signature ${signed.size + 1} of a test`).toString("base64");
  signed.set(signature, data);
  return reply({
    content: {
      role: "model",
      parts: [
        { thought: true, text: `Thinking about picture ${Math.ceil(contents.length / 2)}.` },
        { thought: true, inlineData: { mimeType: "image/png", data: draft } },
        { inlineData: { mimeType: "image/png", data }, thoughtSignature: signature },
      ],
    },
    finishReason: "STOP",
    index: 0,
  });
}

function reply(candidate: object): Reply {
  return {
    status: 200,
    json: {
      candidates: [candidate],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1120, totalTokenCount: 1130 },
      modelVersion: "gemini-3-pro-image",
      responseId: "0123456789abcdef",
    },
  };
}

const types = "type.googleapis.com/google.rpc";

function failureOf(fault: Fault, apiKey: string): Reply | null {
  if (fault.kind === "refusal") return refusal(fault.shape);
  if (fault.kind === "invalid-request") return invalid(`Rejected for the consumer ${apiKey}.`);
  if (fault.kind === "rate-limit") {
    const perMinute = "GenerateRequestsPerMinutePerProjectPerModel";
    return exhausted("You exceeded your current quota.", [
      { "@type": `${types}.QuotaFailure`, violations: [{ quotaId: perMinute }] },
      ...(fault.retryAfter === null
        ? []
        : [{ "@type": `${types}.RetryInfo`, retryDelay: fault.retryAfter }]),
    ]);
  }
  if (fault.kind === "out-of-quota") {
    return exhausted("Your prepayment credits are depleted.", []);
  }
  if (fault.kind === "server-error") {
    const status = { 500: "INTERNAL", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED" };
    const name = status[fault.status as keyof typeof status];
    return failure(fault.status, name, `An internal error has occurred (key ${apiKey}).`);
  }
  return null;
}

function refusal(shape: string): Reply {
  if (shape === "text") {
    const parts = [{ text: "I would rather describe the picture in words." }];
    return reply({ content: { role: "model", parts }, finishReason: "STOP", index: 0 });
  }
  const [where, reason] = shape.split(":");
  const ratings = [
    { category: "HARM_CATEGORY_HARASSMENT", probability: "NEGLIGIBLE" },
    { category: "HARM_CATEGORY_SEXUALLY_EXPLICIT", probability: "HIGH", blocked: true },
  ];
  const safetyRatings = reason?.endsWith("SAFETY") === true ? { safetyRatings: ratings } : {};
  if (where === "prompt") {
    return { status: 200, json: { promptFeedback: { blockReason: reason, ...safetyRatings } } };
  }
  return reply({ finishReason: reason, index: 0, ...safetyRatings });
}

function exhausted(message: string, details: readonly object[]): Reply {
  return failure(429, "RESOURCE_EXHAUSTED", message, details);
}

function invalid(message: string, details: readonly object[] = []): Reply {
  return failure(400, "INVALID_ARGUMENT", message, details);
}

function failure(
  code: number,
  status: string,
  message: string,
  details: readonly object[] = [],
): Reply {
  return { status: code, json: { error: { code, message, status, details } } };
}
