import type { Peppers } from "@atelier/accounts";
import type { Environment } from "@atelier/configuration";
import { newId, type Database } from "@atelier/database";
import {
  costGroups,
  formatEur,
  keyMode,
  newName,
  parseEur,
  strictness,
  type CostGroup,
  type KeyMode,
  type Strictness,
} from "@atelier/schemas";
import {
  Argument,
  Command,
  InvalidArgumentError,
  Option,
  type OutputConfiguration,
} from "commander";
import * as z from "zod";
import type { Answer } from "./answer.ts";
import type { BackupFlags } from "./backup/backup.ts";
import type { RestoreFlags } from "./backup/restore.ts";
import type { CallFlags } from "./calls/call.ts";
import { addCalls, addListModels } from "./calls/commands.ts";
import { findService } from "./calls/find-service.ts";
import { leaf as callLeaf } from "./calls/leaf.ts";
import type { CheckCatalogueFlags } from "./check-catalogue.ts";
import { createCommand } from "./create-command.ts";
import type { CheckFlags } from "./check-models.ts";
import type { DiscoverFlags } from "./discover-models.ts";
import type { EntryFlags } from "./soft-binding.ts";
import type { CommonRunners, WithEnvironment } from "./run-program.ts";
import { createRemoteVerifier } from "./verify-remotely.ts";
import { addStoryDemo } from "./story-demo/command.ts";

// Loading all commands takes longer than running one, so those with large dependencies are loaded
// when they are used.
const loadAccounts = () => import("./accounts.ts");
const loadKeys = () => import("./keys.ts");

/** The resources of operator commands. */
interface Workplace {
  readonly database: Database;
  readonly keyPeppers: Peppers | null;
  readonly environment: Environment;
}

/** Runs a command on the database and prints its result. */
export type WithDatabase = (
  work: (workplace: Workplace) => Promise<Answer>,
  options: { readonly json?: boolean },
) => Promise<void>;

interface Json {
  readonly json?: boolean;
}

/** Runs each kind of command. */
export interface Runners extends CommonRunners {
  readonly withDatabase: WithDatabase;
}

