import type { Fault, Reply } from "@atelier/models/testing";

/** Returns a response of `POST /v1/chat/completions` with one message. */
export function completionOf(model: string, message: object, usage: object): Reply {
  return {
    status: 200,
    json: {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1_795_000_000,
      model,
      choices: [
        {
          index: 0,
          message: { role: "assistant", refusal: null, ...message },
          logprobs: null,
          finish_reason: "tool_calls" in message ? "tool_calls" : "stop",
        },
      ],
      usage,
    },
  };
}

/** Returns the error response for a fault; null for faults of the transport, which happen to a good response. */
export function failureOf(fault: Fault): Reply | null {
  if (fault.kind === "rate-limit") {
    const { retryAfter } = fault;
    const headers: Readonly<Record<string, string>> =
      retryAfter === null ? {} : { "retry-after": retryAfter };
    return { ...failure(429, "Rate limit reached.", "rate_limit_exceeded"), headers };
  }
  if (fault.kind === "server-error") {
    return failure(fault.status, "The server had an error.", "server_error");
  }
  return null;
}

/** Returns an error response. */
export function failure(status: number, message: string, code: string | null): Reply {
  const type = status < 500 ? "invalid_request_error" : "server_error";
  return { status, json: { error: { message, type, param: null, code } } };
}
