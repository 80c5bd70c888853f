import { once } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { onSavedElsewhere, tellSaved } from "./saved-elsewhere.ts";

describe("a book that is saved", () => {
  it("is told to the other tabs, which read it again, and not to its own", async () => {
    const otherTab = new BroadcastChannel("atelier.books");
    const listener = vi.fn<() => void>();
    const end = onSavedElsewhere("story", listener);
    const received = once(otherTab, "message");
    tellSaved("story");
    expect(((await received) as [MessageEvent])[0].data).toBe("story");
    expect(listener).not.toHaveBeenCalled();
    for (const storyId of ["another story", "story"]) {
      // A channel of one origin has no target.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      otherTab.postMessage(storyId);
    }
    await vi.waitFor(() => expect(listener).toHaveBeenCalled());
    expect(listener).toHaveBeenCalledTimes(1);
    end();
    otherTab.close();
  });
});
