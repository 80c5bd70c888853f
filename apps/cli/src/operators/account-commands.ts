import { newId } from "@atelier/database";
import {
  formatEur,
  keyMode,
  parseEur,
  strictness,
  type KeyMode,
  type Strictness,
} from "@atelier/schemas";
import { Argument, Option, type Command, type OutputConfiguration } from "commander";
import type { ImportFlags } from "../import/import-accounts.ts";
import { addLimits, type KeyFlags } from "../key-limits.ts";
import { leaf, type Actions, type Json, type Runners } from "./command.ts";
import { amount, count, id, name } from "./parse-values.ts";

// Loading all commands takes longer than running one, so those with large dependencies are loaded
// when they are used.
const loadAccounts = () => import("../accounts.ts");
const loadKeys = () => import("../keys.ts");

/** Adds the commands that manage accounts and their keys. */
export function addAccounts(
  program: Command,
  run: Actions,
  { withDatabase, withEnvironment }: Runners,
  output: OutputConfiguration,
): void {
  const { onDatabase } = run;
  const group = program.command("accounts").description("manage prepaid accounts");
  const ofAccount = (called: string, description: string) =>
    leaf(group, called, description).argument("<account-id>", "id of the account", id);

  leaf(group, "create", "create an account")
    .argument("<name>", "name of the account", name)
    .addOption(
      new Option("--strictness <level>", "default moderation of its requests").choices(
        strictness.options,
      ),
    )
    .option("--credit <eur>", "initial credit", amount)
    .option("--external-id <id>", "your own id of it: created once, and then only shown", name)
    .option("--yes", confirmation)
    .action((label: string, options: Json & CreateFlags) => {
      confirmAmount(options.credit ?? 0n, options.yes);
      return withDatabase(
        async (workplace) => (await loadAccounts()).create(workplace, label, options),
        options,
      );
    });

  leaf(group, "import", "create the accounts of a CSV file or of JSON lines, each once")
    .argument("<file>", "with external_id, name, and credit_eur, strictness, key_name, key_mode")
    .option("--dry-run", "check the file, and show what would be created")
    .option("--keys-out <file>", "create a key for each new account, in this new file")
    .option("--rotate-missing", "also create new keys for existing accounts whose keys are unused")
    .option("--yes", confirmation)
    .action((file: string, options: Json & ImportFlags & { yes?: true }) =>
      withDatabase(async (workplace) => {
        const { importAccounts } = await import("../import/import-accounts.ts");
        const confirm = (credit: bigint) => confirmAmount(credit, options.yes);
        return importAccounts(workplace, file, options, confirm);
      }, options),
    );

  onDatabase(leaf(group, "list", "list all accounts, oldest first"), async ({ database }) =>
    (await loadAccounts()).list(database),
  );

  onDatabase(ofAccount("show", "show an account"), async ({ database }, accountId: string) =>
    (await loadAccounts()).show(database, accountId),
  );

  onDatabase(
    ofAccount("statement", "list the ledger entries of an account, newest first").addOption(
      new Option("--limit <number>", "maximum number of lines").argParser(count).default(50),
    ),
    async ({ database }, accountId: string, { limit }: { limit: number }) =>
      (await loadAccounts()).statement(database, accountId, limit),
  );

  /** Prints a generated reference before booking: if the response is lost, a retry needs it. */
  function named(called: string, flags: Booking): Booking & { readonly reference: string } {
    if (flags.reference !== undefined) return { ...flags, reference: flags.reference };
    const reference = `${called}-${newId()}`;
    output.writeErr?.(
      `Reference: ${reference}. If no result follows, repeat the command with --reference ${reference}.\n`,
    );
    return { ...flags, reference };
  }

  const movements = {
    "top-up": { description: "add credit", book: "addCredit" },
    withdraw: {
      description: "remove available credit",
      book: "takeCredit",
    },
  } as const;
  for (const [called, { description, book }] of Object.entries(movements)) {
    ofAccount(called, description)
      .argument("<eur>", "amount in EUR, such as 10 or 0.25", amount)
      .option("--reference <text>", referenceHelp, name)
      .option("--yes", confirmation)
      .action((accountId: string, amountMicroEur: bigint, flags: Booking) => {
        confirmAmount(amountMicroEur, flags.yes);
        const { reference, ...options } = named(called, flags);
        return withDatabase(
          async ({ database }) =>
            (await loadAccounts())[book](database, { accountId, amountMicroEur, reference }),
          options,
        );
      });
  }

  leaf(group, "refund", "return the charge of a completed job to its account")
    .argument("<job-id>", "id of the job", id)
    .argument("[eur]", "a part of the charge (default: all that is not refunded yet)", amount)
    .option("--reference <text>", referenceHelp, name)
    .option("--yes", confirmation)
    .action((generationId: string, amountMicroEur: bigint | undefined, flags: Booking) => {
      const { reference, yes, ...options } = named("refund", flags);
      confirmAmount(amountMicroEur ?? 0n, yes);
      return withDatabase(
        async (workplace) =>
          (await loadAccounts()).refund(workplace, {
            generationId,
            amountMicroEur: amountMicroEur ?? null,
            reference,
          }),
        options,
      );
    });

  onDatabase(
    ofAccount("strictness", "set the default moderation of an account").addArgument(
      new Argument("<level>", "default for its requests").choices(strictness.options),
    ),
    async ({ database }, accountId: string, level: Strictness) =>
      (await loadAccounts()).changeStrictness(database, accountId, level),
  );

  onDatabase(
    ofAccount("suspend", "refuse all requests of an account"),
    async ({ database }, accountId: string) =>
      (await loadAccounts()).suspendOrResume(database, accountId, true),
  );

  onDatabase(
    ofAccount("resume", "accept requests of a suspended account again"),
    async ({ database }, accountId: string) =>
      (await loadAccounts()).suspendOrResume(database, accountId, false),
  );
  addKeys(group, run);
  addErase(group, withEnvironment);
}

