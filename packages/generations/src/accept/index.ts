export { type NewGeneration, type RequestWebhook } from "./new-generation.ts";
export { acceptGeneration, type Acceptance } from "./accept.ts";
export { createAcceptor, type Acceptor } from "./acceptor.ts";
export { createAccountLines, type LineLimits } from "./account-lines.ts";
export {
  giveAnswer,
  hasLostAnswer,
  joinAnswer,
  loseAnswer,
  type AnswerClaim,
  type AnswerHolder,
} from "./answers.ts";
export { endIdempotentWait, findIdempotentUse, type IdempotentUse } from "./idempotent-use.ts";
export {
  listSpecs,
  recordApprovals,
  recordRefusal,
  wasAllowed,
  wereInputsAllowed,
  type Decision,
} from "./moderation-decisions.ts";
export { overloaded } from "./overloaded.ts";
export { assertReferencesKept, referenceGone } from "./references.ts";
