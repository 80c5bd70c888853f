import {
  operations as definitions,
  type DrawnMember,
  type GenerationPlan,
  type Operation,
  type OperationDefinition,
  type RequestOf,
  type Strictness,
} from "@atelier/schemas";
import type { CastMembers } from "@atelier/stories";
import { addSteps } from "./add-steps.ts";
import { readExactSize, withPixels } from "./exact-size.ts";
import { nameSizes } from "./name-sizes.ts";
import { noteEngineCommands } from "./note-engine-commands.ts";
import { planCombine } from "./plan-combine.ts";
import { planDiagram } from "./plan-diagram.ts";
import { planEdit } from "./plan-edit.ts";
import { planErase } from "./plan-erase.ts";
import { planGraphic } from "./plan-graphic.ts";
import { planImage } from "./plan-image.ts";
import { planOutpaint } from "./plan-outpaint.ts";
import { planRemoveBackground } from "./plan-remove-background.ts";
import { planSceneWith, planStoryWith } from "./plan-story.ts";
import { planUpscale } from "./plan-upscale.ts";
import { planVariations } from "./plan-variations.ts";
import { planVectorize } from "./plan-vectorize.ts";
import type { PlanDependencies, Planner } from "./planner.ts";
import { takeWebhook } from "./take-webhook.ts";

/** All operations with their planners: HTTP routes, quotes and MCP tools are created from this record. */
export type ApiOperations = {
  readonly [Name in Operation]: OperationDefinition<RequestOf<Name>> & {
    readonly plan: Planner<RequestOf<Name>>;
  };
};

export const operations: ApiOperations = {
  image: { ...definitions.image, plan: planImage },
  story: { ...definitions.story, plan: planStoryWith },
  scene: { ...definitions.scene, plan: planSceneWith },
  edit: { ...definitions.edit, plan: planEdit },
  combine: { ...definitions.combine, plan: planCombine },
  graphic: { ...definitions.graphic, plan: planGraphic },
  diagram: { ...definitions.diagram, plan: planDiagram },
  upscale: { ...definitions.upscale, plan: planUpscale },
  "remove-background": { ...definitions["remove-background"], plan: planRemoveBackground },
  outpaint: { ...definitions.outpaint, plan: planOutpaint },
  erase: { ...definitions.erase, plan: planErase },
  vectorize: { ...definitions.vectorize, plan: planVectorize },
  variations: { ...definitions.variations, plan: planVariations },
};

/**
 * Images that arrived with a request. They become uploads that exist only for this request: the plan of
 * its job refers to them, and they are deleted when the job no longer needs them.
 */
export interface RequestImages {
  /** Whether a text is the id of one of them. */
  has(id: unknown): boolean;
  /**
   * Returns a body for the hash of the request: the ids, which differ each time, are replaced by the
   * hashes of the images.
   */
  bind(body: object): object;
  /** Stores those of the images with these ids as uploads, and gives up the memory of all. */
  store(ids: ReadonlySet<string>): Promise<void>;
  /** Gives up the memory of the images. */
  discard(): void;
}

/** A request of an operation. */
export interface OperationRequest<Name extends Operation = Operation> {
  readonly operation: Name;
  readonly body: RequestOf<Name>;
  /**
   * The images that arrived with the request, whose uploads the body names. They are stored after planning,
   * so that nothing is stored for a model that does not exist.
   */
  readonly images?: Pick<RequestImages, "bind" | "store" | "discard">;
  /** The kept characters and locations that its body names, and that are found when it is planned. */
  readonly members?: CastMembers;
  /** The character or location that it draws. */
  readonly castMember?: DrawnMember;
}

/**
 * Plans a request with the planner of its operation.
 *
 * @throws AppError when the model does not exist or lacks a requested feature.
 */
export function planRequest<Name extends Operation>(
  { operation, body, members }: OperationRequest<Name>,
  accountStrictness: Strictness,
  {
    operations: record,
    ...dependencies
  }: PlanDependencies & { readonly operations: ApiOperations },
): GenerationPlan {
  const { body: valid, webhook } = takeWebhook(body);
  const { plan } = record[operation];
  const named = nameSizes(valid, dependencies.catalogue.entryOf(valid.model));
  const sized = readExactSize(operation, named, dependencies.catalogue);
  const planned = plan(sized?.body ?? named, accountStrictness, { ...dependencies, members });
  const exact = sized === null ? planned : withPixels(planned, sized.pixels);
  const { after } = valid as { readonly after?: readonly string[] };
  return {
    ...noteEngineCommands(addSteps(exact, after, dependencies.catalogue)),
    isKept: valid.keep ?? false,
    ...(webhook !== undefined && { webhook }),
  };
}
