export type {} from "./provided-context.ts";
export { createTestDatabase, type TestDatabase } from "./test-database.ts";
