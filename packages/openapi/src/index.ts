export { createOpenApiDocument, type OpenApiDocument } from "./create-document.ts";
