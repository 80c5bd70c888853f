import * as z from "zod";
import { timestamp } from "../fields.ts";
import { endpoint, json } from "../endpoints/endpoint.ts";

const tag = "Session";

/** The roles of people at the admin port. */
export const operatorRole = z.enum(["operator", "support"]).meta({
  id: "OperatorRole",
  description: "`operator`: everything. `support`: read.",
});
export type OperatorRole = z.infer<typeof operatorRole>;

const session = z
  .strictObject({
    actor: z.string().nullable().meta({
      description:
        "The operator who is signed in, by the name in the operator log; null without a session.",
    }),
    role: operatorRole.nullable(),
    expires_at: timestamp.nullable(),
    identity_provider: z.string().nullable().meta({
      description: "Host of the OpenID Connect provider that signs operators in; null for none.",
    }),
    version: z.string().meta({ description: "Of the service." }),
  })
  .meta({ id: "OperatorSession" });
export type OperatorSession = z.infer<typeof session>;

const signedIn: OperatorSession = {
  actor: "console:operator-key",
  role: "operator",
  expires_at: "2026-11-30T20:00:00.000Z",
  identity_provider: null,
  version: "0.4.0",
};

export const readOperatorSession = endpoint({
  id: "readOperatorSession",
  route: "GET /admin/v1/session",
  tag,
  summary: "Read the session",
  description: "Who is signed in in this browser. Needs no session.",
  scope: [],
  results: { 200: json("The session.", session, { session: ["Signed in", signedIn] }) },
});

export const signInOperator = endpoint({
  id: "signInOperator",
  route: "POST /admin/v1/session",
  tag,
  summary: "Sign in with a key",
  description:
    "Sets the cookie of a session of eight hours. `ADMIN_KEY` signs in an operator, `SUPPORT_KEY` one of support.",
  scope: [],
  body: {
    schema: z
      .strictObject({ key: z.string().min(1).max(1_000) })
      .meta({ id: "OperatorSignInRequest" }),
    examples: { request: [null, { key: "<the value of ADMIN_KEY>" }] },
  },
  results: { 200: json("The session.", session, { session: ["Signed in", signedIn] }) },
});

export const signOutOperator = endpoint({
  id: "signOutOperator",
  route: "DELETE /admin/v1/session",
  tag,
  summary: "Sign out",
  description: "Removes the cookie from the browser.",
  scope: [],
  results: { 204: "The browser has no session." },
});

export const beginOperatorSignIn = endpoint({
  id: "beginOperatorSignIn",
  route: "POST /admin/v1/session/oidc",
  tag,
  summary: "Begin a sign-in with the identity provider",
  description:
    "Returns the page of the identity provider. It leads back to `/admin/oidc/callback`, which sets the cookie and opens `/admin/`, or `/admin/#refused=<reason>`. The browser must send the cookie of this response there.",
  scope: [],
  results: {
    200: json("Where to sign in.", z.strictObject({ url: z.url() }).meta({ id: "SignInPage" }), {
      page: [
        "A page of the provider",
        { url: "https://id.example.com/authorize?client_id=console" },
      ],
    }),
  },
  errors: ["overloaded"],
});

/** `/admin/v1/session`. */
export const sessionEndpoints = [
  readOperatorSession,
  signInOperator,
  signOutOperator,
  beginOperatorSignIn,
] as const;