/** Creates the command line. Commands never end the process. */
export function createProgram(
  { withDatabase, call, withEnvironment }: Runners,
  output: OutputConfiguration,
): Command {
  const program = createCommand("npm run atelier --", output).description(
    "Make images and stories with Atelier, and manage its accounts and keys.",
  );

  program.commandsGroup("Caller commands (for the service here, or ATELIER_URL):");
  addCalls(program, call);
  addStoryDemo(program, call);
  const models = program.command("models").description("list, check and discover models");
  addListModels(models, call);
  addCheckModels(models, withEnvironment);
  addDiscoverModels(models, withEnvironment);
  addCheckCatalogue(program, withEnvironment);
  addVerify(program, withEnvironment);

  program.commandsGroup("Operator commands (for the database here, or DATABASE_URL):");
  addAccounts(program, withDatabase, withEnvironment, output);
  callLeaf(program, "studio-link", "create a link that signs in to Studio once").action(
    (options: CallFlags) =>
      withDatabase(async ({ database, keyPeppers, environment }) => {
        const { createLink } = await import("./studio-link.ts");
        return createLink(
          database,
          await findService(options, environment, { usesCurrentFolder: true }),
          keyPeppers,
        );
      }, options),
  );
  leaf(program, "peppers", "count the keys and webhooks that need OLD_KEY_PEPPERS").action(
    (options: Json) =>
      withDatabase(async ({ database, keyPeppers }) => {
        const { showPepperUse } = await import("./peppers.ts");
        return showPepperUse(database, keyPeppers);
      }, options),
  );
  leaf(program, "audit", "check the invariants of database and storage")
    .addOption(
      new Option("--hash <share>", "fraction of the images to read and hash, 0 to 1")
        .argParser(share)
        .default(0.01),
    )
    .option("--repair", "first complete rows that older versions left incomplete")
    .action((options: Json & { hash: number; repair?: true }) =>
      withEnvironment(async (environment, remark) => {
        const { audit } = await import("./audit.ts");
        const { hash: hashShare, repair: isRepairing = false } = options;
        return audit(environment, { hashShare, isRepairing }, remark);
      }, options),
    );
  leaf(program, "costs", "report revenue, the costs of providers and the margin")
    .addOption(
      new Option("--group-by <group>", "what a line stands for")
        .choices(costGroups)
        .default("model"),
    )
    .option(
      "--from <day>",
      "first day in UTC, such as 2026-11-01 (default: 29 days before the last)",
      day,
    )
    .option("--to <day>", "last day in UTC (default: today)", day)
    .action((options: Json & { groupBy: CostGroup; from?: string; to?: string }) =>
      withDatabase(async ({ database }) => {
        const { costs } = await import("./costs.ts");
        return costs(database, options);
      }, options),
    );
  leaf(program, "archive", "move old jobs from the database to the storage")
    .option("--before <month>", "jobs of this month, such as 2026-06, and later ones stay", month)
    .option("--with-texts", "also jobs that still have their request and prompts")
    .option("--list", "list what is archived")
    .action((options: Json & { before?: string; withTexts?: true; list?: true }) =>
      withEnvironment(async (environment, remark) => {
        const { archive, listArchive } = await import("./archive.ts");
        if (options.list === true) return listArchive(environment);
        if (options.before === undefined) throw new Error("Pass --before <month>, or --list.");
        const { before, withTexts = false } = options;
        return archive(environment, { before, withTexts }, remark);
      }, options),
    );
  leaf(program, "backfills", "show the progress of backfills after an upgrade").action(
    (options: Json) =>
      withDatabase(async ({ database }) => {
        const { listBackfills } = await import("./backfills.ts");
        return listBackfills(database);
      }, options),
  );
  leaf(program, "registry-fill", "enter images made by earlier versions into the registry").action(
    (options: Json) =>
      withEnvironment(async (environment) => {
        const { fillRegistry } = await import("./registry.ts");
        return fillRegistry(environment);
      }, options),
  );
  addSoftBinding(program, withEnvironment);
  leaf(program, "migrate", "apply database migrations").action((options: Json) =>
    withEnvironment(async (environment, remark) => {
      const { migrate } = await import("./migrations.ts");
      return migrate(environment, remark);
    }, options),
  );
  addBackups(program, withEnvironment);
  leaf(program, "make-secrets", "create the secrets of a new installation, one file each")
    .argument("<folder>", "created if missing; existing files are kept")
    .option("--storage-url <url>", "public address of the S3 server", "http://localhost:7070")
    .action((folder: string, options: Json & { storageUrl: string }) =>
      withEnvironment(async () => {
        const { makeSecrets } = await import("./installation-secrets.ts");
        return makeSecrets(folder, options.storageUrl);
      }, options),
    );
  return program;
}

function addBackups(program: Command, withEnvironment: WithEnvironment): void {
  leaf(program, "backup", "back up the running installation into a new folder")
    .argument("<folder>", "created if missing")
    .option("--images", "include the images of an S3 bucket (files are always included)")
    .option("--secrets <folder>", "include the files of this folder as secrets")
    .action((folder: string, options: Json & BackupFlags) =>
      withEnvironment(async (environment, remark) => {
        const { backup } = await import("./backup/backup.ts");
        return backup(environment, folder, options, remark);
      }, options),
    );
  leaf(program, "restore", "restore a backup into a new ATELIER_HOME or an empty database")
    .argument("<folder>", "folder of the backup")
    .option(
      "--postgres-data <folder>",
      "only restore the data folder of a server, which is stopped",
    )
    .option("--secrets <folder>", "restore the files with secrets to this folder")
    .action((folder: string, options: Json & RestoreFlags) =>
      withEnvironment(async (environment, remark) => {
        const { restore } = await import("./backup/restore.ts");
        return restore(environment, folder, options, remark);
      }, options),
    );
  leaf(program, "after-restore", "complete a restore: migrate, empty the queue, audit")
    .argument("[backup]", "folder of the backup whose images are restored")
    .action((folder: string | undefined, options: Json) =>
      withEnvironment(async (environment, remark) => {
        const { afterRestore } = await import("./backup/after-restore.ts");
        return afterRestore(environment, folder ?? null, remark);
      }, options),
    );
}

