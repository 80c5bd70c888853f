import { join, resolve } from "node:path";
import * as z from "zod";

/** What every program is told that works with the installation that `npm start` runs. */
export const homeVariables = {
  /** The folder with all its data, as an absolute path. */
  ATELIER_HOME: z
    .string()
    .default(".atelier")
    .transform((path) => resolve(path)),
};

/** What `local.json` holds while an installation runs: what the operator's commands work on. */
export const localInstallation = z.object({
  database_url: z.string(),
  key_pepper: z.string(),
  storage_url: z.string(),
});

export type LocalInstallation = Readonly<z.infer<typeof localInstallation>>;

/** What `demo.json` holds: all that a client on this machine needs. */
export const demoAccount = z.object({
  base_url: z.string(),
  api_key: z.string(),
  account_id: z.uuid(),
});

export type DemoAccount = Readonly<z.infer<typeof demoAccount>>;

/** Paths in `home` that one place writes and another reads. */
export function homeFiles(home: string) {
  return {
    demoAccount: join(home, "demo.json"),
    localInstallation: join(home, "local.json"),
    secrets: join(home, "secrets.json"),
    /** The roots of the development certificates, in PEM. */
    trustAnchors: join(home, "certificates", "trust-anchors.pem"),
  };
}
