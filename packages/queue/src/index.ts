export { createQueues, type Dispatch, type Queues } from "./queues.ts";
export { serveLane, type Lane, type LaneOptions, type RenderVerdict } from "./serve-lane.ts";
