export type { PlanFacts, PlanModel } from "./facts.ts";
export { planScene, type SceneReference, type SceneRequest } from "./plan-scene.ts";
export { planStory } from "./plan-story.ts";
