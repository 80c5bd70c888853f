export { insertTestKey } from "./insert-test-key.ts";
export { makeImagePlan, makeRender } from "./plans.ts";
export { partitionSince } from "./partition-since.ts";
