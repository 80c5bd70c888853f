export { startServerProcess } from "./child-process.ts";
export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from "./embedded-postgres/embedded-postgres.ts";
export { workPerRun, type BackendWork } from "./testing/backend-work.ts";
export { chromiumArguments, findChromium, type FoundChromium } from "./testing/chromium.ts";
export {
  defaultCacheDirectory,
  findPython,
  type UnpackedPackages,
  unpackDebianPackages,
} from "./debian-packages.ts";
export { startCrashingPostgres, type CrashingPostgres } from "./testing/crashing-postgres.ts";
export { countRowsRead, explainStatements, type PlanNode } from "./testing/explain.ts";
export { freePorts } from "./free-ports.ts";
export { findHaproxy, type FoundHaproxy } from "./testing/haproxy.ts";
export { startPgBouncer } from "./testing/pgbouncer.ts";
export { startPostgres } from "./testing/postgres.ts";
export { startRedis } from "./redis.ts";
export { startRedisCluster } from "./testing/redis-cluster.ts";
export { startRedisWithSentinels, type RedisWithSentinels } from "./testing/redis-sentinel.ts";
export { startS3 } from "./s3.ts";
export type { RunningService, Unavailable } from "./service.ts";
export { startTcpProxy, type TcpProxy, type NetworkFault } from "./testing/tcp-proxy.ts";
export {
  createDatabaseFromTemplate,
  createTestDatabase,
  templateName,
  type TestDatabase,
} from "./testing/test-database.ts";
