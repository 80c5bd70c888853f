import {
  serviceVariables,
  signerVariables,
  telemetryVariables,
  variable,
} from "@atelier/configuration";
import { memberRole } from "@atelier/schemas";
import { operatorRole } from "@atelier/schemas/admin";
import * as z from "zod";

/**
 * At most one day: lifecycle rules of a bucket count in days, and expire files by age, including
 * those of unfinished jobs (decision 012).
 */
const deadline = variable.seconds.max(86_400);

const contact = z.union([z.email(), variable.httpUrl], {
  error: "must be an e-mail address or an http:// or https:// URL",
});

/** An account and a role, as `account-id:role`. */
const groupRole = z
  .string()
  .transform((text) => {
    const [accountId, role] = text.split(":");
    return { accountId, role };
  })
  .pipe(z.object({ accountId: z.uuid(), role: memberRole }));

/** A person or a group of the identity provider, and its role in the operators' console. */
const operatorGrant = z.object({
  who: z
    .string()
    .regex(/^(?:email|group):\S+$/)
    .transform((who) => (who.startsWith("email:") ? who.toLowerCase() : who)),
  role: operatorRole,
});

/** Whether browsers take the cookie of the console at an address, and its pages are there. */
function isConsoleUrl(text: string): boolean {
  const { protocol, hostname, pathname } = new URL(text);
  return pathname === "/" && (protocol === "https:" || isLoopback(hostname));
}

