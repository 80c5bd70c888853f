export type { PlanFacts, PlanModel } from "./facts.ts";
export { planScene } from "./plan-scene.ts";
export { planStory } from "./plan-story.ts";
