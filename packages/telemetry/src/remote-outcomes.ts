/** How a request to a remote language model ended, for moderation or for the assistant. */
export const remoteOutcomes = [
  "ok",
  "unavailable",
  "rate-limited",
  "misconfigured",
  "rejected",
  "malformed",
] as const;
export type RemoteOutcome = (typeof remoteOutcomes)[number];
