/** What every client has to know, in Markdown. */
export const introduction = `
Every request under \`/v1\` needs an API key: \`Authorization: Bearer <key>\`, or \`X-API-Key: <key>\`.

**Jobs.** Every generation is a job. A request for an image waits for it and answers with it; when
the wait is over first, the answer is 202 with the job to poll. A story is always answered with 202.
URLs of images are signed and work for one hour; reading the job again signs them anew.

**Repeating a request.** Send an \`Idempotency-Key\` with every \`POST /v1/generate/…\`: the same key
with the same body is answered with the same job for 24 hours, and is made and charged once.

**Errors.** The body of every answer that is not a 2xx is \`{error, message, request_id, details}\`,
but for \`POST /v1/images/generations\`, which has OpenAI's shape, \`/mcp\`, where the protocol itself
answers with errors of JSON-RPC, and URLs of images, whose 416 is empty. \`error\` is a stable code, and
\`message\` says what to do next. Try again after 429 and 503, as \`Retry-After\` says. An error with
\`X-Service-Job-Id\` belongs to a job, and reading it tells what became of it; what failed is tried
again with a new \`Idempotency-Key\`. Unknown properties of a request are refused and never ignored.

**Money.** Prices are in EUR, as text. What a request can cost is held when it is accepted, charged
when it is completed, and released when it fails: a failed job costs nothing.

**Limits.** \`RateLimit\` and \`RateLimit-Policy\` tell what a key may still send.
`.trim();
