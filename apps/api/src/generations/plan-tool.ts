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
  };
  readonly task: ToolTask;
}

/**
 * Plans a tool: one image, changed without a prompt. Its price is that of the model's default size.
 *
 * @throws AppError when the model does not exist or lacks the operation.
 */
export function planTool(
  { operation, body: { metadata = {}, ...body }, task }: PlannedTool,
  accountStrictness: Strictness,
  { catalogue }: PlanDependencies,
): GenerationPlan {
  const source: ReferenceSpec = {
    role: "source",
    name: null,
    description: "",
    source: suppliedSource(body.image, "image"),
  };
  return planOperation(
    {
      operation,
      body,
      metadata,
      defaults: {},
      prompt: "",
      aspectRatio: null,
      hasImageSize: false,
      count: 1,
      options: readImageOptions({ output: body.output }, operation),
      task,
      references: [source],
      referenceImages: 0,
      hasClientImages: true,
      texts: [],
    },
    accountStrictness,
    catalogue,
  );
}
