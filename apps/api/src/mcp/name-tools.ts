/** The tools that do what operations over HTTP do; the longer name first where one begins another. */
const tools: readonly (readonly [operation: string, tool: string])[] = [
  ["GET /v1/models", "list_models"],
  ["GET /v1/jobs/{id}", "get_job"],
  ["GET /v1/jobs", "list_jobs"],
  ["DELETE /v1/jobs/{id}", "cancel_job"],
  ["GET /v1/account", "check_balance"],
];

/** Names tools in a text that names operations over HTTP: an assistant has only those. */
export function nameTools(text: string): string {
  return tools.reduce((named, [operation, tool]) => named.replaceAll(operation, tool), text);
}
