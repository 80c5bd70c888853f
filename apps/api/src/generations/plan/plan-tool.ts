import type {
  GenerationPlan,
  ImageSource,
  Metadata,
  Operation,
  Output,
  ReferenceSpec,
  Strictness,
  ToolTask,
} from "@atelier/schemas";
import { suppliedSource } from "@atelier/stories";
import { readImageOptions } from "./image-options.ts";
import { planOperation } from "./plan-operation.ts";
import type { PlanDependencies } from "./planner.ts";

/** The request of a tool, in the terms that all tools share. */
interface PlannedTool {
  readonly operation: Operation;
  readonly body: {
    readonly model: string;
    readonly image: ImageSource;
    readonly strictness?: Strictness | undefined;
    readonly output?: Output | undefined;
    readonly metadata?: Metadata | undefined;
    readonly mask?: ImageSource | undefined;
    readonly prompt?: string | undefined;
    readonly n?: number | undefined;
    readonly seed?: number | undefined;
  };
  readonly task: ToolTask;
  /** Whether the result depends on the seed, which is then recorded. Default: false. */
  readonly isSeeded?: boolean;
}

/**
 * Plans a tool: an image that is changed without a prompt, or with one that only helps. Its price is that of the model's default size.
 *
 * @throws AppError when the model does not exist or lacks the operation.
 */
export function planTool(
  { operation, body: { metadata = {}, ...body }, task, isSeeded = false }: PlannedTool,
  accountStrictness: Strictness,
  { catalogue }: PlanDependencies,
): GenerationPlan {
  const options = readImageOptions({ output: body.output, seed: body.seed }, operation);
  const { n, seed = options.seed } = body;
  return planOperation(
    {
      operation,
      body,
      metadata,
      defaults: { ...(n !== undefined && { n }), ...(isSeeded && { seed }) },
      prompt: body.prompt ?? "",
      aspectRatio: null,
      hasImageSize: false,
      count: n ?? 1,
      options,
      task,
      references: imagesOf(body),
      referenceImages: 0,
      hasClientImages: true,
      texts: [],
    },
    accountStrictness,
    catalogue,
  );
}

/** The image to change, and its mask if the request has one. */
function imagesOf({ image, mask }: PlannedTool["body"]): ReferenceSpec[] {
  const common = { name: null, description: "" };
  const source = { ...common, role: "source", source: suppliedSource(image, "image") } as const;
  if (mask === undefined) return [source];
  return [source, { ...common, role: "mask", source: suppliedSource(mask, "mask") }];
}
