import type { Caller } from "@atelier/accounts";
import { explainDiagram } from "@atelier/models";
import type { GenerationPlan } from "@atelier/schemas";
import type { Needs } from "../../dependencies.ts";

/**
 * Checks the diagram of a plan, in words or Mermaid, beside the event loop. DOT is checked when it is
 * laid out.
 *
 * @throws AppError `diagram_invalid`, with line and column where they are known.
 */
export async function checkDiagram(
  { renders }: GenerationPlan,
  { accountId }: Caller,
  { rules }: Needs<"rules">,
): Promise<void> {
  for (const { spec } of renders) {
    const { task, prompt } = spec;
    if (task?.kind !== "diagram") continue;
    const { source, language } = task;
    const problem = await rules.findProblem(accountId, { source: source ?? prompt, language });
    if (problem !== null) throw explainDiagram(problem, source);
  }
}
