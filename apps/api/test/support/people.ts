import { memberRole, type MemberRole } from "@atelier/schemas";
import type { Stack, TestAccount } from "@atelier/testing";
import * as z from "zod";
import { askAsPage, cookieOf, signIn } from "./studio.ts";

const invited = z.object({
  id: z.uuid(),
  key_id: z.uuid(),
  role: memberRole,
  link: z.string(),
});

/** A signed-in member of an account. */
export interface Person {
  readonly id: string;
  readonly keyId: string;
  readonly cookie: string;
  readonly ask: (method: string, path: string, body?: object) => Promise<Response>;
}

/** The part of a link's URL that signs in. */
export const secretOf = (link: string) => link.split("#link=")[1] ?? "";

/** Signs in with a link. @returns the cookie; empty when the link is refused. */
export async function signInWith(stack: Stack, link: string): Promise<string> {
  return cookieOf(await signIn(stack.url, { link: secretOf(link), replace: true }));
}

/** Invites a member with the key of an account, and signs it in. */
export async function addPerson(
  stack: Stack,
  account: Pick<TestAccount, "key">,
  role: MemberRole,
  email: string | null = null,
): Promise<Person> {
  const body = { name: `a ${role}`, email, role };
  const response = await stack.request(account, "POST", "/v1/members", body);
  const { id, key_id, link } = invited.parse(await response.json());
  const cookie = await signInWith(stack, link);
  return { id, keyId: key_id, cookie, ask: askWith(stack, cookie) };
}

/** Sends requests with the cookie of a session. */
export function askWith(stack: Stack, cookie: string): Person["ask"] {
  return (method, path, body) =>
    askAsPage(stack.url, { method, path, cookie, ...(body !== undefined && { body }) });
}
