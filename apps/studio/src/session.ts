import { useSyncExternalStore } from "react";
import { onSessionEnd, readSession, signIn, signOut } from "./api.ts";
import { accountQuery, modelsQuery, queryClient } from "./data/queries.ts";

/** `expired`: the service refused the session while it was used. */
type SessionState = "starting" | "signed_in" | "signed_out" | "expired" | "unreachable";

interface Session {
  readonly state: SessionState;
  /** Why a link did not sign in. */
  readonly problem: unknown;
}

let session: Session = { state: "starting", problem: null };
const listeners = new Set<() => void>();

function setSession(state: SessionState, problem: unknown = null): void {
  session = { state, problem };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

onSessionEnd(() => {
  if (session.state === "signed_in") setSession("expired");
});

/** The session of this browser. */
export function useSession(): Session {
  return useSyncExternalStore(subscribe, () => session);
}

/**
 * Finds out whether this browser is signed in, after signing in by the link in the fragment of the
 * address, which no server receives. The fragment is removed from the address and the history first.
 */
export async function startSession(): Promise<void> {
  let problem: unknown = null;
  const link = /^#link=(.+)$/.exec(location.hash)?.[1];
  if (link !== undefined) {
    history.replaceState(null, "", location.pathname + location.search);
    await signIn({ link: decodeURIComponent(link) }).catch((error: unknown) => {
      problem = error;
    });
  }
  try {
    const isSignedIn = await readSession();
    // The data of the first page arrives while the page is rendered.
    if (isSignedIn) {
      void queryClient.prefetchQuery(modelsQuery);
      void queryClient.prefetchQuery(accountQuery);
    }
    setSession(isSignedIn ? "signed_in" : "signed_out", problem);
  } catch {
    setSession("unreachable");
  }
}

/** Signs in by a key. The page that was open stays open. */
export async function enterKey(key: string): Promise<void> {
  await signIn({ key });
  queryClient.clear();
  setSession("signed_in");
}

/** Signs out and removes from this browser what was typed and read. */
export async function leave(): Promise<void> {
  await signOut();
  queryClient.clear();
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith("atelier.draft.")) localStorage.removeItem(name);
  }
  setSession("signed_out");
}