function addVerify(program: Command, withEnvironment: WithEnvironment): void {
  leaf(program, "verify", "find out where images come from, by manifest, hash, marks and look")
    .argument("<path...>", "PNG, JPEG, WebP, AVIF, GIF or SVG files, or folders with some")
    .option(
      "--trust-anchors <file>",
      "trusted root certificates in PEM (default: those of ATELIER_HOME)",
    )
    .option("--url <url>", "let the service at this address verify them")
    .action((paths: string[], { trustAnchors, url, ...options }: Json & VerifyFlags) =>
      withEnvironment(async (environment) => {
        const { verifyFiles } = await import("./verify.ts");
        if (url !== undefined) return verifyFiles(paths, createRemoteVerifier(url));
        const { openLocalVerifier } = await import("./verify-locally.ts");
        return verifyFiles(paths, await openLocalVerifier(trustAnchors, environment));
      }, options),
    );
}

interface VerifyFlags {
  /** A file of certificates in PEM. Default: those of the installation in ATELIER_HOME. */
  readonly trustAnchors?: string;
  /** Address of a service that verifies the files by `POST /verify`. */
  readonly url?: string;
}

function addCheckModels(group: Command, withEnvironment: WithEnvironment): void {
  leaf(group, "check", "list all models and why some are not usable with these settings")
    .option("-m, --model <id...>", "only these models")
    .option("--pay", "make one real image with each usable model, which its provider charges")
    .option("--timeout <seconds>", "timeout of one call", seconds, 300)
    .action((options: Json & CheckFlags) =>
      withEnvironment(async (environment) => {
        const { checkModels } = await import("./check-models.ts");
        return checkModels(environment, options);
      }, options),
    );
}

function addDiscoverModels(group: Command, withEnvironment: WithEnvironment): void {
  leaf(group, "discover", "ask an own server for its models, and print entries for PROVIDERS_FILE")
    .argument("<provider>", "name of the provider in PROVIDERS_FILE", name)
    .option("--price <eur>", "price of one image of 1K", price, "0.01")
    .option("--server <url>", "one of its base_urls (default: the first)")
    .option("--timeout <seconds>", "how long the server may take", seconds, 30)
    .action((provider: string, options: Json & DiscoverFlags) =>
      withEnvironment(async (environment) => {
        const { discover } = await import("./discover-models.ts");
        return discover(environment, provider, options);
      }, options),
    );
}

function addCheckCatalogue(program: Command, withEnvironment: WithEnvironment): void {
  const group = program.command("catalogue").description("compare the catalogue of models");
  leaf(group, "check", "compare its prices with a price list")
    .argument("<file>", "price list, as docs/descriptions.md describes it")
    .option("--eur-per-usd <rate>", "exchange rate of a list in USD", rate)
    .action((file: string, options: Json & CheckCatalogueFlags) =>
      withEnvironment(async (environment) => {
        const { checkCatalogue } = await import("./check-catalogue.ts");
        return checkCatalogue(environment, file, options);
      }, options),
    );
}

