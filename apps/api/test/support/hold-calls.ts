import type { Stack } from "@atelier/testing";

/** Calls that the fake provider holds until a test releases them. */
interface HeldCalls {
  /** Resolves when the first call has arrived. */
  readonly called: Promise<void>;
  /** Returns an image to these calls and to all later ones. */
  release(): void;
}

/** Makes the fake provider hold all calls, so that jobs stay in progress. */
export function holdCalls(provider: Stack["provider"]): HeldCalls {
  const called = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  provider.behave(async () => {
    called.resolve();
    await released.promise;
    return { kind: "image" };
  });
  return { called: called.promise, release: () => released.resolve() };
}
