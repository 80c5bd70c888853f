import { studioPage } from "@atelier/schemas/studio-pages";
import type { Request } from "express";
import * as z from "zod";
import {
  describeCookie,
  readSealedContent,
  sealForCookie,
  type CookieConfig,
  type SealedCookie,
} from "../sealed-cookie.ts";

/** Time in which a person signs in at the provider, in milliseconds. */
export const attemptMs = 10 * 60_000;

/** The browser sends it when the provider leads back (`Lax`). */
const cookie: SealedCookie = {
  name: "atelier_sign_in",
  purpose: "atelier sign-in attempts",
  sameSite: "lax",
};

/** The pages that a sign-in may lead to. */
export const nextPath = z.string().regex(studioPage);

const attempt = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: nextPath,
  /** The member whose identity it will be; null to find the member by the identity. */
  bindTo: z.strictObject({ accountId: z.uuid(), keyId: z.uuid() }).nullable(),
  /** The session of the browser, which ends with the sign-in; the callback doesn't get its `Strict` cookie. */
  earlierSession: z.uuid().nullable(),
  expiresAt: z.number(),
});

/** A sign-in that has begun in a browser, and is kept by it. */
export type SignInAttempt = z.infer<typeof attempt>;

export function sealAttempt(value: SignInAttempt, config: CookieConfig): string {
  return sealForCookie(cookie, JSON.stringify(value), config);
}

/** The attempt of the browser that sent a request; null without one, and for one that took too long. */
export function readAttempt(request: Request, config: CookieConfig): SignInAttempt | null {
  return readSealedContent(cookie, attempt, request, config);
}

/** Name and attributes of the cookie. */
export function attemptCookie(config: Pick<CookieConfig, "PUBLIC_URL">) {
  return describeCookie(cookie, config);
}
