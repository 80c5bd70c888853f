export {
  createRuleModerator,
  type ModerationCategory,
  type ModerationRequest,
  type ModerationText,
  type ModerationVerdict,
  type Moderator,
  type QuotedWords,
} from "./moderator.ts";
export { moderationCategories } from "./policy.ts";
export { judgeInParts } from "./judge-in-parts.ts";
export { refusalError } from "./refusal.ts";
export { requestOfImages } from "./texts-of-images.ts";
export type { Classifier } from "./remote/classifier.ts";
export { createGuardClassifier, type GuardFormat } from "./remote/guard-classifier.ts";
export { createOpenAiClassifier } from "./remote/openai-classifier.ts";
export type { RemoteOptions } from "./remote/post-json.ts";
export {
  createRemoteModerator,
  type RemoteModerator,
  type RemoteModeratorOptions,
} from "./remote/remote-moderator.ts";
