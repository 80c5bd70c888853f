import { keyPeppers } from "@atelier/configuration";
import { seal, unsealWithAny } from "@atelier/kit";
import type { CookieOptions, Request } from "express";
import type * as z from "zod";
import type { ApiConfig } from "../config.ts";

export type CookieConfig = Pick<ApiConfig, "KEY_PEPPER" | "OLD_KEY_PEPPERS" | "PUBLIC_URL">;

/** A cookie with a text that only this installation can create and read. */
export interface SealedCookie {
  readonly name: string;
  /** Separates its texts from other sealed ones. */
  readonly purpose: string;
  readonly sameSite: "strict" | "lax";
  /** Whether it is `Secure` also over HTTP, where some browsers take it from localhost only. Default: false. */
  readonly isAlwaysSecure?: boolean;
}

/** Seals a text for a cookie. */
export function sealForCookie(
  { purpose }: SealedCookie,
  text: string,
  { KEY_PEPPER: secret }: CookieConfig,
): string {
  return seal(text, { secret, purpose }).toString("base64url");
}

/** The text in the cookie of a request; null without one that this installation created. */
export function readSealedCookie(
  cookie: SealedCookie,
  request: Request,
  config: CookieConfig,
): string | null {
  const { name } = describeCookie(cookie, config);
  const cookies = (request.get("Cookie") ?? "").split("; ");
  const sent = cookies.find((one) => one.startsWith(`${name}=`));
  if (sent === undefined) return null;
  const sealed = Buffer.from(sent.slice(name.length + 1), "base64url");
  return unsealWithAny(sealed, keyPeppers(config), { purpose: cookie.purpose })?.text ?? null;
}

/** The content of a cookie, as JSON; null without one, once it has expired, and for another version's. */
export function readSealedContent<Content extends { readonly expiresAt: number }>(
  cookie: SealedCookie,
  schema: z.ZodType<Content>,
  request: Request,
  config: CookieConfig,
): Content | null {
  const text = readSealedCookie(cookie, request, config);
  if (text === null) return null;
  const content = schema.safeParse(JSON.parse(text)).data;
  return content !== undefined && content.expiresAt > Date.now() ? content : null;
}

/**
 * Name and attributes of a cookie. Browsers share cookies between all ports of a host, so the name
 * contains the port: two services on one host do not sign each other out. Browsers accept the prefix
 * `__Host-` only over HTTPS, and only from this host (RFC 6265bis, section 4.1.3.2).
 */
export function describeCookie(
  { name: kind, sameSite, isAlwaysSecure = false }: SealedCookie,
  { PUBLIC_URL }: Pick<CookieConfig, "PUBLIC_URL">,
): { readonly name: string; readonly options: CookieOptions } {
  const { protocol, port } = new URL(PUBLIC_URL);
  const isHttps = protocol === "https:";
  const secure = isHttps || isAlwaysSecure;
  const name = `${kind}_${port || (isHttps ? "443" : "80")}`;
  return {
    name: secure ? `__Host-${name}` : name,
    options: { httpOnly: true, sameSite, secure, path: "/" },
  };
}
