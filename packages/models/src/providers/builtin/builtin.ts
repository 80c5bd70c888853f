import { createDiagrams } from "@atelier/diagrams";
import type { Capability, EraseTask } from "@atelier/schemas";
import { LimitError } from "@atelier/kit/limited-process";
import { createSvgDrawer, createSvgTracer, type SvgTracer } from "@atelier/svg";
import type {
  Provider,
  ProviderCall,
  ProviderImage,
  ProviderOutcome,
  ProviderRequest,
  ProviderTool,
} from "../../provider.ts";
import { CallEnded, invalidRequest } from "../http/call-ended.ts";
import { neededCapabilities } from "../needed-capabilities.ts";
import { combine } from "./combine.ts";
import { cutOut } from "./cut-out.ts";
import { drawDiagram } from "./diagram.ts";
import { drawPicture } from "./picture.ts";
import { redraw } from "./edit.ts";
import { drawMark } from "./graphic.ts";
import { createHoleFiller, type HoleFiller } from "./fill/hole-filler.ts";
import { extend } from "./outpaint.ts";
import { trace } from "./trace.ts";
import { scaleUp } from "./upscale.ts";
import { vary } from "./variation.ts";

/** A successful outcome. */
type ImageMade = Extract<ProviderOutcome, { kind: "image" }>;

/** A built-in model: what it can do, and how. */
interface BuiltinModel {
  readonly capabilities: readonly Capability[];
  readonly make: (request: ProviderRequest, call: ProviderCall) => Promise<Omit<ImageMade, "kind">>;
}

/** Processes and libraries that the models draw with. */
type BuiltinTools = Parameters<typeof drawDiagram>[2] & {
  readonly tracer: SvgTracer;
  readonly filler: HoleFiller;
};

function createModels(tools: BuiltinTools): Readonly<Record<string, BuiltinModel>> {
  return {
    /** Scenes, portraits, places; edits, combinations and tools. */
    illustrator: {
      capabilities: ["edit", "mask", "combine", "outpaint", "erase", "variations"],
      make: (request) => illustrate(request, tools.filler),
    },
    /** Ornaments; ignores references. */
    pattern: {
      capabilities: [],
      make: (request) => made(request, drawPicture(request, "pattern")),
    },
    graphic: {
      capabilities: ["graphic"],
      async make(request) {
        const { seed, task } = request;
        if (task?.kind !== "graphic") throw invalidRequest("only graphics");
        return { ...(await drawMark(request, task)), turn: null, seed };
      },
    },
    /** Lanczos with sharpening. */
    upscaler: {
      capabilities: ["upscale"],
      async make({ pixels, seed, task }) {
        if (task?.kind !== "upscale" || pixels === undefined) throw invalidRequest("only scaling");
        return { image: await scaleUp(task, pixels), turn: null, seed };
      },
    },
    /** Flat backgrounds only. */
    cutout: {
      capabilities: ["remove-background"],
      async make({ seed, task }) {
        if (task?.kind !== "remove-background") throw invalidRequest("only cutting out");
        return { image: await cutOut(task), turn: null, seed };
      },
    },
    /** Images as SVG. */
    tracer: {
      capabilities: ["vectorize"],
      async make({ task, seed }) {
        if (task?.kind !== "vectorize") throw invalidRequest("only tracing");
        return { ...(await trace(task, tools.tracer)), turn: null, seed };
      },
    },
    diagram: {
      capabilities: ["diagram"],
      async make(request, call) {
        if (request.task?.kind !== "diagram") throw invalidRequest("only diagrams");
        return { ...(await drawDiagram(request, request.task, tools, call)), turn: null };
      },
    },
  };
}

/**
 * The provider `builtin`: draws without network or key. Drawing is free, so a lost call is repeated.
 *
 * @param tools to use instead of those with the usual limits.
 */
export function createBuiltinProvider(tools: Partial<BuiltinTools> = {}): Provider {
  const models = createModels({
    diagrams: createDiagrams(),
    svgDrawer: createSvgDrawer(),
    tracer: createSvgTracer(),
    filler: createHoleFiller(),
    ...tools,
  });
  return {
    name: "builtin",
    lostCall: "repeat-with-same-key",
    generate: (request, call) => generate(models, request, call),
  };
}

async function generate(
  models: Readonly<Record<string, BuiltinModel>>,
  request: ProviderRequest,
  call: ProviderCall,
): Promise<ProviderOutcome> {
  const { signal } = call;
  const model = Object.hasOwn(models, request.model) ? models[request.model] : undefined;
  if (model === undefined) {
    return { kind: "invalid-request", message: `no model ${request.model}` };
  }
  const missing = neededCapabilities(request).find((need) => !model.capabilities.includes(need));
  if (missing !== undefined) {
    return { kind: "invalid-request", message: `${request.model} does not support ${missing}` };
  }
  if (signal.aborted) return aborted;
  try {
    const result = await model.make(request, call);
    return signal.aborted ? aborted : { kind: "image", ...result };
  } catch (error) {
    if (signal.aborted) return aborted;
    if (error instanceof CallEnded) return error.outcome;
    if (error instanceof LimitError) return unavailableNow(error);
    throw error;
  }
}

/** On an idle machine the same work may end in time. */
function unavailableNow({ message, reason }: LimitError): ProviderOutcome {
  return { kind: "unavailable", message, retryAfterMs: null, isMachineBusy: reason === "busy" };
}

async function illustrate(
  request: ProviderRequest,
  filler: HoleFiller,
): Promise<Omit<ImageMade, "kind">> {
  const { seed, task } = request;
  if (task === undefined) return made(request, drawPicture(request, "scene"));
  const drawn = (image: ProviderImage) => ({ image, turn: null, seed });
  if (task.kind === "edit") return drawn(await redraw(request, task));
  if (task.kind === "outpaint") return drawn(await extend(request, task, filler));
  if (task.kind === "erase") return drawn(await erase(task, filler));
  if (task.kind === "variations") return drawn(await vary(request, task));
  if (task.kind === "combine") return made(request, combine(request));
  throw invalidRequest(`no support for ${task.kind}`);
}

async function erase(
  { image, mask }: Extract<ProviderTool, EraseTask>,
  filler: HoleFiller,
): Promise<ProviderImage> {
  if (mask === null) throw invalidRequest("nothing to erase");
  return { bytes: await filler.fill(image.bytes, mask), mediaType: "image/png" };
}

async function made(
  { seed }: ProviderRequest,
  drawing: Promise<Uint8Array>,
): Promise<Omit<ImageMade, "kind">> {
  return { image: { bytes: await drawing, mediaType: "image/png" }, turn: null, seed };
}

const aborted: ProviderOutcome = {
  kind: "unavailable",
  message: "the call was aborted",
  retryAfterMs: null,
};
