export { findAccounts, readAccounts, type AccountOverview } from "./find-accounts.ts";
export { explainJob, type JobEvent } from "./explain-job.ts";
export {
  findJobs,
  type ArchivedTrace,
  type FoundJobs,
  type JobClue,
  type JobOfAccount,
} from "./find-jobs.ts";
export { presentArchivedTrace, presentFoundJob, presentFoundJobs } from "./present-found-jobs.ts";
export {
  announceWorker,
  findReplacements,
  forgetSilentWorkers,
  readWorkers,
  removeWorker,
  type WorkerRun,
} from "./workers.ts";
export { readCalls, readLanes, type LaneOverview } from "./read-lanes.ts";
