import type { Job, KeyScope } from "@atelier/schemas";
import { useStore } from "@nanostores/react";
import { atom } from "nanostores";
import {
  ApiError,
  onResponse,
  onSessionEnd,
  readSession,
  signIn,
  signOut,
  type BrowserSession,
  type Replacement,
  type SignedInMember,
} from "./api.ts";
import { accountQuery, modelsQuery, queryClient } from "./data/queries.ts";
import { abortSession } from "./data/session-signal.ts";
import { hasUnsavedDrafts } from "./data/unsaved-drafts.ts";
import { keepAccount, onOtherAccount, shownAccount } from "./kept-account.ts";
import { followLanguage } from "./language.ts";
import { texts } from "./texts.ts";
import { hideToast, showToast } from "./ui/toast.tsx";

/** `expired`: the service refused the session while it was used. */
type SessionState = "starting" | "asking" | "signed_in" | "signed_out" | "expired" | "unreachable";

/** A link of another account or person, which would replace the session. */
export type LinkQuestion = Replacement & { readonly link: string };

/** The account whose link has just signed in a member without an identity. */
interface IdentityQuestion {
  readonly account: string;
  readonly provider: string;
}

type Question = LinkQuestion | IdentityQuestion;

interface Session {
  readonly state: SessionState;
  /** Why a link did not sign in, or why the session cannot be read. */
  readonly problem: unknown;
  /** The question before a link replaces the session or binds an identity; null in other states. */
  readonly question: Question | null;
  /** Rights of the session's key; empty without one. */
  readonly scopes: readonly KeyScope[];
  /** The person who is signed in; null for a key that belongs to no member. */
  readonly member: SignedInMember | null;
  /** The host of the identity provider of the operator; null without one. */
  readonly identityProvider: string | null;
}

const noRights: Pick<Session, "scopes" | "member"> = { scopes: [], member: null };

const session = atom<Session>({
  state: "starting",
  problem: null,
  question: null,
  identityProvider: null,
  ...noRights,
});
let identityProvider: string | null = null;
let rights: Pick<Session, "scopes" | "member"> = noRights;
let keyId = "";

function setSession(
  state: SessionState,
  problem: unknown = null,
  question: Question | null = null,
): void {
  if (state !== "signed_in") endWork();
  session.set({ state, problem, question, identityProvider, ...rights });
}

/** Stops the loops of requests and removes the message of the account that was shown, with its undo. */
function endWork(): void {
  abortSession();
  hideToast();
}

onSessionEnd(() => {
  if (session.get().state === "signed_in") setSession("expired");
});

// All tabs share the cookie: a tab must not show one account and order for another one.
onOtherAccount(() => {
  endWork();
  // The address may name a job of the account. A tab that shows none may have a link to one of the next account.
  if (shownAccount() !== null) history.replaceState(null, "", "/studio/");
  location.reload();
});

// A link that is opened in a tab with Studio changes only the fragment.
addEventListener("hashchange", () => {
  if (linkOf(location.hash) !== null) void startSession();
});

let isFollowing = false;

/** Reads the rights of the session again, which change with the role of its member or the scopes of its key. */
async function followRights(): Promise<void> {
  if (isFollowing || session.get().state !== "signed_in") return;
  isFollowing = true;
  try {
    const { session: current } = await readSession();
    if (current === null || current.accountId !== shownAccount()) return;
    if (session.get().state !== "signed_in") return;
    // Another tab has signed in as another person of the account.
    if (current.keyId !== keyId) return location.reload();
    const { scopes, member } = current;
    const isSame = scopes.join() === rights.scopes.join() && member?.role === rights.member?.role;
    rights = { scopes, member };
    setSession("signed_in");
    if (isSame) return;
    showToast(texts.shell.rightsChanged);
    void queryClient.invalidateQueries();
  } catch {
    // Read again at the next occasion.
  } finally {
    isFollowing = false;
  }
}

onResponse(({ status }) => {
  if (status === 403) void followRights();
});
addEventListener("focus", () => void followRights());

/** The session of this browser. */
export function useSession(): Session {
  return useStore(session);
}

/** Whether the person who is signed in may change a job: makers change only those that they requested. */
export function mayChange({ key }: Pick<Job, "key">): boolean {
  return rights.member?.role !== "maker" || key?.id === keyId;
}

/**
 * Finds out whether this browser is signed in, after signing in by the link in the fragment of the
 * address, which no server receives. The fragment is removed from the address and the history first.
 */
