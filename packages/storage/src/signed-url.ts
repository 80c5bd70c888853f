import { createHmac, timingSafeEqual } from "node:crypto";

import { isKey } from "./keys.ts";
import type { SignedUrl, SignOptions } from "./storage.ts";

interface UrlSignerOptions {
  /** The public address of the API, such as `https://images.example.com`; it may have a path. */
  readonly publicUrl: string;
  readonly signingSecret: string;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
}

type Verdict =
  | {
      readonly valid: true;
      readonly key: string;
      readonly downloadName: string;
      readonly expiresAt: Date;
    }
  | { readonly valid: false; readonly reason: "changed" | "expired" };

interface UrlSigner {
  sign(key: string, options: SignOptions): SignedUrl;
  /** Verifies the part after `{publicUrl}/images`: `/<key>?expires=…&name=…&signature=…`. */
  verify(target: string): Verdict;
  /** Returns that part of a URL; null if it does not start with `{publicUrl}/images`. */
  targetOf(url: string): string | null;
}

/**
 * Signs URLs of the form
 * `{publicUrl}/images/{key}?expires=<Unix seconds>&name=<download name>&signature=<base64url>`
 * with HMAC-SHA256 over key, expiry and name.
 */
export function createUrlSigner(options: UrlSignerOptions): UrlSigner {
  const { signingSecret, now } = options;
  if (signingSecret.length < 32) {
    throw new Error("the secret that signs image URLs must have at least 32 characters");
  }
  const base = new URL(`${options.publicUrl.replace(/(?<!\/)\/+$/, "")}/images`);

  // The first line separates these signatures from other uses of the same secret.
  const signatureOf = (key: string, expires: string, name: string): string =>
    createHmac("sha256", signingSecret)
      .update(["atelier image URL", key, expires, name].join("\n"))
      .digest("base64url");

  return {
    sign(key, { expiresInSeconds, downloadName }) {
      // Rounded up, so that no URL lives for less than the requested time.
      const expires = Math.ceil(now() / 1000) + expiresInSeconds;
      const query = new URLSearchParams({
        expires: String(expires),
        name: downloadName,
        signature: signatureOf(key, String(expires), downloadName),
      });
      return {
        url: `${base.href}/${key}?${query.toString()}`,
        expiresAt: new Date(expires * 1000),
      };
    },

    verify(target) {
      const [path, query] = split(target);
      const key = path.slice(1);
      const parameters = new URLSearchParams(query);
      const expires = parameters.get("expires") ?? "";
      const downloadName = parameters.get("name") ?? "";
      const signature = parameters.get("signature") ?? "";
      const authentic =
        path.startsWith("/") &&
        isKey(key) &&
        /^\d{1,12}$/.test(expires) &&
        equalInConstantTime(signature, signatureOf(key, expires, downloadName));
      if (!authentic) return { valid: false, reason: "changed" };
      const expiresAt = new Date(Number(expires) * 1000);
      if (now() >= expiresAt.getTime()) return { valid: false, reason: "expired" };
      return { valid: true, key, downloadName, expiresAt };
    },

    targetOf(url) {
      if (!URL.canParse(url)) return null;
      const { origin, pathname, search } = new URL(url);
      const prefix = `${base.pathname}/`;
      if (origin !== base.origin || !pathname.startsWith(prefix)) return null;
      return pathname.slice(prefix.length - 1) + search;
    },
  };
}

function split(target: string): [string, string] {
  const mark = target.indexOf("?");
  return mark === -1 ? [target, ""] : [target.slice(0, mark), target.slice(mark + 1)];
}

function equalInConstantTime(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
