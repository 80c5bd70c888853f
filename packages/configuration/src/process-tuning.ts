/** What the programs' own processes are started with, wherever they run; the Dockerfile has the same. */
export const processTuning = {
  // Encoding and the file system share libuv's threads: with its four they wait for each other.
  UV_THREADPOOL_SIZE: "16",
  // With an arena for each of them, glibc keeps hundreds of megabytes of freed pixels; with a second
  // one, 20 more, and no image is made sooner.
  MALLOC_ARENA_MAX: "1",
  // Young objects are few here; room for more would only be filled with dead ones.
  NODE_OPTIONS: "--max-semi-space-size=4",
} as const;
