import { seal, unseal } from "@atelier/kit";
import type { CookieOptions, Request } from "express";
import * as z from "zod";
import type { ApiConfig } from "../config.ts";
import { isFromStudio } from "./is-from-studio.ts";

type SessionConfig = Pick<ApiConfig, "KEY_PEPPER" | "PUBLIC_URL">;

/** How long a session lasts, in milliseconds. */
export const sessionMs = 12 * 3_600_000;

const session = z.strictObject({
  key: z.string(),
  /** In milliseconds since 1970. */
  expires_at: z.int(),
});

/**
 * Seals a key for the cookie of a session. The service stores nothing: a session ends when it expires
 * or its key is refused.
 *
 * @param now in milliseconds since 1970.
 */
export function createSession(key: string, config: SessionConfig, now = Date.now()): string {
  const content: z.infer<typeof session> = { key, expires_at: now + sessionMs };
  return seal(JSON.stringify(content), sealing(config)).toString("base64url");
}

/** The key of a request's session; null for a request without one, or not from Studio. */
export function readSession(request: Request, config: SessionConfig): string | null {
  if (!isFromStudio(request)) return null;
  const { name } = sessionCookie(config);
  const cookies = (request.get("Cookie") ?? "").split("; ");
  const cookie = cookies.find((one) => one.startsWith(`${name}=`));
  return cookie === undefined ? null : openSession(cookie.slice(name.length + 1), config);
}

function openSession(sealed: string, config: SessionConfig): string | null {
  try {
    const text = unseal(Buffer.from(sealed, "base64url"), sealing(config));
    const { key, expires_at } = session.parse(JSON.parse(text));
    return expires_at > Date.now() ? key : null;
  } catch {
    return null;
  }
}

function sealing({ KEY_PEPPER: secret }: SessionConfig) {
  return { secret, purpose: "atelier studio sessions" };
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
