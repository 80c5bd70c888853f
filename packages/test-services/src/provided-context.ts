/** What the global set-up hands to every integration test file. */
declare module "vitest" {
  interface ProvidedContext {
    /** A database that no test uses; others are made beside it. */
    postgresUrl: string;
    /** Null where no Redis can be had. */
    redisUrl: string | null;
    /** Null where no S3 server can be had. */
    s3Url: string | null;
    /** What to start Chromium with; null where there is none. */
    chromium: string | null;
  }
}
