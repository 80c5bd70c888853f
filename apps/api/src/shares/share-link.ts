import { randomBytes } from "node:crypto";
import type { ApiConfig } from "../config.ts";

/** A token with 128 random bits. */
export function makeToken(): string {
  return randomBytes(16).toString("base64url");
}

/** Whether a text has the form of a token. */
export function isToken(text: string): boolean {
  return /^[\w-]{22}$/.test(text);
}

/** The link with a token. */
export function shareUrl({ PUBLIC_URL }: Pick<ApiConfig, "PUBLIC_URL">, token: string): string {
  return `${PUBLIC_URL}/s/${token}`;
}
