export { startServerProcess } from "./child-process.ts";
export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from "./embedded-postgres/embedded-postgres.ts";
export { chromiumArguments, findChromium, type FoundChromium } from "./chromium.ts";
export {
  defaultCacheDirectory,
  findPython,
  type UnpackedPackages,
  unpackDebianPackages,
} from "./debian-packages.ts";
export { startCrashingPostgres, type CrashingPostgres } from "./crashing-postgres.ts";
export { countRowsRead, explainStatements, type PlanNode } from "./explain.ts";
export { freePorts } from "./free-ports.ts";
export { findHaproxy, type FoundHaproxy } from "./haproxy.ts";
export { startPgBouncer } from "./pgbouncer.ts";
export { startPostgres } from "./postgres.ts";
export { startRedis } from "./redis.ts";
export { startRedisCluster } from "./redis-cluster.ts";
export { startRedisWithSentinels, type RedisWithSentinels } from "./redis-sentinel.ts";
export { startS3 } from "./s3.ts";
export type { RunningService, Unavailable } from "./service.ts";
export { startTcpProxy, type TcpProxy, type NetworkFault } from "./tcp-proxy.ts";
export {
  createDatabaseFromTemplate,
  createTestDatabase,
  templateName,
  type TestDatabase,
} from "./test-database.ts";
