import type { Caller } from "@atelier/accounts";
import {
  afterSteps,
  avifImages,
  imageOptions,
  markupEdits,
  scaledImages,
  tools,
  uncheckedReferences,
} from "@atelier/generations/claims";
import { priceInBatch, type Catalogue, type CatalogueEntry } from "@atelier/models";
import {
  isReceivedKey,
  isToolTask,
  unusedRole,
  type GenerationPlan,
  type Operation,
  type PixelSize,
} from "@atelier/schemas";
import type { Needs } from "../../dependencies.ts";
import { assertModelPermitted, assertTestsAllowed } from "../../http/permissions.ts";
import { entriesFor } from "../../routes/models.ts";
import { applyFallback } from "./apply-fallback.ts";
import { checkDiagram } from "./check-diagram.ts";
import { checkUploads } from "./check-uploads.ts";
import { completeCast } from "./complete-cast.ts";
import { completeScene } from "./complete-scene.ts";
import { drawAsTest } from "./draw-as-test.ts";
import { planRequest, type OperationRequest } from "./operations.ts";
import { resolveReferences } from "./resolve-references.ts";
import { assertSource, findSourceSize, sizeEdit } from "./size-edit.ts";
import { assertNotMisspelled } from "./suggest-model.ts";
import { planningFor } from "./test-catalogue.ts";

/** Planning a request and judging it needs these. */
export type PreparationDependencies = Needs<
  "catalogue" | "config" | "database" | "laneHealth" | "operations" | "parts" | "rules" | "storage"
>;

interface PreparedPlan {
  readonly plan: GenerationPlan;
  /** That of its model. */
  readonly entry: CatalogueEntry;
  /** Pixels of uploads that workers will decode. */
  readonly uploadedPixels: number;
}

/**
 * Validates and prices a request: everything before it is accepted.
 *
 * @param isInBatch whether the prices of batches apply.
 * @throws AppError when the request is refused.
 */
export async function preparePlan<Name extends Operation>(
  caller: Caller,
  requested: OperationRequest<Name>,
  isInBatch: boolean,
  dependencies: PreparationDependencies,
): Promise<PreparedPlan> {
  dependencies.parts.requireStorage();
  const continued = await completeScene(requested, caller, dependencies);
  const request = await completeCast(continued, caller, dependencies);
  if (caller.mode === "test") assertTestsAllowed(dependencies);
  const { catalogue, tests } = planningFor(caller, request.operation, dependencies);
  const planning = { ...dependencies, catalogue };
  const wanted = planWithSuggestion(caller, request, planning);
  await checkDiagram(wanted, caller, dependencies);
  await request.images?.store(uploadsOf(wanted));
  assertModelPermitted(caller, wanted.model);
  const resolved = await resolveReferences(wanted, caller, dependencies);
  const sourceSize = await findSourceSize(resolved, dependencies);
  const sized = requireCapability(sizeEdit(resolved, sourceSize, planning));
  const priced = isInBatch ? applyBatchPrice(sized, catalogue) : sized;
  const drawn = tests === null ? priced : drawAsTest(priced, tests);
  const plan = applyFallback(drawn, isInBatch, dependencies);
  const { castMember } = request;
  const { pixels, scaledFrom } = await checkUploads(plan, dependencies);
  assertSource(plan, sourceSize);
  const scaled = noteAvif(scaledFrom === null ? plan : noteScale(plan, scaledFrom));
  return {
    plan: castMember === undefined ? scaled : { ...scaled, castMember },
    entry: catalogue.find(plan.model),
    uploadedPixels: pixels,
  };
}

/** Leaves an image that is scaled down to workers that do so. */
function noteScale(plan: GenerationPlan, scaledFrom: PixelSize): GenerationPlan {
  const renders = plan.renders.map((render) => ({
    ...render,
    needs: scaledImages,
    spec: { ...render.spec, scaledFrom },
  }));
  return { ...plan, renders };
}

/** Leaves an AVIF that a client sent to workers that decode it. Only a worker knows the format behind a URL. */
function noteAvif(plan: GenerationPlan): GenerationPlan {
  const renders = plan.renders.map((render) =>
    render.spec.references.some(({ source }) => source.kind === "stored" && isAvif(source.key))
      ? { ...render, needs: avifImages }
      : render,
  );
  return { ...plan, renders };
}

const isAvif = (key: string) => isReceivedKey(key) && key.endsWith(".avif");

function applyBatchPrice(plan: GenerationPlan, catalogue: Catalogue): GenerationPlan {
  const eachMicroEur = priceInBatch(catalogue.find(plan.model), plan.price.eachMicroEur);
  return { ...plan, price: { ...plan.price, eachMicroEur } };
}

/** Leaves tools, also as steps, and images with options that older workers ignore, to workers that know these. */
function requireCapability(plan: GenerationPlan): GenerationPlan {
  const renders = plan.renders.map((render) => {
    const { after, pixels, output, parameters, references, task } = render.spec;
    if (references.some(({ role }) => role === unusedRole)) {
      return { ...render, needs: uncheckedReferences };
    }
    if (after !== undefined) return { ...render, needs: afterSteps };
    if (isToolTask(task)) return { ...render, needs: tools };
    if (references.some(({ role }) => role === "markup")) return { ...render, needs: markupEdits };
    const isPlain = [pixels, output, parameters].every((option) => option === undefined);
    return isPlain ? render : { ...render, needs: imageOptions };
  });
  return { ...plan, renders };
}

/** Plans a request; errors about its model name others that the key may use. */
function planWithSuggestion<Name extends Operation>(
  caller: Caller,
  request: OperationRequest<Name>,
  dependencies: PreparationDependencies,
): GenerationPlan {
  assertNotMisspelled(request.body.model, caller, dependencies);
  const permitted = { ...dependencies.catalogue, entries: entriesFor(caller, dependencies) };
  return planRequest(request, caller.strictness, { ...dependencies, catalogue: permitted });
}

/** The ids of the uploads that a plan refers to. */
function uploadsOf({ renders }: GenerationPlan): ReadonlySet<string> {
  const sources = renders.flatMap(({ spec }) => spec.references.map(({ source }) => source));
  return new Set(sources.flatMap((source) => (source.kind === "upload" ? [source.id] : [])));
}
