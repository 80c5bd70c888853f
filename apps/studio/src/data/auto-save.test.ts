import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../api.ts";
import { createAutoSave, type SaveState } from "./auto-save.ts";

const unreachable = new ApiError("no connection", { status: 0, code: "unreachable" });
const refused = new ApiError("too many", { status: 409, code: "too_many_items" });

/** A saver whose requests end when the test says so. */
function start() {
  const requests: { value: string; end: (error?: Error) => void }[] = [];
  const states: SaveState["kind"][] = [];
  const saver = createAutoSave<string>({
    save: (value) =>
      new Promise((resolve, reject) => {
        requests.push({ value, end: (error) => (error === undefined ? resolve() : reject(error)) });
      }),
    onState: ({ kind }) => states.push(kind),
    pauseMs: 800,
    retryMs: 5_000,
  });
  async function end(error?: Error): Promise<void> {
    requests.at(-1)?.end(error);
    await vi.advanceTimersByTimeAsync(0);
  }
  return { saver, states, end, sent: () => requests.map(({ value }) => value) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("an automatic save", () => {
  it("sends the newest value after a pause in changes", async () => {
    const { saver, states, sent, end } = start();
    saver.change("a");
    await vi.advanceTimersByTimeAsync(700);
    saver.change("ab");
    await vi.advanceTimersByTimeAsync(700);
    expect(sent()).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(sent()).toEqual(["ab"]);
    await end();
    expect(states.at(-1)).toBe("saved");
  });

  it("sends one request at a time, and then what changed meanwhile", async () => {
    const { saver, states, sent, end } = start();
    saver.change("a");
    void saver.flush();
    saver.change("b");
    void saver.flush();
    expect(sent()).toEqual(["a"]);
    await end();
    expect(sent()).toEqual(["a", "b"]);
    expect(states).not.toContain("saved");
    await end();
    expect(states.at(-1)).toBe("saved");
  });

  it("tries again while the service cannot be reached", async () => {
    const { saver, states, sent, end } = start();
    saver.change("a");
    void saver.flush();
    await end(unreachable);
    expect(states.at(-1)).toBe("failed");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(sent()).toEqual(["a", "a"]);
    await end();
    expect(states.at(-1)).toBe("saved");
  });

  it("does not repeat a refused request until the next change", async () => {
    const { saver, states, sent, end } = start();
    saver.change("a");
    void saver.flush();
    await end(refused);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent()).toEqual(["a"]);
    expect(states.at(-1)).toBe("failed");
    saver.change("b");
    void saver.flush();
    expect(sent()).toEqual(["a", "b"]);
  });

  it("sends what is left when it is stopped, and does not try again", async () => {
    const { saver, sent, end } = start();
    saver.change("a");
    void saver.stop();
    expect(sent()).toEqual(["a"]);
    await end(unreachable);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent()).toEqual(["a"]);
  });

  it("waits as long as the service says, also when a field is left, but not for the user's retry", async () => {
    const { saver, sent, end } = start();
    saver.change("a");
    void saver.flush();
    await end(new ApiError("later", { status: 503, code: "busy", retryAfterSeconds: 30 }));
    void saver.flush();
    saver.change("b");
    void saver.flush();
    await vi.advanceTimersByTimeAsync(29_000);
    expect(sent()).toEqual(["a"]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent()).toEqual(["a", "b"]);
    await end(unreachable);
    void saver.retry();
    expect(sent()).toEqual(["a", "b", "b"]);
  });

  it("repeats a refused request only when the user asks", async () => {
    const { saver, sent, end } = start();
    saver.change("a");
    void saver.flush();
    await end(refused);
    void saver.flush();
    void saver.stop();
    expect(sent()).toEqual(["a"]);
    void saver.retry();
    expect(sent()).toEqual(["a", "a"]);
  });

  it("stays failed until the newest value is saved", async () => {
    const { saver, states, end } = start();
    saver.change("a");
    void saver.flush();
    await end(unreachable);
    saver.change("b");
    void saver.retry();
    expect(states).toEqual(["saving", "saving", "failed"]);
    await end();
    expect(states.at(-1)).toBe("saved");
    saver.change("c");
    expect(states.at(-1)).toBe("saving");
  });

  it("sends what changed while a request was refused", async () => {
    const { saver, sent, end } = start();
    saver.change("a");
    void saver.flush();
    saver.change("b");
    await end(refused);
    await vi.advanceTimersByTimeAsync(800);
    expect(sent()).toEqual(["a", "b"]);
  });

  it("tells when no request is in progress any more", async () => {
    const { saver, end } = start();
    const onDone = vi.fn<() => void>();
    saver.change("a");
    void saver.flush();
    saver.change("b");
    void saver.retry().then(onDone);
    await end();
    expect(onDone).not.toHaveBeenCalled();
    await end();
    expect(onDone).toHaveBeenCalled();
  });
});
