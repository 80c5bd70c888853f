import { keyPeppers } from "@atelier/configuration";
import { seal, unsealWithAny } from "@atelier/kit";
import type { CookieOptions, Request } from "express";
import * as z from "zod";
import type { ApiConfig } from "../config.ts";
import { isFromStudio } from "./is-from-studio.ts";

type SessionConfig = Pick<ApiConfig, "KEY_PEPPER" | "OLD_KEY_PEPPERS" | "PUBLIC_URL">;

/** How long a session lasts, in milliseconds. */
export const sessionMs = 12 * 3_600_000;

const sessionId = z.uuid();

const purpose = "atelier studio session ids";

/**
 * Seals the id of a session for its cookie: the rows of the database open no session without the
 * pepper, and a cookie that this installation did not create is refused without a query.
 */
export function sealSession(id: string, config: SessionConfig): string {
  return seal(id, { secret: config.KEY_PEPPER, purpose }).toString("base64url");
}

/** The session id of a request; null for a request without a cookie, or not from Studio. */
export function readSession(request: Request, config: SessionConfig): string | null {
  if (!isFromStudio(request)) return null;
  const { name } = sessionCookie(config);
  const cookies = (request.get("Cookie") ?? "").split("; ");
  const cookie = cookies.find((one) => one.startsWith(`${name}=`));
  return cookie === undefined ? null : openSession(cookie.slice(name.length + 1), config);
}

function openSession(sealed: string, config: SessionConfig): string | null {
  const opened = unsealWithAny(Buffer.from(sealed, "base64url"), keyPeppers(config), { purpose });
  return sessionId.safeParse(opened?.text).data ?? null;
}

/**
 * Name and attributes of the cookie. Browsers share cookies between all ports of a host, so the name
 * contains the port: two services on one host do not sign each other out. Browsers accept the prefix
 * `__Host-` only over HTTPS, and only from this host (RFC 6265bis, section 4.1.3.2).
 */
export function sessionCookie({ PUBLIC_URL }: Pick<SessionConfig, "PUBLIC_URL">): {
  readonly name: string;
  readonly options: CookieOptions;
} {
  const { protocol, port } = new URL(PUBLIC_URL);
  const secure = protocol === "https:";
  const name = `atelier_session_${port || (secure ? "443" : "80")}`;
  return {
    name: secure ? `__Host-${name}` : name,
    options: { httpOnly: true, sameSite: "strict", secure, path: "/" },
  };
}