export async function startSession(): Promise<void> {
  setSession("starting");
  let problem: unknown = null;
  const link = linkOf(location.hash);
  if (link !== null) {
    history.replaceState(null, "", location.pathname + location.search);
    const replaces = await signIn({ link }).catch((error: unknown) => {
      problem = error;
      return null;
    });
    if (replaces !== null) return setSession("asking", null, { ...replaces, link });
  }
  const refusal = refusalOf(location.hash);
  if (refusal !== null) {
    history.replaceState(null, "", location.pathname + location.search);
    const message = texts.signIn.refusals[refusal];
    problem = new ApiError(message, { status: 403, code: refusal });
  }
  await showSession(problem, link !== null && problem === null);
}

/** Replaces the session by the one of a link, or keeps it. */
export async function answerLink({ link }: LinkQuestion, isReplaced: boolean): Promise<void> {
  setSession("starting");
  let problem: unknown = null;
  if (isReplaced) {
    await signIn({ link, replace: true }).catch((error: unknown) => {
      problem = error;
    });
  }
  await showSession(problem, isReplaced && problem === null);
}

/** Shows the pages of the account without an identity. */
export function keepWithoutIdentity(): Promise<void> {
  setSession("starting");
  return showSession(null, false);
}

/**
 * @param problem why a link or a provider did not sign in; null when neither failed.
 * @param isByLink whether a link has just signed in: the member may then be bound to an identity. Studio asks before
 *   it opens the provider, because a link may come from an account that the person does not know.
 */
async function showSession(problem: unknown, isByLink: boolean): Promise<void> {
  try {
    const { session: current, identityProvider: provider } = await readSession();
    identityProvider = provider;
    if (isByLink && provider !== null && current?.member?.has_identity === false) {
      return setSession("asking", null, { account: current.accountName, provider });
    }
    if (current === null) return setSession("signed_out", problem);
    if (takeOver(current) === "reloading") return;
    // The data of the first page arrives while the page is rendered.
    void queryClient.prefetchQuery(modelsQuery);
    void queryClient.prefetchQuery(accountQuery);
    setSession("signed_in");
    if (problem instanceof ApiError && problem.code in texts.signIn.refusals) {
      showToast(problem.message);
    }
  } catch (error) {
    setSession("unreachable", error);
  }
}

/** Why the identity provider did not sign in; null for other fragments. */
function refusalOf(fragment: string): keyof typeof texts.signIn.refusals | null {
  const reason = /^#refused=([a-z]+)$/.exec(fragment)?.[1] ?? "";
  return reason in texts.signIn.refusals ? (reason as keyof typeof texts.signIn.refusals) : null;
}

/** The part of a link that signs in; null for other fragments. */
function linkOf(fragment: string): string | null {
  return /^#link=([\w-]+)/.exec(fragment)?.[1] ?? null;
}

/** Signs in by a key. The page that was open stays open, unless it belonged to another account. */
export async function enterKey(key: string): Promise<void> {
  await signIn({ key });
  const { session: current } = await readSession();
  queryClient.clear();
  if (current !== null && takeOver(current) === "reloading") return setSession("starting");
  setSession(current === null ? "signed_out" : "signed_in");
}

/**
 * Removes what another account left in this browser, and leaves its page.
 *
 * @returns `reloading` when the page is loaded again in the language of the account.
 */
function takeOver(current: BrowserSession): "ready" | "reloading" {
  const { accountId, scopes, member, language } = current;
  rights = { scopes, member };
  // What one person has read is not shown to another one of the account.
  if (keyId !== current.keyId) queryClient.clear();
  ({ keyId } = current);
  if (keepAccount(accountId) === "other") {
    queryClient.clear();
    history.replaceState(null, "", "/studio/");
  }
  return followLanguage(language) ? "reloading" : "ready";
}

/** Save what was typed, before it is removed; each says whether it could. */
export const beforeLeaving = new Set<() => Promise<boolean>>();

/** Saves pending changes. @returns false if this browser then still has changes that the account does not have. */
export async function saveBeforeLeaving(): Promise<boolean> {
  const saves = await Promise.all([...beforeLeaving].map((save) => save()));
  return saves.every((isSaved) => isSaved) && !hasUnsavedDrafts();
}

/**
 * Signs out, and removes drafts, cached data and the address of the page from this browser. Changes that are not
 * saved are lost.
 */
export async function leave(): Promise<void> {
  await signOut();
  queryClient.clear();
  keepAccount(null);
  history.replaceState(null, "", "/studio/");
  setSession("signed_out");
}
