import { findEngineCommands, type GenerationPlan } from "@atelier/schemas";

/** Commands of an image that are recorded: a prompt may have thousands. */
const maxCommands = 10;

/**
 * Records the engine commands in the texts of a plan, so that the response can name them. Adapters of
 * engines make them harmless.
 */
export function noteEngineCommands(plan: GenerationPlan): GenerationPlan {
  // The images of a plan share most of their texts.
  const known = new Map<string, readonly string[]>();
  const commandsOf = (text: string) => {
    const commands = known.get(text) ?? findEngineCommands(text);
    known.set(text, commands);
    return commands;
  };
  const renders = plan.renders.map((render) => {
    const { prompt, texts } = render.spec;
    const engineCommands = new Set([prompt, ...texts.map(({ text }) => text)].flatMap(commandsOf));
    if (engineCommands.size === 0) return render;
    const named = [...engineCommands].slice(0, maxCommands);
    return { ...render, spec: { ...render.spec, engineCommands: named } };
  });
  return { ...plan, renders };
}
