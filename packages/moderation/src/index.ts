export {
  createRuleModerator,
  type ModerationCategory,
  type ModerationRequest,
  type ModerationText,
  type ModerationVerdict,
  type Moderator,
  type Strictness,
} from "./moderator.ts";
