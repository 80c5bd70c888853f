export { continueStory } from "./continue-story.ts";
export type { PlanFacts, PlanModel } from "./facts.ts";
export { planScene } from "./plan-scene.ts";
export { planStory } from "./plan-story.ts";
export { styleReferences, suppliedSource } from "./references.ts";
export { repeatRender } from "./repeat-render.ts";
