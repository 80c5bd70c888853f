import { serviceVariables, telemetryVariables, variable } from "@atelier/configuration";
import { longestLifeSeconds } from "@atelier/storage";
import * as z from "zod";

/**
 * A day at most: the lifecycle of a bucket counts in days, and expires by their age also the files of
 * jobs under way (decision 012).
 */
const deadline = variable.seconds.max(86_400);

/** Everything that the API reads from its environment. */
export const apiConfig = z.object({
  ...serviceVariables,
  ...telemetryVariables,
  HOST: z.string().default("0.0.0.0"),
  PORT: variable.port.default(3_000),
  /** Bull Board; loopback unless told otherwise. */
  ADMIN_HOST: z.string().default("127.0.0.1"),
  ADMIN_PORT: variable.port.default(3_001),
  /**
   * Told to stop, how long the API goes on taking requests while `/readyz` already refuses, so that
   * load balancers stop sending some; then, how long requests under way may take to end.
   */
  DRAIN_DELAY_SECONDS: variable.secondsOrNone.default(0),
  DRAIN_SECONDS: variable.seconds.default(5),
  /** Opens the admin port. Without it, the admin port stays closed. */
  ADMIN_KEY: variable.secret.optional(),
  /** Limits of one API key. */
  GENERATIONS_PER_MINUTE: variable.positive.default(300),
  OTHER_REQUESTS_PER_MINUTE: variable.positive.default(1_200),
  /** Limit of one account. */
  MAX_UNFINISHED_JOBS: variable.positive.default(100),
  /**
   * Renders that may wait in a lane before all requests for it are refused; and how long the oldest
   * may wait before those of accounts that have unfinished jobs are.
   */
  MAX_QUEUE_DEPTH: variable.positive.default(10_000),
  MAX_QUEUE_AGE_SECONDS: variable.seconds.default(240),
  /** Requests of one account that may wait for images, in one process; others are answered at once. */
  MAX_WAITING_REQUESTS: variable.positive.default(100),
  /** The longest that a request for an image waits for it, and what it waits when it does not say. */
  MAX_WAIT_SECONDS: variable.seconds.default(120),
  /** What is not finished by then fails, and costs nothing. */
  IMAGE_DEADLINE_SECONDS: deadline.default(600),
  STORY_DEADLINE_SECONDS: deadline.default(3_600),
  /** How long a signed URL works. */
  URL_LIFE_SECONDS: variable.positive.max(longestLifeSeconds).default(3_600),
});

export type ApiConfig = z.infer<typeof apiConfig>;
