import * as z from "zod";
import {
  isImageInBase64,
  type ProtocolServer,
  readJsonBody,
  type Reply,
  startProtocolServer,
  type Visit,
} from "@atelier/models/testing";
import { completionOf, failure, failureOf } from "../openai-replies.ts";

const categories = [
  "harassment",
  "harassment/threatening",
  "hate",
  "hate/threatening",
  "illicit",
  "illicit/violent",
  "self-harm",
  "self-harm/instructions",
  "self-harm/intent",
  "sexual",
  "sexual/minors",
  "violence",
  "violence/graphic",
] as const;
type Category = (typeof categories)[number];

/** 0 for what is left out; null for an answer that has no scores at all. */
type Scores = Partial<Record<Category, number>> | null;

/** The categories that the vendor scores images for. */
const ofImages: ReadonlySet<Category> = new Set([
  "self-harm",
  "self-harm/instructions",
  "self-harm/intent",
  "sexual",
  "violence",
  "violence/graphic",
]);

export interface OpenAiModerationServer extends ProtocolServer {
  /** Sets the scores of the next inputs. An image is judged as `image`. */
  score(decide: (text: string) => Scores): void;
  /** Sets the guard model's verdict on the next messages. */
  say(decide: (text: string) => string): void;
}

/**
 * A loopback server for OpenAI's `POST /v1/moderations` and a guard model behind
 * `POST /v1/chat/completions`, with the fields and types of the vendor's SDK and reference.
 */
export async function startOpenAiModerationServer(
  options: { readonly apiKey?: string } = {},
): Promise<OpenAiModerationServer> {
  const { apiKey = "sk-proj-atelier-test-0123456789abcdef" } = options;
  let scoresOf: (text: string) => Scores = () => ({});
  let answerOf: (text: string) => string = () => "safe";

  function answer({ call, fault, url }: Visit): Reply {
    if (call.headers.authorization !== `Bearer ${apiKey}`) {
      return failure(401, "Incorrect API key provided.", "invalid_api_key");
    }
    if (fault !== null) return failureOf(fault) ?? moderate({ input: "text" }, () => ({}));
    const body = readJsonBody(call);
    switch (`${call.method} ${url.pathname}`) {
      case "POST /v1/moderations":
        return moderate(body, scoresOf);
      case "POST /v1/chat/completions":
        return complete(body, answerOf);
      default:
        return failure(404, `Invalid URL (${call.method} ${url.pathname})`, null);
    }
  }

  const server = await startProtocolServer(answer);
  return {
    ...server,
    score(decide) {
      scoresOf = decide;
    },
    say(decide) {
      answerOf = decide;
    },
  };
}

const imagePart = z.strictObject({
  type: z.literal("image_url"),
  image_url: z.strictObject({ url: z.string() }),
});
const textPart = z.strictObject({ type: z.literal("text"), text: z.string() });
const parts = z.array(z.discriminatedUnion("type", [textPart, imagePart])).min(1);

const moderationOrder = z.strictObject({
  model: z.enum(["omni-moderation-latest", "omni-moderation-2024-09-26"]).optional(),
  input: z.union([z.string().min(1), z.array(z.string().min(1)).min(1), parts]),
});

const completionOrder = z.strictObject({
  model: z.string().min(1),
  messages: z
    .array(
      z.strictObject({
        role: z.enum(["system", "user", "assistant"]),
        content: z.union([z.string(), parts]),
      }),
    )
    .min(1),
  temperature: z.number().min(0).max(2).optional(),
  max_tokens: z.int().positive().optional(),
});

function moderate(body: unknown, scoresOf: (text: string) => Scores): Reply {
  const order = moderationOrder.safeParse(body);
  if (!order.success) return invalid(order.error);
  const { input, model = "omni-moderation-latest" } = order.data;
  const inputs = typeof input === "string" ? [input] : input;
  const texts = inputs.filter((part) => typeof part === "string");
  // Parts form one input and are judged together; texts are judged one by one.
  const judged =
    texts.length > 0
      ? texts.map((text) => result(scoresOf(text), false))
      : [
          judgeParts(
            inputs.filter((part) => typeof part !== "string"),
            scoresOf,
          ),
        ];
  if (judged.includes(null)) return failure(400, "Invalid image data.", "invalid_image");
  return { status: 200, json: { id: "modr-1", model, results: judged } };
}

function judgeParts(
  given: z.infer<typeof parts>,
  scoresOf: (text: string) => Scores,
): object | null {
  const images = given.filter((part) => part.type === "image_url");
  if (images.some(({ image_url }) => !isImageInBase64(image_url.url))) return null;
  return result(scoresOf("image"), true);
}

function result(scores: Scores, isImage: boolean): object {
  const type = isImage ? "image" : "text";
  const scoreOf = (category: Category) =>
    isImage && !ofImages.has(category) ? 0 : (scores?.[category] ?? 0);
  const entries = <Value>(valueOf: (category: Category) => Value) =>
    Object.fromEntries(categories.map((category) => [category, valueOf(category)]));
  return {
    flagged: categories.some((category) => scoreOf(category) >= 0.5),
    categories: entries((category) => scoreOf(category) >= 0.5),
    category_scores: scores === null ? {} : entries(scoreOf),
    category_applied_input_types: entries((category) =>
      isImage && !ofImages.has(category) ? [] : [type],
    ),
  };
}

function complete(body: unknown, answerOf: (text: string) => string): Reply {
  const order = completionOrder.safeParse(body);
  if (!order.success) return invalid(order.error);
  const content = order.data.messages.at(-1)?.content ?? "";
  const text = typeof content === "string" ? content : "image";
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return completionOf(order.data.model, { content: answerOf(text) }, usage);
}

function invalid(error: z.ZodError): Reply {
  return failure(400, `Invalid '${error.issues[0]?.path.join(".")}'.`, "invalid_value");
}
