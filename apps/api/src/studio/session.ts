import type { Request } from "express";
import * as z from "zod";
import { isFromStudio } from "./is-from-studio.ts";
import {
  describeCookie,
  readSealedCookie,
  sealForCookie,
  type CookieConfig,
  type SealedCookie,
} from "./sealed-cookie.ts";

/** How long a session lasts, in milliseconds. */
export const sessionMs = 12 * 3_600_000;

const sessionId = z.uuid();

const cookie: SealedCookie = {
  name: "atelier_session",
  purpose: "atelier studio session ids",
  sameSite: "strict",
};

/**
 * Seals the id of a session for its cookie: the rows of the database open no session without the
 * pepper, and a cookie that this installation did not create is refused without a query.
 */
export function sealSession(id: string, config: CookieConfig): string {
  return sealForCookie(cookie, id, config);
}

/** The session id of a request; null for a request without a cookie, or not from Studio. */
export function readSession(request: Request, config: CookieConfig): string | null {
  if (!isFromStudio(request)) return null;
  return sessionId.safeParse(readSealedCookie(cookie, request, config)).data ?? null;
}

/** Name and attributes of the cookie. */
export function sessionCookie(config: Pick<CookieConfig, "PUBLIC_URL">) {
  return describeCookie(cookie, config);
}
