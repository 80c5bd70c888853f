import type { OperatorSession } from "@atelier/schemas/admin";
import { useStore } from "@nanostores/react";
import { atom } from "nanostores";
import { ApiError, onSessionEnd } from "../api.ts";
import { queryClient } from "../data/queries.ts";
import { texts } from "../texts/console.ts";
import { hideToast } from "../ui/toast.tsx";
import { callAdmin } from "./api.ts";

interface Session {
  /** `expired`: the service refused the session while it was used. */
  readonly state: "starting" | "signed_in" | "signed_out" | "expired" | "unreachable";
  /** Why the session cannot be read. */
  readonly problem: unknown;
  /** Who is signed in, and how others sign in; null until it is read. */
  readonly operator: OperatorSession | null;
}

const session = atom<Session>({ state: "starting", problem: null, operator: null });

function setSession(state: Session["state"], part: Partial<Session> = {}): void {
  if (state !== "signed_in") {
    queryClient.clear();
    hideToast();
  }
  session.set({ ...session.get(), state, problem: null, ...part });
}

onSessionEnd(() => {
  if (session.get().state === "signed_in") setSession("expired");
});

/** The session of this browser at the admin port. */
export function useSession(): Session {
  return useStore(session);
}

/** Whether the session may change anything: support only reads. */
export function useCanWrite(): boolean {
  return useSession().operator?.role === "operator";
}

/** Finds out whether this browser is signed in. */
export async function startSession(): Promise<void> {
  setSession("starting");
  try {
    const operator = await callAdmin("GET /admin/v1/session", {});
    setSession(operator.role === null ? "signed_out" : "signed_in", { operator });
  } catch (problem) {
    setSession("unreachable", { problem });
  }
}

/**
 * Signs in by a key of the operators. The page that was open stays open.
 *
 * @throws ApiError also when the browser does not take the cookie of the session.
 */
export async function enterKey(key: string): Promise<void> {
  await callAdmin("POST /admin/v1/session", { body: { key } });
  const operator = await callAdmin("GET /admin/v1/session", {});
  if (operator.role === null) {
    throw new ApiError(texts.console.session.noCookie, { status: 0, code: "no_cookie" });
  }
  setSession("signed_in", { operator });
}

/** Ends the session of this browser. */
export async function leave(): Promise<void> {
  await callAdmin("DELETE /admin/v1/session", {});
  setSession("signed_out");
}

/** Leads to the identity provider of the operators, which leads back to the console. */
export async function leaveForProvider(): Promise<void> {
  const { url } = await callAdmin("POST /admin/v1/session/oidc", {});
  location.assign(url);
}
