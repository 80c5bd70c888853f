import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Database } from "@atelier/database";
import type { Stack } from "@atelier/testing";
import { createAdminApp } from "../../src/admin.ts";
import { openDependencies } from "../../src/open-dependencies.ts";
import { readConfig } from "./studio.ts";

/** The key that signs in for reading only. */
export const supportKey = "a key of support that is only for tests and long enough";

/** An admin port with its own settings on the data of a stack. */
export interface Console {
  readonly url: string;
  /** Signs in. @returns the cookie of the session. */
  signIn(key?: string): Promise<string>;
  /** Sends a request as a page of the console. */
  ask(
    cookie: string,
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly body: unknown; readonly response: Response }>;
  /** Accounts whose remembered keys it has dropped. */
  readonly forgotten: string[];
  stop(): Promise<void>;
}

/** Signs in to the console at an admin port. @returns the cookie of the session. */
export async function signInAsOperator(url: string, key: string): Promise<string> {
  const response = await fetch(`${url}/admin/v1/session`, {
    method: "POST",
    headers: { Origin: url, "Content-Type": "application/json" },
    body: JSON.stringify({ key }),
  });
  return response.headers.get("Set-Cookie")?.split(";")[0] ?? "";
}

/** Serves an admin port in this process. @param wrap changes the database, such as to count statements. */
export async function serveConsoleOf(
  stack: Stack,
  settings: Readonly<Record<string, string>> = {},
  wrap: (database: Database) => Database = (database) => database,
): Promise<Console> {
  const config = readConfig(stack, { SUPPORT_KEY: supportKey, ...settings });
  const dependencies = await openDependencies(config, {});
  const forgotten: string[] = [];
  const { admissions } = dependencies;
  const forget = (accountId: string) => {
    forgotten.push(accountId);
    admissions.forget(accountId);
  };
  const app = createAdminApp(
    {
      ...dependencies,
      admissions: { ...admissions, forget },
      database: wrap(dependencies.database),
    },
    stack.adminKey,
  );
  const server = createServer(app);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const ask: Console["ask"] = async (cookie, method, path, body, headers) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        Origin: url,
        Cookie: cookie,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? null : JSON.parse(text), response };
  };
  return {
    url,
    ask,
    forgotten,
    signIn: (key = stack.adminKey) => signInAsOperator(url, key),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await dependencies.close();
    },
  };
}
