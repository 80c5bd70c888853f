const unlimited = "1000000000";

/** Settings of a service whose limits must not end a measurement. */
export const withoutLimits = {
  GENERATIONS_PER_MINUTE: unlimited,
  OTHER_REQUESTS_PER_MINUTE: unlimited,
  MAX_UNFINISHED_JOBS: unlimited,
  MAX_WAITING_REQUESTS: unlimited,
  MAX_QUEUE_DEPTH: unlimited,
  MAX_QUEUE_AGE_SECONDS: "86400",
};
