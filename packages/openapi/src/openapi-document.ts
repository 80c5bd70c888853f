import type { createDocument } from "zod-openapi";

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = ReturnType<typeof createDocument>;
