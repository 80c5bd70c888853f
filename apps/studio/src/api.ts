import type { ErrorBody, KeyScope, MemberRole, StudioLanguage } from "@atelier/schemas";
import type {
  BodyInput,
  Endpoint,
  endpoints,
  QueryInput,
  ResultOf,
} from "@atelier/schemas/endpoints";
import { studioPage } from "@atelier/schemas/studio-pages";
import { formatTime } from "./format.ts";
import { texts } from "./texts.ts";

/** A problem of one field, as in the `details` of an error. */
export interface FieldProblem {
  /** Such as `reference_images.0.description`. */
  readonly path: string;
  readonly message: string;
}

/** An error response of the service, or a request without a response. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** Status of the response; 0 when there was none. */
  readonly status: number;
  /** A code of the service, `unreachable`, or `unexpectedResponse` for an error that is not the service's. */
  readonly code: string;
  readonly details: unknown;
  /** Seconds after which a retry makes sense; null when the service does not say. */
  readonly retryAfterSeconds: number | null;
  /** The job that the error belongs to; null for an error without one. */
  readonly jobId: string | null;

  constructor(
    message: string,
    error: {
      readonly status: number;
      readonly code: string;
      readonly details?: unknown;
      readonly retryAfterSeconds?: number | null;
      readonly jobId?: string | null;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: error.cause });
    this.status = error.status;
    this.code = error.code;
    this.details = error.details ?? null;
    this.retryAfterSeconds = error.retryAfterSeconds ?? null;
    this.jobId = error.jobId ?? null;
  }

  /** The problems that belong to fields. */
  get fieldProblems(): readonly FieldProblem[] {
    if (!Array.isArray(this.details)) return [];
    return this.details.filter(
      (detail): detail is FieldProblem =>
        typeof detail === "object" && detail !== null && typeof detail.path === "string",
    );
  }
}

interface RequestOptions {
  /** Sent as JSON, or as it is when it is a Blob. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Time until the response begins, in milliseconds; for reads 30 seconds by default. */
  readonly timeoutMs?: number | undefined;
}

const readTimeoutMs = 30_000;

const sessionEndListeners = new Set<() => void>();

/** Calls the listener whenever the service says that the session has ended. */
export function onSessionEnd(listener: () => void): void {
  sessionEndListeners.add(listener);
}

const responseListeners = new Set<(response: Response) => void>();

/** Calls the listener with every response. */
export function onResponse(listener: (response: Response) => void): void {
  responseListeners.add(listener);
}

const contactListeners = new Set<(hasResponded: boolean) => void>();

/** A request without a response for this long may have lost its connection, in milliseconds. */
const slowMs = 4_200;

/** Calls the listener with true for every response, and with false when one fails or is slow to come. */
export function onContact(listener: (hasResponded: boolean) => void): void {
  contactListeners.add(listener);
}

function recordContact(hasResponded: boolean): void {
  for (const listener of contactListeners) listener(hasResponded);
}

/**
 * Sends a request with the session. Its cookie counts only with the header, which no page of another
 * origin can send.
 *
 * @throws ApiError when there is no response or its status is not 2xx.
 */
export async function send(
  method: string,
  path: string,
  { body, headers, signal, timeoutMs }: RequestOptions = {},
): Promise<Response> {
  const timeout = startTimeout(timeoutMs ?? (method === "GET" ? readTimeoutMs : null), signal);
  const isFile = body instanceof Blob;
  const type = isFile ? body.type : "application/json";
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials: "same-origin",
      headers: {
        "X-Atelier-Studio": "1",
        ...(body === undefined ? {} : { "Content-Type": type }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
      signal: timeout.signal,
    });
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    recordContact(false);
    throw unreachable(cause);
  } finally {
    timeout.clear();
  }
  for (const listener of responseListeners) listener(response);
  if (response.ok) {
    recordContact(true);
    return response;
  }
  const error = await readError(response);
  // A proxy responds in place of a service that does not run.
  const isOfProxy = error.code === unexpectedResponse && response.status >= 502;
  recordContact(!isOfProxy);
  if (response.status === 401 && path.includes("/v1/"))
    for (const listener of sessionEndListeners) listener();
  throw error;
}

