import { keyPeppers } from "@atelier/configuration";
import { seal, unsealWithAny } from "@atelier/kit";
import type { CookieOptions, Request } from "express";
import * as z from "zod";
import type { ApiConfig } from "../../config.ts";

type AttemptConfig = Pick<ApiConfig, "KEY_PEPPER" | "OLD_KEY_PEPPERS" | "PUBLIC_URL">;

/** Time in which a person signs in at the provider, in milliseconds. */
export const attemptMs = 10 * 60_000;

const purpose = "atelier sign-in attempts";

/** The pages that a sign-in may lead to. */
export const nextPath = z
  .string()
  .regex(
    /^\/(?:stories(?:\/[0-9a-f-]{36})?|library|usage|keys|members|webhooks|skills|account|verify)?$/,
  );

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

export function sealAttempt(value: SignInAttempt, { KEY_PEPPER: secret }: AttemptConfig): string {
  return seal(JSON.stringify(value), { secret, purpose }).toString("base64url");
}

/** The attempt of the browser that sent a request; null for none, and for one that took too long. */
export function readAttempt(request: Request, config: AttemptConfig): SignInAttempt | null {
  const { name } = attemptCookie(config);
  const cookies = (request.get("Cookie") ?? "").split("; ");
  const cookie = cookies.find((one) => one.startsWith(`${name}=`));
  if (cookie === undefined) return null;
  const sealed = Buffer.from(cookie.slice(name.length + 1), "base64url");
  const opened = unsealWithAny(sealed, keyPeppers(config), { purpose });
  if (opened === null) return null;
  const found = attempt.parse(JSON.parse(opened.text));
  return found.expiresAt > Date.now() ? found : null;
}

/** Name and attributes of the cookie, which the browser sends when the provider leads back (`Lax`). */
export function attemptCookie({ PUBLIC_URL }: Pick<AttemptConfig, "PUBLIC_URL">): {
  readonly name: string;
  readonly options: CookieOptions;
} {
  const { protocol, port } = new URL(PUBLIC_URL);
  const secure = protocol === "https:";
  const name = `atelier_sign_in_${port || (secure ? "443" : "80")}`;
  return {
    name: secure ? `__Host-${name}` : name,
    options: { httpOnly: true, sameSite: "lax", secure, path: "/" },
  };
}