/** Whether a name or an address of a URL is that of this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

/** All environment variables of the API. */
export const apiConfig = z.object({
  ...serviceVariables,
  ...telemetryVariables,
  HOST: z.string().default("0.0.0.0"),
  PORT: variable.port.default(3_000),
  /** Address of Bull Board; loopback by default. */
  ADMIN_HOST: z.string().default("127.0.0.1"),
  ADMIN_PORT: variable.port.default(3_001),
  /**
   * Delay on SIGTERM during which the API still takes requests while `/readyz` fails, so that load
   * balancers stop sending any; and then the timeout for requests in progress.
   */
  DRAIN_DELAY_SECONDS: variable.secondsOrNone.default(0),
  DRAIN_SECONDS: variable.seconds.default(5),
  /** Key of the admin port, which stays closed without one. */
  ADMIN_KEY: variable.secret.optional(),
  /** Address of the admin port for browsers, if it is not opened at localhost. */
  ADMIN_URL: variable.httpBaseUrl
    .refine(isConsoleUrl, "must be an https:// URL without a path; http:// is for localhost only")
    .optional(),
  /** Key that signs in to the operators' console for reading only. */
  SUPPORT_KEY: variable.secret.optional(),
  /** Chains the operator log, as for commands: the console writes nothing without the key that the log has. */
  OPERATOR_LOG_KEY: variable.secret.optional(),
  /**
   * Timeout of idle connections. It must exceed the one of the proxy in front: a proxy that reuses a
   * connection while this server closes it responds with 502.
   */
  KEEP_ALIVE_SECONDS: variable.seconds.default(125),
  /** Maximum number of open connections; a new one replaces the one that has been idle longest. */
  MAX_CONNECTIONS: variable.positive.default(10_000),
  /** Proxies whose `X-Forwarded-For` is trusted: addresses and CIDR blocks. */
  TRUSTED_PROXIES: variable.networks,
  /** Origins whose pages may use `/v1` with a key in a header; `*` for all, with keys that have a budget. */
  CORS_ORIGINS: variable.origins,
  /** Whether requests are refused whose `Host` is not localhost with the port of `PUBLIC_URL`. */
  LOCAL_ONLY: z.enum(["on", "off"]).default("off"),
  /** OpenID Connect provider that signs members in to Studio; without one, they sign in by links. */
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: "must be an http:// or https:// URL" })
    .optional(),
  /** The name and the secret by which the provider knows this service. */
  OIDC_CLIENT_ID: z.string().min(1).default("atelier"),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  /** The same for the operators' console, which needs a client of its own, and ADMIN_URL. */
  OIDC_OPERATOR_CLIENT_ID: z.string().min(1).optional(),
  OIDC_OPERATOR_CLIENT_SECRET: z.string().min(1).optional(),
  /** Who may sign in there, as `email:address=role` and `group:name=role`; nobody by default. */
  OIDC_OPERATOR_ROLES: variable.pairs
    .transform((pairs, context) =>
      pairs.flatMap(([who, role]) => {
        const given = operatorGrant.safeParse({ who, role });
        if (given.success) return [given.data];
        const message = "must be a list of roles, such as email:anna@example.com=operator";
        context.addIssue({ code: "custom", message });
        return [];
      }),
    )
    .refine(
      (grants) => new Set(grants.map(({ who }) => who)).size === grants.length,
      "must have one role for each address and group",
    ),
  /** Claim of its ID tokens with the groups of a person, and their roles, as `group=account-id:role`. */
  OIDC_GROUP_CLAIM: z.string().min(1).default("groups"),
  OIDC_GROUP_ROLES: variable.pairs.transform((pairs, context) =>
    pairs.flatMap(([group, text]) => {
      const given = groupRole.safeParse(text);
      if (given.success) return [{ group, ...given.data }];
      const message = "must be a list of roles, such as artists=<account-id>:maker";
      context.addIssue({ code: "custom", message });
      return [];
    }),
  ),
  /** Rate limits of one API key. */
  GENERATIONS_PER_MINUTE: variable.positive.default(300),
  OTHER_REQUESTS_PER_MINUTE: variable.positive.default(1_200),
  /** Rate limit of one client address for requests without a valid key, per process. */
  FAILED_AUTHENTICATIONS_PER_MINUTE: variable.positive.default(60),
  /** Rate limit of one client address for `POST /verify`, per process. */
  VERIFICATIONS_PER_MINUTE: variable.positive.default(30),
  /** Whether accounts may create links that show images to anyone who has them. */
  SHARES: z.enum(["on", "off"]).default("off"),
  /** Where visitors of a shared page report abuse: an e-mail address or a URL. Required for SHARES=on. */
  ABUSE_CONTACT: contact.optional(),
  /**
   * Rate limit of one client address for shared pages and their images, per process. One link has ten
   * times as many.
   */
  SHARE_VIEWS_PER_MINUTE: variable.positive.default(300),
  /** Root certificates whose signers `POST /verify` reports as trusted, in PEM. */
  SIGNING_TRUST_ANCHORS: z.string().optional(),
  ...signerVariables,
  /** Limit per account. */
  MAX_UNFINISHED_JOBS: variable.positive.default(100),
  /** Images that an account may request with test keys a day; 0 switches test keys off. */
  TEST_IMAGES_PER_DAY: z.coerce.number().int().nonnegative().max(1_000_000).default(1_000),
  /**
   * A server of chat completions, with its version: it rewrites prompts and drafts stories. Without it,
   * the service does neither.
   */
  ASSISTANT_URL: variable.httpBaseUrl.optional(),
  ASSISTANT_MODEL: z.string().optional(),
  ASSISTANT_KEY: z.string().optional(),
  /** Timeout of one request to it; an answer in a wrong form is requested once more. */
  ASSISTANT_TIMEOUT_SECONDS: variable.seconds.max(140).default(60),
  /** Requests of one account for the assistant. */
  ASSIST_PER_DAY: variable.positive.max(1_000_000).default(50),
  /**
   * Number of waiting renders in a lane above which all its requests are refused; and the age of the
   * oldest one above which accounts with unfinished jobs are refused.
   */
  MAX_QUEUE_DEPTH: variable.positive.default(10_000),
  MAX_QUEUE_AGE_SECONDS: variable.seconds.default(240),
  /** Requests of one account that may wait for images, per process; further ones return at once. */
  MAX_WAITING_REQUESTS: variable.positive.default(100),
  /** Open event streams per process, and of one account in a process; further ones are refused. */
  MAX_EVENT_STREAMS: variable.positive.default(4_000),
  MAX_ACCOUNT_EVENT_STREAMS: variable.positive.default(100),
  /** Maximum and default time that a request waits for its image. */
  MAX_WAIT_SECONDS: variable.seconds.default(120),
  /**
   * The same for OpenAI-compatible requests, which have no 202: nearly as long as the time-out of a call, and
   * shorter than the 300 s after which several HTTP clients give up.
   */
  FACADE_MAX_WAIT_SECONDS: variable.seconds.default(285),
  /** Whether a repeated OpenAI-compatible request joins the job of the request whose response was lost. */
  FACADE_JOIN: z.enum(["on", "off"]).default("on"),
  /** Whether a chat completion without `modalities` makes an image, for programs that cannot send it. */
  CHAT_IMAGE_DEFAULT: z.enum(["on", "off"]).default("off"),
  /** Deadline; an unfinished job then fails without a charge. */
  IMAGE_DEADLINE_SECONDS: deadline.default(900),
  STORY_DEADLINE_SECONDS: deadline.default(3_600),
  /**
   * The workers' moderator. With any other than the rules alone, an uncertain match of the rules is
   * accepted, and the workers' remote model decides it.
   */
  MODERATION: z.string().default("rules"),
  /** Retention of uploads, and the size of all uploads of one account. */
  UPLOAD_RETENTION_HOURS: z.coerce.number().positive().max(8_760).default(24),
  UPLOAD_QUOTA_MB: variable.positive.max(1_000_000).default(500),
  /** Whether responses without `response_format` have one form, by the name of the model, or both. */
  OPENAI_DEFAULT_RESPONSE: z.enum(["one", "both"]).default("one"),
  /** Names of models for OpenAI's clients, as `name=model`. A `*` at the end of a name matches any rest. */
  OPENAI_MODEL_ALIASES: variable.pairs.transform((pairs) =>
    pairs.map(([name, model]) => ({ name, model })),
  ),
});

export type ApiConfig = z.infer<typeof apiConfig>;
