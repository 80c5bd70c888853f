export { cancelAllRequested } from "./cancel-all-requested.ts";
export { cancelAsRequested, cancelGeneration, jobNotFound, type Cancellation } from "./cancel.ts";
export { finalChannel, AccountBusyError } from "./end-generation.ts";
export { failAllOverdue, passedDeadline } from "./fail-overdue.ts";
export { failGeneration } from "./fail.ts";
export { finishRender, type FinishResult, type RenderMark, type StoredImage } from "./finish.ts";
export { createFinisher, type Finisher } from "./finisher.ts";