/** The body of the response may take longer: only the caller's signal ends it. */
function startTimeout(ms: number | null, signal: AbortSignal | undefined) {
  const stopping = new AbortController();
  const slow = setTimeout(() => recordContact(false), slowMs);
  const timer = ms === null ? undefined : setTimeout(() => stopping.abort(), ms);
  const signals = [stopping.signal, ...(signal === undefined ? [] : [signal])];
  function clear(): void {
    clearTimeout(slow);
    clearTimeout(timer);
  }
  return { signal: AbortSignal.any(signals), clear };
}

function unreachable(cause: unknown): ApiError {
  return new ApiError(texts.problem.unreachable, {
    status: 0,
    code: "unreachable",
    cause,
  });
}

/**
 * Sends a request and returns the JSON of its response.
 *
 * @throws ApiError as `send` does, also when the response ends early.
 */
export async function sendJson<Result>(
  method: string,
  path: string,
  options?: RequestOptions,
): Promise<Result> {
  return readJson(await send(method, path, options), options?.signal);
}

async function readJson<Result>(response: Response, signal?: AbortSignal): Promise<Result> {
  try {
    return (await response.json()) as Result;
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    throw unreachable(cause);
  }
}

type DeepReadonly<Value> = Value extends object
  ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
  : Value;

/** The endpoints of the service by their routes, such as `GET /v1/presets/{id}`. */
type Endpoints = { [One in (typeof endpoints)[number] as One["route"]]: One };

/** The options of a call of an endpoint. `id` is the parameter of its path, whatever its name is. */
export type CallOptions<Of extends Endpoint> = Omit<RequestOptions, "body"> &
  (Of["route"] extends `${string}{${string}` ? { readonly id: string } : unknown) &
  (QueryInput<Of> extends infer Query extends object ? { readonly query?: Query } : unknown) &
  (BodyInput<Of> extends infer Body extends object
    ? { readonly body: Body extends { readonly file: string } ? Blob : DeepReadonly<Body> }
    : unknown);

/**
 * Calls an endpoint and returns the body of its response.
 *
 * @throws ApiError as `sendJson` does.
 */
export async function call<Of extends keyof Endpoints>(
  endpoint: Of,
  given: CallOptions<Endpoints[Of]>,
): Promise<ResultOf<Endpoints[Of]>> {
  const response = await request(endpoint, given);
  return response.status === 204 ? (undefined as never) : readJson(response, given.signal);
}

/**
 * Calls an endpoint that responds with a file or a stream.
 *
 * @throws ApiError as `send` does.
 */
export function request<Of extends keyof Endpoints>(
  endpoint: Of,
  given: CallOptions<Endpoints[Of]>,
): Promise<Response> {
  const { id, query = {}, ...options }: RequestOptions & { id?: string; query?: object } = given;
  const [method = "", template = ""] = endpoint.split(" ");
  const parameters = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .flatMap(([name, value]) =>
      typeof value === "object"
        ? Object.entries(value).map(([key, one]) => [`${name}.${key}`, String(one)])
        : [[name, String(value)]],
    );
  const search = new URLSearchParams(parameters).toString();
  const path = template.replace(/\{\w+\}/, encodeURIComponent(id ?? ""));
  return send(method, search === "" ? path : `${path}?${search}`, options);
}

const unexpectedResponse = "unexpected_response";

