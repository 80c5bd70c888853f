import { inject } from "vitest";

/** The services that the global set-up started. */
interface Provided {
  /** Path of the browser. */
  readonly chromium: string;
  /** A server for databases of further services. */
  readonly postgresUrl: string;
  /** The service that the suites share. */
  readonly url: string;
  readonly databaseUrl: string;
  readonly pepper: string;
  /** The admin port of that service, and the keys that sign operators in, and those who only read. */
  readonly adminUrl: string;
  readonly adminKey: string;
  readonly supportKey: string;
}

declare module "vitest" {
  interface ProvidedContext {
    /** Null without Chromium. */
    studio: Provided | null;
  }
}

/** Whether suites can run. */
export const hasBrowser = inject("studio") !== null;

/** Returns the services that the global set-up started. Only within suites, which need Chromium. */
export function provided(): Provided {
  const studio = inject("studio");
  if (studio === null) throw new Error("there is no Chromium");
  return studio;
}
