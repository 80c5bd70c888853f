import { join, resolve } from "node:path";
import * as z from "zod";

/** Settings of every program that works with the installation of `npm start`. */
export const homeVariables = {
  /** Absolute path of the folder with all its data. */
  ATELIER_HOME: z
    .string()
    .default(".atelier")
    .transform((path) => resolve(path)),
};

/** Content of `local.json` while an installation runs: the services for the operator's commands. */
export const localInstallation = z.object({
  database_url: z.string(),
  key_pepper: z.string(),
  storage_url: z.string(),
  /** Omitted by versions before the operator log. */
  operator_log_key: z.string().optional(),
});

export type LocalInstallation = Readonly<z.infer<typeof localInstallation>>;

/** Content of `demo.json`: everything that a client on this machine needs. */
export const demoAccount = z.object({
  base_url: z.string(),
  api_key: z.string(),
  account_id: z.uuid(),
});

export type DemoAccount = Readonly<z.infer<typeof demoAccount>>;

/** Begins the name of a folder in `home` in which a restore into a mount point is built. */
export const restoringPrefix = ".restoring-";

/** Paths in `home` that different programs share. */
export function homeFiles(home: string) {
  return {
    demoAccount: join(home, "demo.json"),
    localInstallation: join(home, "local.json"),
    secrets: join(home, "secrets.json"),
    /** The roots of the development certificates, in PEM. */
    trustAnchors: join(home, "certificates", "trust-anchors.pem"),
    /** The development certificate that signs, and those that signed before it, in PEM. */
    signingChain: join(home, "certificates", "chain.pem"),
    oldSigningCertificates: join(home, "certificates", "old-signing-certificates.pem"),
  };
}
