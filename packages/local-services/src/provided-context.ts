/** Values that the global set-up provides to every integration test file. */
declare module "vitest" {
  interface ProvidedContext {
    /** A database that no test uses; test databases are created on the same server. */
    postgresUrl: string;
    /** Folder that is removed at the end of the run. */
    directory: string;
    /** Null when no Redis is available, and in `npm test`. */
    redisUrl: string | null;
    /** Null when no S3 server is available, and in `npm test`. */
    s3Url: string | null;
    /** PgBouncer in front of `postgresUrl`; null when it is not available, and in `npm test`. */
    poolerUrl: string | null;
    /** Path of Chromium; null when it is not available. */
    chromium: string | null;
    /** Which combinations of queue and storage this run covers: the first one, or all others. */
    combinations: "first" | "others";
  }
}