function addAccounts(
  program: Command,
  withDatabase: WithDatabase,
  withEnvironment: WithEnvironment,
  output: OutputConfiguration,
): void {
  const group = program.command("accounts").description("manage prepaid accounts");

  leaf(group, "create", "create an account")
    .argument("<name>", "name of the account", name)
    .addOption(
      new Option("--strictness <level>", "default moderation of its requests").choices(
        strictness.options,
      ),
    )
    .option("--credit <eur>", "initial credit", amount)
    .option("--yes", confirmation)
    .action(
      (label: string, options: Json & { strictness?: Strictness; credit?: bigint; yes?: true }) => {
        confirmAmount(options.credit ?? 0n, options.yes);
        return withDatabase(
          async ({ database }) => (await loadAccounts()).create(database, label, options),
          options,
        );
      },
    );

  leaf(group, "list", "list all accounts, oldest first").action((options: Json) =>
    withDatabase(async ({ database }) => (await loadAccounts()).list(database), options),
  );

  leaf(group, "show", "show an account")
    .argument("<account-id>", "id of the account", id)
    .action((accountId: string, options: Json) =>
      withDatabase(
        async ({ database }) => (await loadAccounts()).show(database, accountId),
        options,
      ),
    );

  leaf(group, "statement", "list the ledger entries of an account, newest first")
    .argument("<account-id>", "id of the account", id)
    .addOption(
      new Option("--limit <number>", "maximum number of lines").argParser(count).default(50),
    )
    .action((accountId: string, { limit, ...options }: Json & { limit: number }) =>
      withDatabase(
        async ({ database }) => (await loadAccounts()).statement(database, accountId, limit),
        options,
      ),
    );

  const movements = {
    "top-up": { description: "add credit", book: "addCredit" },
    withdraw: {
      description: "remove available credit",
      book: "takeCredit",
    },
  } as const;
  for (const [called, { description, book }] of Object.entries(movements)) {
    leaf(group, called, description)
      .argument("<account-id>", "id of the account", id)
      .argument("<eur>", "amount in EUR, such as 10 or 0.25", amount)
      .option("--reference <text>", "of the payment: booked once; generated when left out", name)
      .option("--yes", confirmation)
      .action(
        (
          accountId: string,
          amountMicroEur: bigint,
          { reference: given, yes, ...options }: Json & { reference?: string; yes?: true },
        ) => {
          confirmAmount(amountMicroEur, yes);
          const reference = given ?? `${called}-${newId()}`;
          if (given === undefined) {
            // Printed before booking: if the response is lost, a retry needs the reference.
            output.writeErr?.(
              `Reference: ${reference}. If no result follows, repeat the command with --reference ${reference}.\n`,
            );
          }
          return withDatabase(
            async ({ database }) =>
              (await loadAccounts())[book](database, { accountId, amountMicroEur, reference }),
            options,
          );
        },
      );
  }

  leaf(group, "strictness", "set the default moderation of an account")
    .argument("<account-id>", "id of the account", id)
    .addArgument(new Argument("<level>", "default for its requests").choices(strictness.options))
    .action((accountId: string, level: Strictness, options: Json) =>
      withDatabase(
        async ({ database }) => (await loadAccounts()).changeStrictness(database, accountId, level),
        options,
      ),
    );

  leaf(group, "suspend", "refuse all requests of an account")
    .argument("<account-id>", "id of the account", id)
    .action((accountId: string, options: Json) =>
      withDatabase(
        async ({ database }) => (await loadAccounts()).suspendOrResume(database, accountId, true),
        options,
      ),
    );

  leaf(group, "resume", "accept requests of a suspended account again")
    .argument("<account-id>", "id of the account", id)
    .action((accountId: string, options: Json) =>
      withDatabase(
        async ({ database }) => (await loadAccounts()).suspendOrResume(database, accountId, false),
        options,
      ),
    );
  addKeys(group, withDatabase);
  addErase(group, withEnvironment);
}

function addErase(group: Command, withEnvironment: WithEnvironment): void {
  leaf(group, "erase", "remove prompts, requests, images and names of an account permanently")
    .argument("<account-id>", "id of the account", id)
    .option("--yes", "erase; without it nothing is changed")
    .action((accountId: string, { yes, ...options }: Json & { yes?: true }) => {
      if (yes !== true) {
        throw new Error(
          "This can't be undone. Repeat the command with --yes to erase the account.",
        );
      }
      return withEnvironment(async (environment, remark) => {
        const { erase } = await import("./erase.ts");
        return erase(environment, accountId, remark);
      }, options);
    });
}

