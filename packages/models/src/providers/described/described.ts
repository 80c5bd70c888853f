import type { SvgDrawer } from "@atelier/svg";
import type { Provider } from "../../provider.ts";
import { createAdapter } from "../http/adapter.ts";
import { unknown } from "../http/call-ended.ts";
import { fetchImage, type FetchResult } from "../http/fetch-result.ts";
import { readBase64, readImage } from "../http/read-image.ts";
import { readSvg } from "../http/read-svg.ts";
import { createSend, type CallLimits } from "../http/send.ts";
import type { DescribedAnswer, DescribedRequest, Description } from "./description.ts";
import { submit, uploadFile, type Exchange } from "./exchange.ts";
import { fillHeaders } from "./fill-address.ts";
import { readFirst, readText } from "./json-path.ts";
import { waitForResult } from "./poll-job.ts";
import type { Answer } from "./rules.ts";
import { selectRequest } from "./select-request.ts";
import type { TemplateValues } from "./template.ts";
import { formatTicket, parseTicket } from "./ticket.ts";
import { capabilitiesOf, makesExactSizes, pixelsIn, sizesOf } from "./traits.ts";
import { seedOf, valuesOf } from "./values.ts";

interface DescribedOptions extends CallLimits {
  readonly name: string;
  readonly description: Description;
  /** Omitted for a server without keys. */
  readonly apiKey?: string | undefined;
  /** Default: that of the description. */
  readonly baseUrl?: string | undefined;
  /** Downloads an image from the URL that the provider returned, without sending the key. */
  readonly fetchResult: FetchResult;
  /** Draws vector graphics. */
  readonly svgDrawer: SvgDrawer;
  /** Default: that of the description. */
  readonly pollIntervalMs?: number | undefined;
}

/** A provider whose HTTP API a description describes. */
export function createDescribedProvider(options: DescribedOptions): Provider {
  const { apiKey = "", description: described, fetchResult, svgDrawer } = options;
  const { poll: polled } = described;
  const limits = limitsOf(options);
  const intervalMs = options.pollIntervalMs ?? polled?.interval_ms ?? 1_000;
  const send = createSend({
    ...limits,
    baseUrl: options.baseUrl ?? described.base_url ?? "",
    credentials:
      apiKey === "" ? {} : fillHeaders(described.key?.headers ?? {}, { api_key: apiKey }),
    domains: described.domains,
  });

  /** Asks for an image and waits for the answer that has it. */
  async function order(
    exchange: Exchange,
    request: DescribedRequest,
    valuesForRequest: () => Promise<TemplateValues>,
    named: TemplateValues,
  ): Promise<Answer> {
    const { call } = exchange;
    if (polled === undefined) return submit(exchange, request, await valuesForRequest());
    let ticket = call.resumeRequestId;
    if (ticket === null) {
      const accepted = await submit(exchange, request, await valuesForRequest());
      ticket = formatTicket(polled.keep, accepted.json);
      await call.onRequestId(ticket);
    }
    const kept = parseTicket(polled.keep, ticket, named);
    return waitForResult(exchange, polled, kept, intervalMs);
  }

  async function readBytes(
    { image: { as, at = [] } }: DescribedAnswer,
    { json, response }: Answer,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    if (as === "body") return response.body;
    const text = readText(json, at);
    if (text === undefined) throw unknown(`a response ${response.status} without an image`);
    switch (as) {
      case "base64":
        return readBase64(text);
      case "url":
        return fetchImage(text, signal, fetchResult);
      case "own_url": {
        const file = await send({ method: "GET", url: text, signal, purpose: "poll" });
        if (file.status === 200) return file.body;
        throw unknown(`the image could not be fetched: status ${file.status}`);
      }
    }
  }

  return createAdapter({
    name: options.name,
    lostCall:
      polled !== undefined
        ? "resume-by-request-id"
        : described.repeat === "with_same_key"
          ? "repeat-with-same-key"
          : "repeat-blindly",
    secrets: apiKey === "" ? [] : [apiKey],
    limits,
    capabilities: capabilitiesOf(described),
    canSize: (model) => makesExactSizes(described, model),
    editSize: (wanted) => pixelsIn(sizesOf(described, selectRequest(described, wanted)), wanted),
    async makeImage(wanted, call) {
      const request = selectRequest(described, wanted);
      const size = pixelsIn(sizesOf(described, request), wanted);
      const named = { model: wanted.model, key: call.key };
      const answers = request.answer ?? described.answer;
      const exchange = { described, send, answers, call };
      const upload = (file: Parameters<typeof uploadFile>[1]) => uploadFile(exchange, file, named);
      const answer = await order(
        exchange,
        request,
        () => valuesOf(described, request, wanted, { key: call.key, size, upload }),
        named,
      );
      const bytes = await readBytes(answers, answer, call.signal);
      const seed = usedSeed(answers, answer, seedOf(described, wanted));
      if (wanted.task?.kind === "graphic") {
        return { kind: "image", ...(await readSvg(bytes, size, svgDrawer)), turn: null, seed };
      }
      return { kind: "image", image: await readImage(bytes, size), turn: null, seed };
    },
  });
}

/** The limits of calls; that of their duration is a setting of the provider. */
function limitsOf(options: DescribedOptions): CallLimits {
  const { idle_seconds: idle, max_answer_bytes } = options.description.limits;
  const idleTimeoutMs = idle === undefined ? undefined : idle * 1_000;
  return {
    ...options,
    idleTimeoutMs: options.idleTimeoutMs ?? idleTimeoutMs,
    maxResponseBytes: options.maxResponseBytes ?? max_answer_bytes,
  };
}

/** The seed of an image: that of the answer, that of the request if it was sent, or none. */
function usedSeed({ seed }: DescribedAnswer, { json }: Answer, sent: number): number | null {
  if (seed === undefined) return null;
  if (seed.sent === true) return sent;
  const found = Number(readFirst(json, seed.at ?? []) ?? Number.NaN);
  return Number.isSafeInteger(found) ? found : null;
}
