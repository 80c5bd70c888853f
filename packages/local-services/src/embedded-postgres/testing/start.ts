import { startEmbeddedPostgres } from "../embedded-postgres.ts";

/** Starts a server with the given options, for a test that kills this process while it starts. */
await startEmbeddedPostgres(JSON.parse(process.argv[2] ?? ""));
