import { parseConfig } from "@atelier/configuration";
import type { Stack } from "@atelier/testing";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createApp } from "../../src/app.ts";
import { apiConfig, type ApiConfig } from "../../src/config.ts";
import { openDependencies } from "../../src/open-dependencies.ts";
import { createGate } from "../../src/http/limits/gate.ts";

/** Parses the settings of a stack's API, with some changed. */
export function readConfig(stack: Stack, settings: Readonly<Record<string, string>>): ApiConfig {
  return parseConfig(apiConfig, { ...stack.environment, LOG_LEVEL: "fatal", ...settings });
}

/** Serves an API with its own settings and pages of Studio on the data of a stack, in this process. */
export async function serveApi(
  stack: Stack,
  settings: Readonly<Record<string, string>>,
  studioPages = "/nowhere",
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const dependencies = await openDependencies(readConfig(stack, settings), { studioPages });
  const server = createServer(createApp(dependencies, createGate()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await dependencies.close();
    },
  };
}

const ownPage = { "X-Atelier-Studio": "1", "Sec-Fetch-Site": "same-origin" };

/** Sends a request as a page of Studio; the cookie is that of a session. */
export function askAsPage(
  url: string,
  request: {
    readonly method?: string;
    readonly path: string;
    readonly body?: unknown;
    readonly cookie?: string | undefined;
    readonly headers?: Readonly<Record<string, string>>;
  },
): Promise<Response> {
  const { method = "GET", path, body, cookie, headers } = request;
  return fetch(url + path, {
    method,
    headers: {
      ...ownPage,
      ...(cookie === undefined ? {} : { Cookie: cookie }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Signs in to Studio. */
export function signIn(url: string, body: unknown): Promise<Response> {
  return askAsPage(url, { method: "POST", path: "/studio/session", body });
}

/** Returns the cookie of a response, as the browser sends it back. */
export function cookieOf(response: Response): string {
  return response.headers.get("Set-Cookie")?.split(";")[0] ?? "";
}
