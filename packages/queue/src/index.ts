export { emptyQueues } from "./empty-queues.ts";
export { createQueues, type Queues } from "./queues.ts";
export { serveLane, type LaneOptions, type RenderVerdict, type ServedLane } from "./serve-lane.ts";
