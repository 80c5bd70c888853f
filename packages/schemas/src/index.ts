export * from "./account.ts";
export { readAfterStep, type AfterStep, type AfterTask } from "./after.ts";
export * from "./batches.ts";
export {
  budget,
  budgetList,
  maxBudgets,
  sharedBudgetPeriod,
  type Budget,
  type SharedBudgetPeriod,
} from "./endpoints/budgets.ts";
export * from "./cast.ts";
export * from "./costs.ts";
export * from "./engine-commands.ts";
export {
  engineParameterNames,
  type EngineParameter,
  type EngineParameters,
} from "./engine-parameters.ts";
export * from "./error-codes.ts";
export * from "./errors.ts";
export * from "./events.ts";
export * from "./files.ts";
export * from "./jobs.ts";
export { keptList, listKeptQuery, type KeptList } from "./kept.ts";
export * from "./keys.ts";
export { maxPromptLength, newName, requestIdPattern } from "./fields.ts";
export * from "./money.ts";
export * from "./notes.ts";
export * from "./openai/openai-chat.ts";
export * from "./openai/openai-errors.ts";
export * from "./openai/openai-images.ts";
export * from "./openai/openai-options.ts";
export type { OpenAIModel } from "./openai/openai-models.ts";
export * from "./operations.ts";
export type { CombineRequest } from "./operations/combine.ts";
export type { ImageChange, OperationDefinition, OperationTool } from "./operations/definition.ts";
export type { DiagramRequest } from "./operations/diagram.ts";
export type { EditRequest } from "./operations/edit.ts";
export type { EraseRequest } from "./operations/erase.ts";
export type { GraphicRequest } from "./operations/graphic.ts";
export type { ImageRequest } from "./operations/image.ts";
export type { RemoveBackgroundRequest } from "./operations/remove-background.ts";
export type { OutpaintRequest } from "./operations/outpaint.ts";
export type { SceneRequest } from "./operations/scene.ts";
export { maxStates } from "./operations/story-fields.ts";
export type { StoryRequest } from "./operations/story.ts";
export type { UpscaleRequest } from "./operations/upscale.ts";
export type { VariationsRequest } from "./operations/variations.ts";
export type { VectorizeRequest } from "./operations/vectorize.ts";
export * from "./parse.ts";
export * from "./pixel-size.ts";
export * from "./plan.ts";
export * from "./quotas.ts";
export * from "./progress.ts";
export * from "./quotes.ts";
export * from "./request-fields.ts";
export {
  account,
  errorBody,
  job,
  jobAccepted,
  jobList,
  jobStatus,
  listedJob,
  modelList,
  oneModel,
  type Account,
  type ErrorBody,
  type Job,
  type JobAccepted,
  type JobStatus,
  type ListedJob,
  type Model,
  type ModelPixels,
  type RenderState,
} from "./responses.ts";
export {
  deliveredFormat,
  generationResponse,
  results,
  type DeliveredFormat,
  type FormatVariant,
  type GeneratedImage,
  type GenerationResponse,
  type MarkLayer,
} from "./results.ts";
export * from "./event-payloads.ts";
export * from "./storage-keys.ts";
export { studioLanguage, studioLanguages, type StudioLanguage } from "./texts/studio-language.ts";
export type * from "./tasks.ts";
export * from "./uploads.ts";
export type { ServiceTotals } from "./totals.ts";
export * from "./webhooks.ts";
export * from "./transactions.ts";
export * from "./usage.ts";
export * from "./texts/label-texts.ts";
export * from "./soft-bindings.ts";
export * from "./texts/spellings.ts";
export * from "./verification.ts";