async function readError(response: Response): Promise<ApiError> {
  const retryAfter = Number(response.headers.get("Retry-After") ?? Number.NaN);
  const body = (await response.json().catch(() => null)) as Partial<ErrorBody> | null;
  return new ApiError(body?.message ?? texts.problem.status(response.status), {
    status: response.status,
    code: body?.error ?? unexpectedResponse,
    details: body?.details,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
    jobId: response.headers.get("X-Service-Job-Id"),
  });
}

/** The person who is signed in. */
export interface SignedInMember {
  readonly id: string;
  readonly name: string;
  readonly role: MemberRole;
  /** Whether it signs in through the identity provider. */
  readonly has_identity: boolean;
}

/** The session of this browser. */
export interface BrowserSession {
  readonly accountId: string;
  readonly accountName: string;
  readonly keyId: string;
  /** Rights of its key. */
  readonly scopes: readonly KeyScope[];
  /** The member who is signed in; null for a key that belongs to no member. */
  readonly member: SignedInMember | null;
  /** Language of its account; null for that of the browser. */
  readonly language: StudioLanguage | null;
}

/** Who is signed in, and how others sign in. */
export interface SignInState {
  /** Null without a session. */
  readonly session: BrowserSession | null;
  /** The host of the identity provider of the operator; null without one. */
  readonly identityProvider: string | null;
}

/**
 * Reads the session of this browser.
 *
 * @param timeoutMs time until the response begins, in milliseconds.
 */
export async function readSession(timeoutMs?: number): Promise<SignInState> {
  const {
    account_id: accountId,
    account_name: accountName,
    key_id: keyId,
    identity_provider: identityProvider,
    ...session
  } = await sendJson<{
    account_id: string | null;
    account_name: string | null;
    key_id: string | null;
    scopes: KeyScope[];
    member: SignedInMember | null;
    language: StudioLanguage | null;
    identity_provider: string | null;
  }>("GET", "/studio/session", { timeoutMs });
  return {
    session:
      accountId === null
        ? null
        : { accountId, accountName: accountName ?? "", keyId: keyId ?? "", ...session },
    identityProvider,
  };
}

/** The names of the account that is signed in and of the one whose link was opened, or of two people of one account. */
export type Replacement =
  | { readonly account: string; readonly by: string }
  | { readonly person: string; readonly by: string };

/**
 * Signs in by a key, or by a link that works once.
 *
 * @returns whom to ask about when a link would replace the session of another account or person, which needs
 *   `replace`; null after signing in.
 */
export async function signIn(
  credential:
    | { readonly key: string }
    | { readonly link: string; readonly replace?: boolean | undefined },
): Promise<Replacement | null> {
  const response = await send("POST", "/studio/session", { body: credential });
  if (response.status === 204) return null;
  return (await readJson<{ readonly replaces: Replacement }>(response)).replaces;
}

/**
 * Leads to the identity provider, which leads back to the page that is open, or to the first page.
 *
 * @param bind whether the identity becomes that of the member who is signed in.
 */
export async function leaveForProvider(bind: boolean): Promise<void> {
  const path = location.pathname.replace(/^\/studio/, "");
  const body = { bind, next: studioPage.test(path) ? path : "/" };
  const { url } = await sendJson<{ url: string }>("POST", "/studio/oidc", { body });
  location.assign(url);
}

/** Ends the session of this browser. */
export async function signOut(): Promise<void> {
  await send("DELETE", "/studio/session");
}

/** Returns the message of an error for the user: the problem and what to do. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? messageOfCode(error) : texts.problem.unknown;
}

interface CodedError {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}

/** The text of Studio for the code of an error, else the message of the service, which is English. */
export function messageOfCode(error: CodedError): string {
  const { code, message, details } = error;
  if (code.endsWith("budget_exhausted") && typeof details === "object" && details !== null) {
    const { budget_name: name = null, resets_at: time = null } = details as {
      readonly budget_name?: string;
      readonly resets_at?: string | null;
    };
    return texts.problem.exhausted(name, time === null ? null : formatTime(time));
  }
  return texts.problem.codes[code] ?? message;
}
