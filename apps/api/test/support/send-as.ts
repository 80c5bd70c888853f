import type { TestAccount } from "@atelier/testing";

/** Sends a request of an account to any API, without waiting for images. */
export function sendAs(
  { key }: TestAccount,
  url: string,
  request: { readonly method: string; readonly path: string; readonly body?: object },
): Promise<Response> {
  const { method, path, body } = request;
  return fetch(url + path, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      Prefer: "respond-async",
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}
