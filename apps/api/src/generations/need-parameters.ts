import { engineParameters } from "@atelier/generations";
import type { GenerationPlan } from "@atelier/schemas";

/** Leaves renders with options of the engine to workers that send them. */
export function needParameters(plan: GenerationPlan): GenerationPlan {
  const renders = plan.renders.map((render) =>
    render.spec.parameters === undefined ? render : { ...render, needs: engineParameters },
  );
  return { ...plan, renders };
}
