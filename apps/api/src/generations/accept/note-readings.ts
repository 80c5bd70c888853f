import { setImmediate } from "node:timers/promises";
import { readPrompt, type CatalogueEntry } from "@atelier/models";
import type { GenerationPlan, Reading } from "@atelier/schemas";

/**
 * Records what the model draws of each prompt, if that is less than it names, so that the response can say so.
 * Equal prompts are read once, and other work runs between two readings.
 *
 * @param entry that of the model of the plan.
 */
export async function noteReadings(
  plan: GenerationPlan,
  entry: Pick<CatalogueEntry, "provider" | "provider_model">,
): Promise<GenerationPlan> {
  const readings = new Map<string, Reading | null>();
  const renders: GenerationPlan["renders"][number][] = [];
  for (const render of plan.renders) {
    const { prompt, references, task } = render.spec;
    const key = JSON.stringify([prompt, references, task]);
    let reading = readings.get(key);
    if (reading === undefined) {
      if (readings.size > 0) await setImmediate();
      reading = await readPrompt(entry, render.spec);
      readings.set(key, reading);
    }
    renders.push(reading === null ? render : { ...render, spec: { ...render.spec, reading } });
  }
  return { ...plan, renders };
}
