export { createDatabaseFromTemplate, templateName } from "../test-database.ts";
export { freePorts } from "./free-ports.ts";
export { startRedis } from "./redis.ts";
