import { createHash } from "node:crypto";
import { ConfigError } from "@atelier/configuration";
import type { OperatorRole } from "@atelier/schemas/admin";
import type { CookieOptions, Request } from "express";
import * as z from "zod";
import type { ApiConfig } from "../config.ts";
import {
  describeCookie,
  readSealedContent,
  sealForCookie,
  type CookieConfig,
  type SealedCookie,
} from "../studio/sealed-cookie.ts";

/** Who is signed in to the console. */
export interface Operator {
  /** As in the operator log, such as `console:anna@example.com`. */
  readonly actor: string;
  readonly role: OperatorRole;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The reason why somebody may sign in: the role follows from it and from the settings at each request. */
const grant = z.strictObject({
  by: z.enum(["operator-key", "support-key", "email", "group"]),
  /** The e-mail address or the group; of the key of support, its fingerprint. */
  value: z.string(),
});
export type Grant = z.infer<typeof grant>;

const content = z.strictObject({ grant, actor: z.string(), expiresAt: z.number() });

/** How long a session lasts, in milliseconds. It is not renewed. */
const sessionMs = 8 * 3_600_000;

/** The settings of the console. */
export type ConsoleConfig = Pick<
  ApiConfig,
  | "ADMIN_PORT"
  | "ADMIN_URL"
  | "FAILED_AUTHENTICATIONS_PER_MINUTE"
  | "KEY_PEPPER"
  | "OIDC_CLIENT_ID"
  | "OIDC_GROUP_CLAIM"
  | "OIDC_ISSUER"
  | "OIDC_OPERATOR_CLIENT_ID"
  | "OIDC_OPERATOR_CLIENT_SECRET"
  | "OIDC_OPERATOR_ROLES"
  | "SUPPORT_KEY"
> & { readonly ADMIN_KEY: string };

const cookie: SealedCookie = {
  name: "atelier_console",
  purpose: "atelier console sessions",
  sameSite: "strict",
  isAlwaysSecure: true,
};

/**
 * The secret of its cookies has the key of the operators: with another one, all sessions end. The pepper keeps those who
 * have a cookie from guessing that key.
 */
export function cookieConfig({ ADMIN_KEY, ADMIN_PORT, KEY_PEPPER }: ConsoleConfig): CookieConfig {
  const port = ADMIN_PORT === 0 ? "" : `:${ADMIN_PORT}`;
  const secret = JSON.stringify([KEY_PEPPER, ADMIN_KEY]);
  return { KEY_PEPPER: secret, OLD_KEY_PEPPERS: [], PUBLIC_URL: `http://localhost${port}` };
}

/** The cookie of a new session. */
export function openSession(
  given: Grant,
  actor: string,
  config: ConsoleConfig,
): {
  readonly name: string;
  readonly value: string;
  readonly options: CookieOptions;
  readonly expiresAt: number;
} {
  const sealing = cookieConfig(config);
  const { name, options } = describeCookie(cookie, sealing);
  const expiresAt = Date.now() + sessionMs;
  const session = { grant: given, actor, expiresAt };
  return {
    name,
    expiresAt,
    value: sealForCookie(cookie, JSON.stringify(session), sealing),
    options: { ...options, maxAge: sessionMs },
  };
}

/** Name and attributes of the cookie. */
export function sessionCookie(config: ConsoleConfig) {
  return describeCookie(cookie, cookieConfig(config));
}

/** Who sent a request; null without a session, and once it has ended or lost its role. */
export function readOperator(request: Request, config: ConsoleConfig): Operator | null {
  const session = readSealedContent(cookie, content, request, cookieConfig(config));
  if (session === null) return null;
  const { grant: given, actor, expiresAt } = session;
  const role = roleOf(given, config);
  return role && { actor, role, expiresAt };
}

/** The role that the settings give now; null for none. */
export function roleOf({ by, value }: Grant, config: ConsoleConfig): OperatorRole | null {
  switch (by) {
    case "operator-key":
      return "operator";
    case "support-key":
      return value === fingerprintOf(config.SUPPORT_KEY ?? "") ? "support" : null;
    case "email":
    case "group":
      return config.OIDC_OPERATOR_ROLES.find(({ who }) => who === `${by}:${value}`)?.role ?? null;
  }
}

/** A hash by which a session recognises the key that opened it. */
export function fingerprintOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, 22);
}

/**
 * The settings of the sign-in with an identity provider; null without it.
 *
 * @throws ConfigError for settings of the console that contradict each other.
 */
export function operatorClient(
  config: Omit<ConsoleConfig, "ADMIN_KEY"> & { readonly ADMIN_KEY?: string | undefined },
): { readonly issuer: URL; readonly clientId: string; readonly redirectUri: string } | null {
  const { ADMIN_URL, OIDC_CLIENT_ID, OIDC_ISSUER, OIDC_OPERATOR_CLIENT_ID: clientId } = config;
  if (config.SUPPORT_KEY !== undefined && config.SUPPORT_KEY === config.ADMIN_KEY) {
    throw new ConfigError("SUPPORT_KEY: is ADMIN_KEY, which may do everything. Choose another one");
  }
  if (clientId === undefined) {
    if (config.OIDC_OPERATOR_ROLES.length === 0) return null;
    throw new ConfigError("OIDC_OPERATOR_ROLES: needs OIDC_OPERATOR_CLIENT_ID. Set both or none");
  }
  if (OIDC_ISSUER === undefined || ADMIN_URL === undefined) {
    throw new ConfigError("OIDC_OPERATOR_CLIENT_ID: needs OIDC_ISSUER and ADMIN_URL. Set both");
  }
  if (clientId === OIDC_CLIENT_ID) {
    throw new ConfigError(
      "OIDC_OPERATOR_CLIENT_ID: is the client of Studio. Register another one for the console, so that an ID token of one is not valid for the other",
    );
  }
  const redirectUri = `${ADMIN_URL}/admin/oidc/callback`;
  return { issuer: new URL(OIDC_ISSUER), clientId, redirectUri };
}
