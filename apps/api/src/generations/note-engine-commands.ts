import { findEngineCommands, type GenerationPlan } from "@atelier/schemas";

/** Commands of an image that are recorded: a prompt may have thousands. */
const maxCommands = 10;

/**
 * Records the engine commands in the texts of a plan, so that the response can name them. Adapters of
 * engines make them harmless.
 */
export function noteEngineCommands(plan: GenerationPlan): GenerationPlan {
  const renders = plan.renders.map((render) => {
    const { prompt, texts } = render.spec;
    const engineCommands = new Set(
      [prompt, ...texts.map(({ text }) => text)].flatMap(findEngineCommands),
    );
    if (engineCommands.size === 0) return render;
    const named = [...engineCommands].slice(0, maxCommands);
    return { ...render, spec: { ...render.spec, engineCommands: named } };
  });
  return { ...plan, renders };
}
