/** The description of the document, in Markdown. */
export const introduction = `
Every request under \`/v1\` needs an API key: \`Authorization: Bearer <key>\`, or \`X-API-Key: <key>\`
(also as \`api-key\`).

**Jobs.** Every generation is a job. A request for an image waits and returns the image; if the wait
expires, the response is 202 with the job to poll. A story always returns 202. Image URLs are signed
and valid for one hour; reading the job returns new ones.

**Retries.** Send an \`Idempotency-Key\` with every \`POST /v1/generate/…\`: for 24 hours, the same key
with the same body returns the same job, which is made and charged once.

**Errors.** The body of every response that is not a 2xx is \`{error, message, request_id, details}\`.
Exceptions: \`/v1/images/…\` and \`GET /v1/models/{id}\` use OpenAI's format, protocol errors of \`/mcp\` are JSON-RPC
errors, and the 416 of image URLs is empty. \`error\` is a stable code, and \`message\` says what to do.
Retry after 429 and 503 when \`Retry-After\` has passed. An error with \`X-Service-Job-Id\` belongs to a
job, whose outcome you can read; retry a failed job with a new \`Idempotency-Key\`. Unknown properties
of a request are rejected, except by \`/v1/images/…\`.

**Money.** Prices are in EUR, as strings. The price of a request is held when it is accepted, charged
when it completes, and released when it fails: a failed job costs nothing.

**Limits.** \`RateLimit\` and \`RateLimit-Policy\` report the remaining allowance of a key.
`.trim();
