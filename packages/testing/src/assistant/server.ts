import {
  type ProtocolServer,
  readJsonBody,
  type Reply,
  startProtocolServer,
  type Visit,
} from "@atelier/models/testing";
import * as z from "zod";
import { completionOf, failure, failureOf } from "../openai-replies.ts";

/** An answer of the language model: the text of its message, or a message with other parts. */
export type Written = string | { readonly [part: string]: unknown };

/** A request for a completion. */
export interface AssistantOrder {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  /** The texts of the client, as JSON; empty for a probe. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Whether an earlier answer was wrong. */
  readonly isRepair: boolean;
}

export interface AssistantServer extends ProtocolServer {
  /** Sets the answers of the model; null for good ones. */
  say(write: ((order: AssistantOrder) => Written) | null): void;
}

/**
 * A loopback server for `POST /v1/chat/completions` with a JSON schema, as OpenAI, Ollama and vLLM serve
 * it. It is as strict as OpenAI: a schema may only use what strict schemas support, and no request may
 * offer tools.
 */
export async function startAssistantServer(
  options: { readonly apiKey?: string } = {},
): Promise<AssistantServer> {
  const { apiKey = "sk-assistant-atelier-test-0123456789" } = options;
  let write: (order: AssistantOrder) => Written = writeWell;

  function answer({ call, fault, url }: Visit): Reply {
    if (call.headers.authorization !== `Bearer ${apiKey}`) {
      return failure(401, "Incorrect API key provided.", "invalid_api_key");
    }
    const failed = fault === null ? null : failureOf(fault);
    if (failed !== null) return failed;
    if (`${call.method} ${url.pathname}` !== "POST /v1/chat/completions") {
      return failure(404, `Invalid URL (${call.method} ${url.pathname})`, null);
    }
    const order = completionOrder.safeParse(readJsonBody(call));
    if (!order.success) return failure(400, order.error.message, "invalid_value");
    const { messages, response_format: format } = order.data;
    const given = format === undefined ? "{}" : (messages[1]?.content ?? "{}");
    const isRepair = messages.length > 2;
    const written = write({ messages, given: JSON.parse(given), isRepair });
    const message = typeof written === "string" ? { content: written } : written;
    const usage = { prompt_tokens: 120, completion_tokens: 80, total_tokens: 200 };
    return completionOf(order.data.model, message, usage);
  }

  const server = await startProtocolServer(answer);
  return {
    ...server,
    say(next) {
      write = next ?? writeWell;
    },
  };
}

type Schema = { readonly [keyword: string]: unknown };

/** Checks a schema by the rules of OpenAI's strict mode. */
function isStrict(schema: unknown): boolean {
  const { type, properties, required, items, additionalProperties, ...others } = schema as Schema;
  if (Object.keys(others).some((keyword) => keyword !== "description" && keyword !== "enum")) {
    return false;
  }
  if (type === "array") return isStrict(items);
  if (type !== "object") return type === "string" || type === "integer" || type === "boolean";
  const members = properties as Readonly<Record<string, unknown>>;
  return (
    additionalProperties === false &&
    JSON.stringify(required) === JSON.stringify(Object.keys(members)) &&
    Object.values(members).every(isStrict)
  );
}

const completionOrder = z.strictObject({
  model: z.string().min(1),
  messages: z
    .array(
      z.strictObject({ role: z.enum(["system", "user", "assistant"]), content: z.string().min(1) }),
    )
    .min(1),
  response_format: z
    .strictObject({
      type: z.literal("json_schema"),
      json_schema: z.strictObject({
        name: z.string().regex(/^[\w-]{1,64}$/),
        strict: z.literal(true),
        schema: z.unknown().refine(isStrict, "not supported by strict mode"),
      }),
    })
    .optional(),
});

/** A good answer in the language of the request. */
function writeWell({ given }: AssistantOrder): string {
  if ("prompt" in given) return JSON.stringify(suggest(String(given["prompt"])));
  if ("idea" in given) return JSON.stringify(tell(given));
  return "OK";
}

function suggest(prompt: string) {
  const isGerman = / (?:auf|ein|eine|der|die|das|im) /u.test(` ${prompt} `);
  const additions = isGerman
    ? ["warmes Abendlicht", "ein tiefer Blickwinkel", "leichter Nebel"]
    : ["warm evening light", "a low angle", "light fog"];
  return {
    suggestions: additions.map((added) => ({ prompt: `${prompt}, ${added}`, added: [added] })),
  };
}

function tell({ language, scenes, style }: AssistantOrder["given"]) {
  const isGerman = language === "German";
  const hero = isGerman ? "Fuchs Fenn" : "Fenn";
  const place = isGerman ? "Lichtung" : "Clearing";
  return {
    title: isGerman ? "Der Fuchs, der sang" : "The Fox Who Sang",
    setting: isGerman ? "ein Birkenwald im Frühling" : "a birch wood in early spring",
    style: style ?? (isGerman ? "Aquarell" : "watercolour"),
    characters: [
      {
        name: hero,
        description: isGerman
          ? "ein kleiner roter Fuchs mit grünem Schal"
          : "a small red fox with a green scarf",
      },
    ],
    locations: [
      {
        name: place,
        description: isGerman ? "eine Lichtung mit einem Teich" : "a clearing with a pond",
      },
    ],
    scenes: Array.from({ length: Number(scenes) }, (_, index) => ({
      prompt: isGerman
        ? `${hero} singt auf einem Stein, Strophe ${index + 1}`
        : `${hero} sings on a stone, verse ${index + 1}`,
      characters: [hero],
      location: index === 0 ? place : "",
    })),
  };
}
