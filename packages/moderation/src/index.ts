export { createRuleModerator, type ModerationCategory, type Moderator } from "./moderator.ts";
export type {
  ModerationRequest,
  ModerationText,
  ModerationVerdict,
  QuotedWords,
} from "./moderation-request.ts";
export { moderationCategories } from "./policy.ts";
export { judgeInParts } from "./judge-in-parts.ts";
export { refusalError } from "./refusal.ts";
export { requestOfImages } from "./texts-of-images.ts";
export {
  createCircuitBreaker,
  isMisconfigured,
  type CircuitBreaker,
  type CircuitState,
} from "./remote/circuit-breaker.ts";
export { isOfServer, RemoteDown, type Classifier, type DownReason } from "./remote/classifier.ts";
export { readModerationFile, type ModerationFile } from "./remote/moderation-file.ts";
export type { GuardDescription } from "./remote/guard-description.ts";
export { createGuardClassifier } from "./remote/guard-classifier.ts";
export { createOpenAiClassifier } from "./remote/openai-classifier.ts";
export {
  bearer,
  createPost,
  type Post,
  type RemoteOptions,
  type RequestOutcome,
} from "./remote/post.ts";
export { loadReadyGuard, readyGuards, type ReadyGuard } from "./remote/ready-guards.ts";
export { createRemoteModel, type RemoteModel } from "./remote/remote-model.ts";
export {
  createRemoteModerator,
  type RemoteModerator,
  type RemoteModeratorOptions,
} from "./remote/remote-moderator.ts";
export { createWebhookClassifier } from "./remote/webhook-classifier.ts";