interface CreateFlags {
  readonly strictness?: Strictness;
  readonly credit?: bigint;
  readonly externalId?: string;
  readonly yes?: true;
}

/** Flags of a command that books an amount. */
type Booking = Json & { readonly reference?: string; readonly yes?: true };

const referenceHelp = "of the payment: booked once; generated when left out";

function addErase(group: Command, withEnvironment: Runners["withEnvironment"]): void {
  leaf(group, "erase", "remove prompts, requests, images and names of an account permanently")
    .argument("<account-id>", "id of the account", id)
    .option("--yes", "erase; without it nothing is changed")
    .action((accountId: string, { yes, ...options }: Json & { yes?: true }) => {
      confirmErasure(yes, "erase the account");
      return withEnvironment(async (environment, remark) => {
        const { erase } = await import("../erase.ts");
        return erase(environment, accountId, remark);
      }, options);
    });
  leaf(group, "repeat-erasures", "erase accounts again that a restore has brought back")
    .option(erasuresFlag, erasuresHelp)
    .option("--yes", "erase; without it nothing is changed")
    .action(({ yes, erasures, ...options }: Json & { yes?: true; erasures?: string }) => {
      confirmErasure(yes, "erase all accounts whose erasure is recorded");
      return withEnvironment(async (environment, remark) => {
        const { repeatAllErasures } = await import("../erase.ts");
        return repeatAllErasures(environment, erasures ?? null, remark);
      }, options);
    });
}

export const erasuresFlag = "--erasures <place>";
export const erasuresHelp =
  "also read records of erasures in an old ATELIER_HOME, a newer backup or a STORAGE_URL";

/** @throws Error without the confirmation. */
function confirmErasure(isConfirmed: boolean | undefined, action: string): void {
  if (isConfirmed === true) return;
  throw new Error(`This can't be undone. Repeat the command with --yes to ${action}.`);
}

function addKeys(accountsGroup: Command, { onDatabase }: Actions): void {
  const group = accountsGroup.command("keys").description("manage the API keys of an account");

  onDatabase(
    addLimits(leaf(group, "create", "create a key, which is shown once"))
      .argument("<account-id>", "id of the account", id)
      .option("--name <name>", "name of the key", name, "key")
      .addOption(
        new Option("--mode <mode>", "test: free, drawn by built-in models")
          .choices(keyMode.options)
          .default("live"),
      ),
    async (
      { database, keyPeppers },
      accountId: string,
      flags: KeyFlags & { name: string; mode: KeyMode },
    ) =>
      (await loadKeys()).create(database, accountId, {
        ...flags,
        pepper: keyPeppers?.[0] ?? null,
      }),
  );

  onDatabase(
    leaf(group, "list", "list the keys of an account, newest first").argument(
      "<account-id>",
      "id of the account",
      id,
    ),
    async ({ database }, accountId: string) => (await loadKeys()).list(database, accountId),
  );

  onDatabase(
    leaf(group, "revoke", "revoke a key permanently").argument("<key-id>", "id of the key", id),
    async ({ database }, keyId: string) => (await loadKeys()).revoke(database, keyId),
  );
}

/** Larger amounts are more likely typing errors than payments. */
const confirmedMicroEur = parseEur("10000");

const confirmation = "book an amount of more than 10000 EUR";

/** @throws Error for a large amount without confirmation. */
function confirmAmount(amountMicroEur: bigint, isConfirmed: boolean | undefined): void {
  if (amountMicroEur <= confirmedMicroEur || isConfirmed === true) return;
  throw new Error(
    `${formatEur(amountMicroEur)} EUR is more than ${formatEur(confirmedMicroEur)} EUR. Repeat the command with --yes to book it.`,
  );
}
