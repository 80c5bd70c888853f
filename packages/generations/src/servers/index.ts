export { readBacklog, type Backlog } from "./backlog.ts";
export { claimChecks, dropOldServers, forgetLoad, recordJobs } from "./checks.ts";
export { type EngineLoad, type Loads } from "./choose-server.ts";
export {
  enginePlaceChannel,
  givePlaceBack,
  resumePlace,
  startWaiting,
  takePlace,
  type Candidate,
  type Place,
  type PlaceEnd,
  type PlaceRequest,
} from "./places.ts";
