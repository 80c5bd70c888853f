export { ageJob } from "./age-job.ts";
export { insertTestKey } from "./insert-test-key.ts";
export { atPrice, makeImagePlan, makeRender } from "./plans.ts";