function addSoftBinding(program: Command, withEnvironment: WithEnvironment): void {
  const group = program
    .command("soft-binding")
    .description("publish the soft bindings of the installation");
  leaf(group, "entry", "print the entries for the C2PA soft binding algorithm list")
    .requiredOption("--identifier <number>", "the next free number of the list", count)
    .requiredOption("--contact <email>", "whom to ask about the algorithms")
    .requiredOption("--url <url>", "a page about the algorithms")
    .option("--former", "the entries of former names, as deprecated ones")
    .action((flags: Json & EntryFlags) =>
      withEnvironment(async (environment) => {
        const { createEntries } = await import("./soft-binding.ts");
        return createEntries(environment, flags, new Date());
      }, flags),
    );
}

function addKeys(accountsGroup: Command, withDatabase: WithDatabase): void {
  const group = accountsGroup.command("keys").description("manage the API keys of an account");

  leaf(group, "create", "create a key, which is shown once")
    .argument("<account-id>", "id of the account", id)
    .option("--name <name>", "name of the key", name, "key")
    .addOption(
      new Option("--mode <mode>", "test: free, drawn by built-in models")
        .choices(keyMode.options)
        .default("live"),
    )
    .action((accountId: string, options: Json & { name: string; mode: KeyMode }) =>
      withDatabase(
        async ({ database, keyPeppers }) =>
          (await loadKeys()).create(database, accountId, {
            name: options.name,
            mode: options.mode,
            pepper: keyPeppers?.[0] ?? null,
          }),
        options,
      ),
    );

  leaf(group, "list", "list the keys of an account, newest first")
    .argument("<account-id>", "id of the account", id)
    .action((accountId: string, options: Json) =>
      withDatabase(async ({ database }) => (await loadKeys()).list(database, accountId), options),
    );

  leaf(group, "revoke", "revoke a key permanently")
    .argument("<key-id>", "id of the key", id)
    .action((keyId: string, options: Json) =>
      withDatabase(async ({ database }) => (await loadKeys()).revoke(database, keyId), options),
    );
}

function leaf(group: Command, called: string, description: string): Command {
  return group.command(called).description(description).option("--json", "print JSON");
}

function day(text: string): string {
  if (!z.iso.date().safeParse(text).success)
    throw new InvalidArgumentError("It must be a day such as 2026-11-30.");
  return text;
}

function month(text: string): string {
  if (!z.iso.date().safeParse(`${text}-01`).success)
    throw new InvalidArgumentError("It must be a month such as 2026-06.");
  return text;
}

function share(text: string): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 1))
    throw new InvalidArgumentError("It must be a number from 0 to 1.");
  return value;
}

/** Parses an exchange rate into micro-EUR. */
function rate(text: string): bigint {
  const microEur = microEurOf(text);
  if (microEur > 0n && microEur < parseEur("1000")) return microEur;
  throw new InvalidArgumentError("It must be a rate such as 0.92.");
}

function seconds(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 3_600) return value;
  throw new InvalidArgumentError("It must be a number of seconds up to 3600.");
}

function id(text: string): string {
  if (!z.uuid().safeParse(text).success) throw new InvalidArgumentError("It must be a UUID.");
  return text.toLowerCase();
}

function price(text: string): string {
  if (/^\d+(\.\d{1,6})?$/.test(text)) return text;
  throw new InvalidArgumentError("It must be an amount in EUR such as 0.01.");
}

function name(text: string): string {
  const { data, error } = newName.safeParse(text);
  if (error === undefined) return data;
  throw new InvalidArgumentError(
    "It must have 1 to 100 characters, no control characters and no marks of text direction.",
  );
}

function count(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 1_000_000) return value;
  throw new InvalidArgumentError("It must be an integer from 1 to 1000000.");
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

/** Parses EUR into micro-EUR. */
function amount(text: string): bigint {
  const microEur = microEurOf(text);
  if (microEur > 0n) return microEur;
  throw new InvalidArgumentError("It must be an amount in EUR such as 10 or 0.25.");
}

/** Parses EUR into micro-EUR; 0 for anything else. */
function microEurOf(text: string): bigint {
  try {
    return parseEur(text);
  } catch {
    return 0n;
  }
}
