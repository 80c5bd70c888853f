import {
  createProvider,
  mergeUsage,
  type CatalogueEntry,
  type Provider,
  type ProviderCall,
  type ProviderOutcome,
  type ProviderRequest,
  type ProviderSettings,
  type ProviderTools,
  type VendorUsage,
} from "@atelier/models";
import { formatEur } from "@atelier/schemas";
import sharp from "sharp";
import packageJson from "../../package.json" with { type: "json" };
import { recordExchanges } from "./record-exchanges.ts";
import {
  checkNames,
  type CertificationReport,
  type CheckName,
  type CheckResult,
  type CheckStatus,
} from "./report.ts";
import { expectedMicro, spendOf, type CallSpend } from "./spend.ts";

interface CertifyOptions {
  readonly settings: ProviderSettings;
  readonly entry: CatalogueEntry;
  readonly tools: ProviderTools;
  /** In millionths of the vendor's currency. No call is made that could exceed it. */
  readonly maxSpendMicro: bigint;
  /** A prompt that the vendor's policy refuses. */
  readonly refusalPrompt: string;
  /** Limit of one call in milliseconds. */
  readonly timeoutMs: number;
  /** Called before each check. */
  readonly onCheck?: (name: CheckName) => void;
}

/** A finding of a check: why it failed, or what it could not show. */
class Finding extends Error {
  override readonly name = "Finding";
  readonly status: CheckStatus;

  constructor(status: CheckStatus, message: string) {
    super(message);
    this.status = status;
  }
}

const prompt = "A red lighthouse on a cliff above the sea at dusk, gouache illustration";
const wrongKey = "atelier-certify-not-a-key-0123456789";
/** Vendors answer it at once and without a charge, but count it for their rate limits. */
const unknownModel = "atelier-certify-no-such-model";
const burst = 8;
const edge = 1_024;

/**
 * Runs all checks with one model of a provider, through the same adapter as the workers. Makes up to eight
 * images, which the operator pays for.
 */
