export { checkParts } from "./check-parts.ts";
export { forkProgram } from "./fork-program.ts";
export { takeLease, type Lease } from "./lease.ts";
export { startLoop, type Loop } from "./loop.ts";
export { isUnavailable, openWithRetry } from "./open-with-retry.ts";
export { processTuning } from "./process-tuning.ts";
export { runProgram, type RunningProgram } from "./run-program.ts";
export { startProgram, StartFailure, type Program, type StartOptions } from "./start-program.ts";
export { withTimeout } from "./with-timeout.ts";
