/**
 * HTTP operations and their tools; where one name is a prefix of another, the longer one is first.
 */
const tools: readonly (readonly [operation: string, tool: string])[] = [
  ["GET /v1/models", "list_models"],
  ["GET /v1/jobs/{id}", "get_job"],
  ["GET /v1/jobs", "list_jobs"],
  ["DELETE /v1/jobs/{id}", "cancel_job"],
  ["POST /v1/uploads", "upload_image"],
  ["GET /v1/characters", "list_characters"],
  ["GET /v1/locations", "list_characters"],
  ["GET /v1/usage", "get_usage"],
  ["POST /v1/quotes", "get_quote"],
  ["GET /v1/account", "check_balance"],
];

/** Replaces HTTP operations in a text by tool names, since an assistant has only tools. */
export function nameTools(text: string): string {
  return tools.reduce((named, [operation, tool]) => named.replaceAll(operation, tool), text);
}