export async function certify(options: CertifyOptions): Promise<CertificationReport> {
  const { entry, maxSpendMicro, onCheck = () => undefined, settings } = options;
  const startedAt = new Date();
  const recorder = recordExchanges();
  const spends: CallSpend[] = [];
  let spentMicro = 0n;
  let highestMicro = 0n;

  async function openAdapter(apiKey = settings.apiKey): Promise<Provider> {
    const own = { ...settings, apiKey, timeoutMs: options.timeoutMs };
    const provider = await createProvider(own, options.tools);
    if (provider === null) throw new Error(`The adapter of ${settings.name} is passed in code.`);
    return provider;
  }
  const provider = await openAdapter();

  /** Makes a call that may be charged, and adds its cost. */
  async function call(
    request: Partial<ProviderRequest>,
    context: Partial<ProviderCall> = {},
    through = provider,
  ): Promise<ProviderOutcome> {
    const expected = expectedMicro(entry, highestMicro);
    if (spentMicro + expected > maxSpendMicro) {
      throw new Finding(
        "not run",
        `could exceed the spend: ${formatEur(spentMicro)} is spent, and a call may cost ${formatEur(expected)}`,
      );
    }
    let usage: VendorUsage = {};
    const sent = requestOf(entry, request);
    const outcome = await through.generate(sent, {
      signal: AbortSignal.timeout(options.timeoutMs),
      key: crypto.randomUUID(),
      resumeRequestId: null,
      onRequestId: async () => undefined,
      ...context,
      onUsage: (stated) => {
        usage = mergeUsage(usage, stated);
      },
    });
    const spend = spendOf(entry, outcome.kind, usage, {
      operation: sent.task?.kind ?? "image",
      references: sent.references.length,
      pixels: outcome.kind === "image" ? await sizeOf(outcome.image.bytes) : null,
    });
    // A resumed call is charged once, and counted with its first attempt.
    if ((context.resumeRequestId ?? null) === null) {
      spends.push(spend);
      spentMicro += spend.micro ?? expected;
      if ((spend.micro ?? 0n) > highestMicro) highestMicro = spend.micro ?? 0n;
    }
    return outcome;
  }

  async function image(request: Partial<ProviderRequest>): Promise<Buffer> {
    const outcome = await call(request);
    if (outcome.kind !== "image") throw fail(`expected an image, but got ${describe(outcome)}`);
    return Buffer.from(outcome.image.bytes);
  }

  const checks: Readonly<Record<CheckName, () => Promise<string>>> = {
    async generate() {
      if (!entry.operations.includes("image"))
        throw notApplicable("the model makes no images of a prompt");
      const { height, width } = await sizeOf(await image({}));
      return `made ${width}x${height}`;
    },
    async edit() {
      if (!entry.operations.includes("edit")) throw notApplicable("the model makes no edits");
      if (entry.requires_mask) throw notApplicable("the model only makes edits with a mask");
      const edited = await image({ task: await makeEdit(false) });
      const { height, width } = await sizeOf(edited);
      if (width !== edge || height !== edge) {
        throw fail(`the edit of an image of ${edge}x${edge} is ${width}x${height}`);
      }
      return "changed an image and kept its size";
    },
    async mask() {
      if (!entry.supports_mask) throw notApplicable("the model takes no mask");
      const edited = await image({ task: await makeEdit(true) });
      const { inside, outside } = await differences(edited);
      if (outside > 4)
        throw fail(`the mask was ignored: outside of it, pixels differ by ${outside}`);
      if (inside < 1) throw fail("the area inside of the mask was not changed");
      return "changed the area inside of the mask only";
    },
    async references() {
      if (entry.max_reference_images === 0) throw notApplicable("the model takes no references");
      const bytes = await flat("#2b4c7e");
      await image({
        references: [
          { role: "style", name: null, description: "the colours", bytes, mediaType: "image/png" },
        ],
      });
      return "took a reference image";
    },
    async refusal() {
      const outcome = await call({ prompt: options.refusalPrompt });
      if (outcome.kind === "refused") {
        const categories = outcome.categories.join(", ") || "no categories";
        return `refused at the stage ${outcome.stage ?? "unknown"}: ${categories}`;
      }
      if (outcome.kind === "image") throw notProvoked("the vendor made an image of the prompt");
      throw fail(`a refusal was read as ${describe(outcome)}`);
    },
    async "wrong key"() {
      if (settings.apiKey === null) throw notApplicable("the server has no keys");
      const outcome = await call({}, {}, await openAdapter(wrongKey));
      if (outcome.kind === "image") throw fail("the vendor made an image for a wrong key");
      if (outcome.kind !== "unavailable") {
        throw fail(`a wrong key was read as ${describe(outcome)} instead of unavailable`);
      }
      return "refused without a charge";
    },
    async "rate limit"() {
      if (settings.apiKey === null) throw notApplicable("the server has no rate limit");
      for (let count = 0; count < burst; count++) {
        const outcome = await call({ model: unknownModel });
        if (outcome.kind === "rate-limited") {
          return outcome.retryAfterMs === null
            ? "limited without a time to wait"
            : `limited, to be repeated after ${outcome.retryAfterMs / 1_000} s`;
        }
        if (outcome.kind !== "invalid-request") {
          throw fail(`a model that does not exist was read as ${describe(outcome)}`);
        }
      }
      throw notProvoked(`${burst} requests in a row were not limited`);
    },
    async cancel() {
      if (provider.lostCall !== "resume-by-request-id")
        throw notApplicable("calls cannot be cancelled");
      const ended = new AbortController();
      const outcome = await call(
        {},
        {
          signal: ended.signal,
          onRequestId: async () => ended.abort(new DOMException("cancelled", "TimeoutError")),
        },
      );
      if (outcome.kind === "image") throw notProvoked("the image was made before the cancellation");
      if (outcome.kind !== "unknown") {
        throw fail(`a cancelled call was read as ${describe(outcome)} instead of unknown`);
      }
      const wasSent = recorder.paths().some((path) => /cancel|interrupt|queue$/.test(path));
      return wasSent ? "cancelled at the vendor" : "abandoned: the vendor has no cancellation";
    },
    async "lost response"() {
      if (provider.lostCall === "repeat-with-same-key") {
        throw notApplicable("a lost call is repeated without a second charge");
      }
      const lost = new AbortController();
      let requestId: string | null = null;
      const isResumable = provider.lostCall === "resume-by-request-id";
      if (!isResumable) recorder.onResponse = () => lost.abort(new Error("lost on purpose"));
      const context: Partial<ProviderCall> = {
        signal: lost.signal,
        async onRequestId(id) {
          requestId = id;
          if (isResumable) lost.abort(new Error("lost on purpose"));
        },
      };
      const outcome = await call({}, context).finally(() => {
        recorder.onResponse = null;
      });
      if (outcome.kind !== "unknown") {
        throw fail(`a lost response was read as ${describe(outcome)} instead of unknown`);
      }
      if (!isResumable) return "recognised as possibly charged";
      if (requestId === null) throw fail("the vendor stated no request id");
      const resumed = await call({}, { resumeRequestId: requestId });
      if (resumed.kind !== "image")
        throw fail(`the lost image was not found again: ${describe(resumed)}`);
      return "found again by its request id, without a second charge";
    },
    async cost() {
      const charged = spends.filter(({ units }) => (units["images"] ?? 0) > 0);
      if (charged.length === 0) throw notApplicable("no image was made");
      const unknown = charged.filter(({ micro }) => micro === null).length;
      if (unknown > 0) {
        throw fail(
          `the cost of ${unknown} of ${charged.length} images is unknown: ${adviceOn(entry)}`,
        );
      }
      for (const { computedMicro, micro } of charged) {
        if (computedMicro !== null && micro !== null && differs(computedMicro, micro)) {
          throw fail(
            `the vendor states ${formatEur(micro)} where vendor_price gives ${formatEur(computedMicro)}`,
          );
        }
      }
      return `${charged.length} images have a cost. Compare the units with the bill`;
    },
  };

  const results: CheckResult[] = [];
  for (const name of checkNames) {
    recorder.begin(name);
    onCheck(name);
    const began = performance.now();
    const ended = await checks[name]().then(
      (message) => ({ status: "passed" as CheckStatus, message }),
      (error: unknown) => {
        if (error instanceof Finding) return { status: error.status, message: error.message };
        // Images that were paid for belong in the report all the same.
        return { status: "failed" as CheckStatus, message: `unexpected: ${String(error)}` };
      },
    );
    results.push({ name, ...ended, duration_ms: Math.round(performance.now() - began) });
  }
  const secrets = [settings.apiKey, wrongKey].filter((secret) => secret !== null);
  return {
    provider: settings.name,
    kind: settings.kind,
    model: entry.id,
    provider_model: entry.provider_model,
    started_at: startedAt.toISOString(),
    versions: { atelier: packageJson.version, node: process.versions.node },
    max_spend: formatEur(maxSpendMicro),
    spent: formatEur(spentMicro),
    currency: entry.vendor_price?.currency ?? "USD",
    unknown_costs: spends.filter(({ micro }) => micro === null).length,
    units: addUp(spends),
    checks: results,
    exchanges: await recorder.end(secrets),
  };
}

