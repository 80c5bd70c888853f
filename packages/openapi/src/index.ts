export { createAdminDocument, createOpenApiDocument } from "./create-document.ts";
export type { OpenApiDocument } from "./openapi-document.ts";
