export { ageJob } from "./age-job.ts";
export { insertTestKey } from "./insert-test-key.ts";
export { makeImagePlan, makeRender } from "./plans.ts";