const fail = (message: string) => new Finding("failed", message);
const notApplicable = (message: string) => new Finding("not applicable", message);
const notProvoked = (message: string) => new Finding("not provoked", message);

function requestOf(entry: CatalogueEntry, changes: Partial<ProviderRequest>): ProviderRequest {
  return {
    model: entry.provider_model,
    prompt,
    aspectRatio: entry.aspect_ratios.includes("1:1") ? "1:1" : entry.default_aspect_ratio,
    imageSize: entry.default_image_size,
    seed: 7,
    parameters: entry.defaults,
    references: [],
    previousTurn: null,
    ...changes,
  };
}

const sourceColour = "#2b4c7e";

async function makeEdit(hasMask: boolean): Promise<NonNullable<ProviderRequest["task"]>> {
  const right = {
    create: { width: edge / 2, height: edge, channels: 3, background: "#fff" },
  } as const;
  const white = await sharp(right).png().toBuffer();
  const mask = await sharp(await flat("#000"))
    .composite([{ input: white, left: edge / 2, top: 0 }])
    .toColourspace("b-w")
    .png()
    .toBuffer();
  return {
    kind: "edit",
    strength: null,
    image: { bytes: await flat(sourceColour), mediaType: "image/png" },
    mask: hasMask ? mask : null,
  };
}

function flat(background: string): Promise<Buffer> {
  return sharp({ create: { width: edge, height: edge, channels: 3, background } })
    .png()
    .toBuffer();
}

/** Mean difference to the source image on both sides of the mask, away from its feathered edge. */
async function differences(
  edited: Buffer,
): Promise<{ readonly inside: number; readonly outside: number }> {
  const meanOf = async (image: Buffer, left: number) => {
    const part = sharp(image).extract({ left, top: 0, width: edge / 4, height: edge });
    // Statistics are of the input of a pipeline.
    const { channels } = await sharp(await part.removeAlpha().png().toBuffer()).stats();
    return channels.map(({ mean }) => mean);
  };
  const source = await flat(sourceColour);
  const differenceAt = async (left: number) => {
    const [one, other] = await Promise.all([meanOf(source, left), meanOf(edited, left)]);
    return Math.max(...one.map((mean, channel) => Math.abs(mean - (other[channel] ?? 0))));
  };
  return { inside: await differenceAt((edge * 3) / 4), outside: await differenceAt(0) };
}

async function sizeOf(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  const { height, width } = await sharp(bytes).metadata();
  return { width, height };
}

function describe(outcome: ProviderOutcome): string {
  return "message" in outcome ? `${outcome.kind} (${outcome.message})` : outcome.kind;
}

function adviceOn(entry: CatalogueEntry): string {
  return entry.vendor_price === null
    ? "add vendor_price to the model"
    : "the vendor did not state the units of its price";
}

/** Tolerates rounding and list prices with fewer digits: 5 %. */
function differs(one: bigint, other: bigint): boolean {
  const difference = one > other ? one - other : other - one;
  return difference * 20n > (one > other ? one : other);
}

function addUp(spends: readonly CallSpend[]): Record<string, number> {
  const units: Record<string, number> = {};
  for (const spend of spends) {
    for (const [unit, count] of Object.entries(spend.units)) {
      units[unit] = (units[unit] ?? 0) + count;
    }
  }
  return units;
}
