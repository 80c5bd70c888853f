import { open, readFile, type FileHandle } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { UsageError } from "@atelier/configuration";
import type { Peppers } from "@atelier/accounts";
import { createAccountOnce, type CreatedAccount } from "@atelier/billing";
import type { Database } from "@atelier/database";
import { formatEur } from "@atelier/schemas";
import { table, type Answer } from "../answer.ts";
import { readActor } from "../operators/record-commands.ts";
import { readAccounts, type ImportedAccount } from "./read-accounts.ts";

export interface ImportFlags {
  readonly dryRun?: true;
  readonly keysOut?: string;
  readonly rotateMissing?: true;
}

interface Importing {
  readonly database: Database;
  readonly keyPeppers: Peppers | null;
  readonly operatorLogKey: string | null;
  readonly remark: (line: string) => void;
}

/** Accounts between two lines of progress. */
const progressEvery = 25;

/**
 * Imports accounts, each in a transaction of its own: an import that was interrupted is run again, and prints
 * `exists` for those that it has created. Keys are written to a new file and flushed before the commit of their
 * account, so that no key is lost; the last key of an interrupted import may be of no account.
 *
 * @throws UsageError for a file with problems, with the numbers of the lines, before anything is imported.
 */
export async function importAccounts(
  { database, keyPeppers, operatorLogKey, remark }: Importing,
  path: string,
  { dryRun, keysOut, rotateMissing }: ImportFlags,
  confirm: (creditMicroEur: bigint) => void,
): Promise<Answer> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new UsageError(`${path} cannot be read.`, { cause });
  });
  const accounts = readAccounts(text);
  for (const { creditMicroEur } of accounts) confirm(creditMicroEur);
  if (rotateMissing === true && keysOut === undefined) {
    throw new UsageError("--rotate-missing needs --keys-out, for the new keys.");
  }
  const pepper = keyPeppers?.[0] ?? null;
  if (keysOut !== undefined && pepper === null) {
    throw new UsageError("KEY_PEPPER is required to create keys. Set it to the value of the API.");
  }
  if (dryRun === true) return present(await foresee(database, accounts), { isDryRun: true });
  const keys = keysOut === undefined ? null : await createKeyFile(keysOut);
  const created: Imported[] = [];
  try {
    for (const account of accounts) {
      const { externalId, name, strictness, creditMicroEur, keyName, keyMode } = account;
      const key =
        keys === null || pepper === null
          ? null
          : {
              name: keyName,
              mode: keyMode,
              pepper,
              rotatesUnused: rotateMissing === true,
              store: (made: { readonly id: string; readonly key: string }, accountId: string) =>
                writeLine(keys, [externalId, accountId, made.id, made.key]),
            };
      const result = await createAccountOnce(
        database,
        { name, externalId, strictness, creditMicroEur, key },
        { actor: readActor(), action: "accounts import", operatorLogKey, requestId: null },
      ).catch((cause: unknown) => {
        throw new Error(
          `line ${account.line}: "${externalId}" was not imported, and neither was any line after it: ${String(cause)}. Run the import again with another --keys-out.`,
          { cause },
        );
      });
      created.push({ ...result, account });
      if (created.length % progressEvery === 0) {
        remark(`${created.length} of ${accounts.length} accounts`);
      }
    }
  } finally {
    await keys?.close();
  }
  return present(created, { isDryRun: false });
}

interface Imported extends Omit<CreatedAccount, "id"> {
  /** Null for one that a dry run would create. */
  readonly id: string | null;
  readonly account: ImportedAccount;
}

async function foresee(
  database: Database,
  accounts: readonly ImportedAccount[],
): Promise<Imported[]> {
  const existing = await database.query<{ id: string; externalId: string }>(
    `SELECT id, external_id AS "externalId" FROM account WHERE external_id = ANY ($1)`,
    [accounts.map(({ externalId }) => externalId)],
  );
  const ids = new Map(existing.map(({ externalId, id }) => [externalId, id]));
  return accounts.map((account) => {
    const id = ids.get(account.externalId) ?? null;
    return { id, account, outcome: id === null ? "created" : "exists" };
  });
}

/** Creates the file for keys, which only its owner can read. */
async function createKeyFile(path: string): Promise<FileHandle> {
  const file = await open(path, "wx", 0o600).catch((cause: unknown) => {
    if ((cause as { code?: unknown }).code !== "EEXIST") throw cause;
    throw new UsageError(`${path} exists, and may have keys. Name a new file.`, { cause });
  });
  await writeLine(file, ["external_id", "account_id", "key_id", "api_key"]);
  const folder = await open(dirname(resolve(path)), "r");
  await folder.sync();
  await folder.close();
  return file;
}

async function writeLine(file: FileHandle, cells: readonly string[]): Promise<void> {
  const quoted = cells.map((cell) =>
    /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  await file.write(`${quoted.join(",")}\n`);
  await file.sync();
}

function present(
  imported: readonly Imported[],
  { isDryRun }: { readonly isDryRun: boolean },
): Answer {
  const count = (outcome: Imported["outcome"]) =>
    imported.filter((one) => one.outcome === outcome).length;
  const credit = imported.reduce(
    (sum, { outcome, account }) => sum + (outcome === "created" ? account.creditMicroEur : 0n),
    0n,
  );
  const counts = {
    created: count("created"),
    exists: count("exists"),
    rotated: count("key rotated"),
  };
  const rows = imported.map(({ id, outcome, account }) => [account.externalId, id ?? "", outcome]);
  const summary = `${isDryRun ? "A dry run, nothing was changed. " : ""}Created: ${counts.created}, exist: ${counts.exists}, keys rotated: ${counts.rotated}. Credit of the created ones: ${formatEur(credit)} EUR.`;
  return {
    json: {
      dry_run: isDryRun,
      ...counts,
      credit_eur: formatEur(credit),
      accounts: imported.map(({ id, outcome, account }) => ({
        external_id: account.externalId,
        account_id: id,
        outcome,
      })),
    },
    text: `${table(["EXTERNAL ID", "ACCOUNT", "OUTCOME"], rows)}\n\n${summary}`,
  };
}
