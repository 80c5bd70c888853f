export { chromiumArguments, findChromium, type FoundChromium } from "./services/chromium.ts";
export { freePorts } from "./services/free-ports.ts";
export { startPostgres } from "./services/postgres.ts";
export { startRedis } from "./services/redis.ts";
export { startS3 } from "./services/s3.ts";
export type { RunningService, Unavailable } from "./services/service.ts";
export { startTcpProxy, type TcpProxy, type Trouble } from "./services/tcp-proxy.ts";
export {
  createDatabaseFromTemplate,
  createTestDatabase,
  templateName,
  type TestDatabase,
} from "./test-database.ts";
