let channel: BroadcastChannel | undefined;

/** The channel of all tabs. A tab does not receive what it sends itself. */
function openChannel(): BroadcastChannel {
  channel ??= new BroadcastChannel("atelier.books");
  return channel;
}

/** Tells the other tabs of this browser that the account has another book for a story. */
export function tellSaved(storyId: string): void {
  // A channel of one origin has no target.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  openChannel().postMessage(storyId);
}

/**
 * Calls the listener when another tab saved the book of a story.
 *
 * @returns ends that.
 */
export function onSavedElsewhere(storyId: string, listener: () => void): () => void {
  const open = openChannel();
  function onMessage({ data }: MessageEvent): void {
    if (data === storyId) listener();
  }
  open.addEventListener("message", onMessage);
  return () => open.removeEventListener("message", onMessage);
}
