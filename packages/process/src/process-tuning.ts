/** Environment and flags of all program processes; the Dockerfile sets the same. */
export const processTuning = {
  // Image encoding and the file system share libuv's thread pool; the default of four is too few.
  UV_THREADPOOL_SIZE: "16",
  // With one malloc arena per thread, glibc keeps hundreds of megabytes of freed pixels. A second arena
  // costs 20 MB and makes no image faster.
  MALLOC_ARENA_MAX: "1",
  // Few objects are short-lived here; a larger young generation would only hold garbage longer.
  NODE_OPTIONS: "--max-semi-space-size=4",
} as const;
