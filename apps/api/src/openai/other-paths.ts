/**
 * Paths of OpenAI's API that this service does not have. Their errors are in OpenAI's format, so that its
 * clients say which request does not exist.
 */
export const otherPaths = [
  "assistants",
  "audio",
  "chat",
  "completions",
  "containers",
  "conversations",
  "embeddings",
  "engines",
  "evals",
  "fine_tuning",
  "moderations",
  "organization",
  "realtime",
  "responses",
  "threads",
  "vector_stores",
  "videos",
].map((name) => `/v1/${name}`);
