/** Reads the lines of a body in UTF-8, without empty ones. */
export async function* readLines(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split("\n");
      rest = done ? "" : (lines.pop() ?? "");
      yield* lines.filter((line) => line !== "");
      if (done) return;
    }
  } finally {
    // Also when the consumer stops early.
    await reader.cancel().catch(() => undefined);
  }
}
