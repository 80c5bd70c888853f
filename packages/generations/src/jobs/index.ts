export { chooseScene, readChosenScenes } from "./chosen-scenes.ts";
export { reportCosts } from "./costs.ts";
export {
  findImageKey,
  findPreviousScene,
  findRenderId,
  findResultKey,
  type FinishedScene,
} from "./earlier-images.ts";
export {
  filterFinal,
  findGeneration,
  findGenerations,
  isFinal,
  readDetails,
  type FoundGeneration,
  type Owner,
} from "./find.ts";
export { listAmong, listGenerations, searchGenerations } from "./list.ts";
export {
  listWithoutHash,
  openRegistry,
  registerOlderImages,
  setPerceptualHash,
  type ImageWithoutHash,
  type RegisteredImage,
} from "./registry.ts";
export type { FoundImage, FoundRender } from "./result.ts";
export { findSimilar } from "./similar.ts";
export { createTotalsReader } from "./totals.ts";
