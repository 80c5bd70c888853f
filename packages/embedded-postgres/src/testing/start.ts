import { startEmbeddedPostgres } from "../embedded-postgres.ts";

/** Starts a server with the options that it is given, for a test that kills it on the way. */
await startEmbeddedPostgres(JSON.parse(process.argv[2] ?? ""));
