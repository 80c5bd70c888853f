import type { Environment } from "@atelier/configuration";
import type { Database } from "@atelier/database";
import { parseEur, strictness, type Strictness } from "@atelier/schemas";
import {
  Argument,
  Command,
  InvalidArgumentError,
  Option,
  type OutputConfiguration,
} from "commander";
import * as z from "zod";
import packageJson from "../package.json" with { type: "json" };
import * as accounts from "./accounts.ts";
import type { Answer } from "./answer.ts";
import { audit } from "./audit.ts";
import type { Call } from "./calls/call.ts";
import { addCalls, addListModels } from "./calls/commands.ts";
import { makeSecrets } from "./installation-secrets.ts";
import * as keys from "./keys.ts";
import { migrate } from "./migrations.ts";
import { addCheckModels } from "./check-models.ts";
import { verify, type VerifyFlags } from "./verify.ts";

/** What a command works with. */
interface Workplace {
  readonly database: Database;
  readonly keyPepper: string | null;
}

/** Runs a command's work on the database and shows its answer. */
export type WithDatabase = (
  work: (workplace: Workplace) => Promise<Answer>,
  options: { readonly json?: boolean },
) => Promise<void>;

interface Json {
  readonly json?: boolean;
}

/**
 * Runs a command's work that opens for itself what it needs. Remarks show a person at a terminal how
 * far it is.
 */
export type WithEnvironment = (
  work: (environment: Environment, remark: (line: string) => void) => Promise<Answer>,
  options: { readonly json?: boolean },
) => Promise<void>;

/** How each kind of command is run. */
export interface Runners {
  readonly withDatabase: WithDatabase;
  readonly call: Call;
  readonly withEnvironment: WithEnvironment;
}

/** All commands. They end by their runner, and never by ending the process. */
export function createProgram(
  { withDatabase, call, withEnvironment }: Runners,
  output: OutputConfiguration,
): Command {
  const program = new Command("npm run atelier --")
    .description("Images and stories of an Atelier, and its accounts and keys.")
    .version(packageJson.version, "--version", "tell the version")
    .exitOverride()
    .configureOutput(output)
    .showSuggestionAfterError();

  program.commandsGroup("Ask a service for images (the one that runs here, or ATELIER_URL):");
  addCalls(program, call);
  const models = program.command("models").description("what can be asked for");
  addListModels(models, call);
  addCheckModels(models, withEnvironment);
  addVerify(program, withEnvironment);

  program.commandsGroup("For the operator (the database here, or DATABASE_URL):");
  addAccounts(program, withDatabase);
  addKeys(program, withDatabase);
  leaf(program, "audit", "hold database and storage to what must always be true")
    .addOption(
      new Option("--hash <share>", "part of the images that are read and hashed, 0 to 1")
        .argParser(share)
        .default(0.01),
    )
    .action((options: Json & { hash: number }) =>
      withEnvironment((environment, remark) => audit(environment, options.hash, remark), options),
    );
  leaf(program, "migrate", "bring the database up to date").action((options: Json) =>
    withEnvironment(migrate, options),
  );
  leaf(program, "make-secrets", "make the secrets of a new installation, a file for each")
    .argument("<folder>", "made when it is missing; files that are there are kept")
    .option("--storage-url <url>", "where clients reach the S3 server", "http://localhost:7070")
    .action((folder: string, options: Json & { storageUrl: string }) =>
      withEnvironment(() => makeSecrets(folder, options.storageUrl), options),
    );
  return program;
}

function addVerify(program: Command, withEnvironment: WithEnvironment): void {
  leaf(program, "verify", "what the manifest in an image says, and whether it holds")
    .argument("<file>", "a PNG, JPEG or WebP")
    .option("--trust-anchors <file>", "certificates in PEM; those of ATELIER_HOME when left out")
    .action((file: string, options: Json & VerifyFlags) =>
      withEnvironment((environment) => verify(file, options, environment), options),
    );
}

