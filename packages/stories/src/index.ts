export { changeMember, type ChangedLook, type ChangedMember } from "./change-member.ts";
export { castImage } from "./cast-image.ts";
export {
  castScene,
  castStory,
  memberIds,
  type CastMember,
  type CastMembers,
} from "./cast-members.ts";
export { continueStory, type EarlierStory } from "./continue-story.ts";
export type { PlanFacts, PlanModel } from "./facts.ts";
export { memberOfStory, type NewCastMember } from "./member-of-story.ts";
export { cleanName } from "./names.ts";
export { planScene } from "./plan-scene.ts";
export { planStory } from "./plan-story.ts";
export { styleReferences, suppliedSource } from "./references.ts";
export { repeatRender } from "./repeat-render.ts";