function addAccounts(program: Command, withDatabase: WithDatabase): void {
  const group = program.command("accounts").description("prepaid accounts");

  leaf(group, "create", "make an account")
    .argument("<name>", "what to call it", name)
    .addOption(
      new Option("--strictness <level>", "its moderation, unless a request says otherwise").choices(
        strictness.options,
      ),
    )
    .option("--credit <eur>", "to begin with", amount)
    .action((label: string, options: Json & { strictness?: Strictness; credit?: bigint }) =>
      withDatabase(({ database }) => accounts.create(database, label, options), options),
    );

  leaf(group, "list", "all accounts, oldest first").action((options: Json) =>
    withDatabase(({ database }) => accounts.list(database), options),
  );

  leaf(group, "show", "one account")
    .argument("<account-id>", "its id", id)
    .action((accountId: string, options: Json) =>
      withDatabase(({ database }) => accounts.show(database, accountId), options),
    );

  leaf(group, "statement", "what was booked for an account, newest first")
    .argument("<account-id>", "whose bookings", id)
    .addOption(new Option("--limit <number>", "the most lines").argParser(count).default(50))
    .action((accountId: string, { limit, ...options }: Json & { limit: number }) =>
      withDatabase(({ database }) => accounts.statement(database, accountId, limit), options),
    );

  const movements = {
    "top-up": { description: "add credit", book: accounts.addCredit },
    withdraw: {
      description: "take credit back, as far as it is not held",
      book: accounts.takeCredit,
    },
  };
  for (const [called, { description, book }] of Object.entries(movements)) {
    leaf(group, called, description)
      .argument("<account-id>", "its id", id)
      .argument("<eur>", "such as 10 or 0.25", amount)
      .option("--reference <text>", "of the payment: booked once, however often it is sent", name)
      .action(
        (
          accountId: string,
          amountMicroEur: bigint,
          { reference, ...options }: Json & { reference?: string },
        ) =>
          withDatabase(
            ({ database }) => book(database, { accountId, amountMicroEur, reference }),
            options,
          ),
      );
  }

  leaf(group, "strictness", "change how requests of an account are moderated")
    .argument("<account-id>", "its id", id)
    .addArgument(
      new Argument("<level>", "unless a request says otherwise").choices(strictness.options),
    )
    .action((accountId: string, level: Strictness, options: Json) =>
      withDatabase(
        ({ database }) => accounts.changeStrictness(database, accountId, level),
        options,
      ),
    );

  leaf(group, "suspend", "refuse all requests of an account")
    .argument("<account-id>", "its id", id)
    .action((accountId: string, options: Json) =>
      withDatabase(({ database }) => accounts.suspendOrResume(database, accountId, true), options),
    );

  leaf(group, "resume", "let a suspended account work again")
    .argument("<account-id>", "its id", id)
    .action((accountId: string, options: Json) =>
      withDatabase(({ database }) => accounts.suspendOrResume(database, accountId, false), options),
    );
}

function addKeys(program: Command, withDatabase: WithDatabase): void {
  const group = program.command("keys").description("API keys of accounts");

  leaf(group, "create", "make a key; it is shown once")
    .argument("<account-id>", "whose key", id)
    .option("--name <name>", "to tell it from others", name, "key")
    .action((accountId: string, options: Json & { name: string }) =>
      withDatabase(
        ({ database, keyPepper }) =>
          keys.create(database, accountId, { name: options.name, pepper: keyPepper }),
        options,
      ),
    );

  leaf(group, "list", "the keys of an account, newest first")
    .argument("<account-id>", "whose keys", id)
    .action((accountId: string, options: Json) =>
      withDatabase(({ database }) => keys.list(database, accountId), options),
    );

  leaf(group, "revoke", "make a key useless, for good")
    .argument("<key-id>", "its id, as listed", id)
    .action((keyId: string, options: Json) =>
      withDatabase(({ database }) => keys.revoke(database, keyId), options),
    );
}

function leaf(group: Command, called: string, description: string): Command {
  return group.command(called).description(description).option("--json", "answer in JSON");
}

function share(text: string): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 1)) throw new InvalidArgumentError("It must be from 0 to 1.");
  return value;
}

function id(text: string): string {
  if (!z.uuid().safeParse(text).success) throw new InvalidArgumentError("It is not an id.");
  return text.toLowerCase();
}

function name(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.length > 100) {
    throw new InvalidArgumentError("It must have 1 to 100 characters.");
  }
  return trimmed;
}

function count(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 1_000_000) return value;
  throw new InvalidArgumentError("It must be a whole number from 1 to 1000000.");
}

/** EUR in, micro-EUR out. */
function amount(text: string): bigint {
  let microEur = 0n;
  try {
    microEur = parseEur(text);
  } catch {
    // Told below, together with what is no amount to add.
  }
  if (microEur === 0n) {
    throw new InvalidArgumentError("It must be an amount in EUR such as 10 or 0.25.");
  }
  return microEur;
}
