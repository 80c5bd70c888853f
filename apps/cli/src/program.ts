import { costGroups, type CostGroup } from "@atelier/schemas";
import { Argument, Option, type Command, type OutputConfiguration } from "commander";
import type { KeyReason, LogHead } from "@atelier/audit";
import type { OperatorLogFlags } from "./operator-log.ts";
import type { BackupFlags } from "./backup/backup.ts";
import type { RestoreFlags } from "./backup/restore.ts";
import type { CallFlags } from "./calls/call.ts";
import { addCalls, addListModels } from "./calls/commands.ts";
import { findService } from "./calls/find-service.ts";
import { leaf as callLeaf } from "./calls/leaf.ts";
import { addAccounts, erasuresFlag, erasuresHelp } from "./operators/account-commands.ts";
import { recordCommands } from "./operators/record-commands.ts";
import { addFind } from "./operators/find-commands.ts";
import { createActions, leaf, type Actions, type Runners } from "./operators/command.ts";
import {
  count,
  day,
  head,
  id,
  lineNumber,
  month,
  name,
  price,
  rate,
  seconds,
  share,
} from "./operators/parse-values.ts";
import type { CheckCatalogueFlags } from "./models/check-catalogue.ts";
import { createCommand } from "./create-command.ts";
import type { CheckFlags } from "./models/check-models.ts";
import type { DiscoverFlags } from "./models/discover-models.ts";
import type { EntryFlags } from "./verify/soft-binding.ts";
import { createRemoteVerifier } from "./verify/verify-remotely.ts";
import { addStoryDemo } from "./story-demo/command.ts";

// Loading all commands takes longer than running one, so those with large dependencies are loaded
// when they are used.

/** Creates the command line. Commands never end the process. */
export function createProgram(runners: Runners, output: OutputConfiguration): Command {
  const { call } = runners;
  const run = createActions(runners);
  const program = createCommand("npm run atelier --", output).description(
    "Make images and stories with Atelier, and manage its accounts and keys.",
  );

  recordCommands(program, runners.record);

  program.commandsGroup("Caller commands (for the service here, or ATELIER_URL):");
  addCalls(program, call);
  addStoryDemo(program, call);
  addModels(program, call, run);
  addVerify(program, run);

  program.commandsGroup("Operator commands (for the database here, or DATABASE_URL):");
  addAccounts(program, run, runners, output);
  addFind(program, run);
  run.onDatabase(
    leaf(program, "operator-log", "print what operators changed, oldest first")
      .option("--after <number>", "lines after this one", lineNumber)
      .option("--target <id>", "lines about this account or key", id)
      .option("--json-lines", "print each line as a line of JSON"),
    async ({ database }, flags: OperatorLogFlags) =>
      (await import("./operator-log.ts")).showOperatorLog(database, flags),
  );
  run.onDatabase(
    leaf(program, "operator-log-key", "begin a new OPERATOR_LOG_KEY, and record why").addArgument(
      new Argument(
        "<reason>",
        "lost, or rotated with the key before in OLD_OPERATOR_LOG_KEYS",
      ).choices(["lost", "rotated"] satisfies KeyReason[]),
    ),
    async ({ database, environment }, reason: KeyReason) =>
      (await import("./operator-log.ts")).beginLogKey(database, environment, reason),
  );
  run.onDatabase(
    callLeaf(program, "studio-link", "create a link that signs in to Studio once"),
    async ({ database, keyPeppers, environment }, flags: CallFlags) => {
      const { createLink } = await import("./studio-link.ts");
      const service = await findService(flags, environment, { usesCurrentFolder: true });
      return createLink(database, service, keyPeppers);
    },
  );
  run.onDatabase(
    leaf(program, "peppers", "count the keys and webhooks that need OLD_KEY_PEPPERS"),
    async ({ database, keyPeppers }) =>
      (await import("./peppers.ts")).showPepperUse(database, keyPeppers),
  );
  run.onEnvironment(
    leaf(program, "doctor", "say what this installation lacks for production"),
    async ({ environment }) => (await import("./doctor/doctor.ts")).doctor(environment),
  );
  run.onEnvironment(
    leaf(program, "audit", "check the invariants of database and storage")
      .addOption(
        new Option("--hash <share>", "fraction of the images to read and hash, 0 to 1")
          .argParser(share)
          .default(0.01),
      )
      .option("--repair", "first complete rows that older versions left incomplete")
      .option(
        "--log-head <head...>",
        "heads of the operator log, of process logs and backups",
        head,
      ),
    async (
      { environment, remark },
      flags: { hash: number; repair?: boolean; logHead?: readonly LogHead[] },
    ) => {
      const { audit } = await import("./audit.ts");
      const { hash: hashShare, repair: isRepairing = false, logHead: heads = [] } = flags;
      return audit(environment, { hashShare, isRepairing, heads }, remark);
    },
  );
  run.onDatabase(
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
      .option("--to <day>", "last day in UTC (default: today)", day),
    async ({ database }, flags: { groupBy: CostGroup; from?: string; to?: string }) =>
      (await import("./costs.ts")).costs(database, flags),
  );
  run.onEnvironment(
    leaf(program, "archive", "move old jobs from the database to the storage")
      .option("--before <month>", "jobs of this month, such as 2026-06, and later ones stay", month)
      .option("--with-texts", "also jobs that still have their request and prompts")
      .option("--list", "list what is archived"),
    async (
      { environment, remark },
      { before, withTexts = false, list }: { before?: string; withTexts?: boolean; list?: boolean },
    ) => {
      const { archive, listArchive } = await import("./archive.ts");
      if (list === true) return listArchive(environment);
      if (before === undefined) throw new Error("Pass --before <month>, or --list.");
      return archive(environment, { before, withTexts }, remark);
    },
  );
  run.onDatabase(
    leaf(program, "backfills", "show the progress of backfills after an upgrade"),
    async ({ database }) => (await import("./backfills.ts")).listBackfills(database),
  );
  run.onEnvironment(
    leaf(program, "registry-fill", "enter images made by earlier versions into the registry"),
    async ({ environment, remark }) =>
      (await import("./registry.ts")).fillRegistry(environment, remark),
  );
  addSoftBinding(program, run);
  run.onEnvironment(
    leaf(program, "migrate", "apply database migrations"),
    async ({ environment, remark }) =>
      (await import("./migrations.ts")).migrate(environment, remark),
  );
  addBackups(program, run);
  run.onEnvironment(
    leaf(program, "make-secrets", "create the secrets of a new installation, one file each")
      .argument("<folder>", "created if missing; existing files are kept")
      .option("--storage-url <url>", "public address of the S3 server", "http://localhost:7070"),
    async (_, folder: string, { storageUrl }: { storageUrl: string }) =>
      (await import("./installation-secrets.ts")).makeSecrets(folder, storageUrl),
  );
  return program;
}

function addBackups(program: Command, { onDatabase, onEnvironment }: Actions): void {
  onDatabase(
    leaf(program, "backup-done", "record that another program has made a backup, for the alert"),
    async ({ database }) => (await import("./backup/backup.ts")).recordBackup(database),
  );
  onEnvironment(
    leaf(program, "backup", "back up the running installation into a new folder")
      .argument("<folder>", "created if missing")
      .option("--images", "include the images of an S3 bucket (files are always included)")
      .option("--secrets <folder>", "include the files of this folder as secrets"),
    async ({ environment, remark }, folder: string, flags: BackupFlags) =>
      (await import("./backup/backup.ts")).backup(environment, folder, flags, remark),
  );
  onEnvironment(
    leaf(program, "restore", "restore a backup into a new ATELIER_HOME or an empty database")
      .argument("<folder>", "folder of the backup")
      .option(
        "--postgres-data <folder>",
        "only restore the data folder of a server, which is stopped",
      )
      .option("--secrets <folder>", "restore the files with secrets to this folder")
      .option(erasuresFlag, erasuresHelp),
    async ({ environment, remark }, folder: string, flags: RestoreFlags) =>
      (await import("./backup/restore.ts")).restore(environment, folder, flags, remark),
  );
  onEnvironment(
    leaf(program, "after-restore", "complete a restore: migrate, empty the queue, audit")
      .argument("[backup]", "folder of the backup whose images are restored")
      .option(erasuresFlag, erasuresHelp),
    async (
      { environment, remark },
      folder: string | undefined,
      { erasures = null }: { readonly erasures?: string | null },
    ) => {
      const { afterRestore } = await import("./backup/after-restore.ts");
      return afterRestore(environment, folder ?? null, erasures, remark);
    },
  );
}

function addVerify(program: Command, { onEnvironment }: Actions): void {
  onEnvironment(
    leaf(program, "verify", "find out where images come from, by manifest, hash, marks and look")
      .argument("<path...>", "PNG, JPEG, WebP, AVIF, GIF or SVG files, or folders with some")
      .option(
        "--trust-anchors <file>",
        "trusted root certificates in PEM (default: those of ATELIER_HOME)",
      )
      .option("--url <url>", "let the service at this address verify them"),
    async ({ environment }, paths: string[], { trustAnchors, url }: VerifyFlags) => {
      const { verifyFiles } = await import("./verify/verify.ts");
      if (url !== undefined) return verifyFiles(paths, createRemoteVerifier(url));
      const { openLocalVerifier } = await import("./verify/verify-locally.ts");
      return verifyFiles(paths, await openLocalVerifier(trustAnchors, environment));
    },
  );
}

interface VerifyFlags {
  /** A file of certificates in PEM. Default: those of the installation in ATELIER_HOME. */
  readonly trustAnchors?: string;
  /** Address of a service that verifies the files by `POST /verify`. */
  readonly url?: string;
}

function addModels(program: Command, call: Runners["call"], { onEnvironment }: Actions): void {
  const group = program.command("models").description("list, check and discover models");
  addListModels(group, call);
  onEnvironment(
    leaf(group, "check", "list all models and why some are not usable with these settings")
      .option("-m, --model <id...>", "only these models")
      .option("--pay", "make one real image with each usable model, which its provider charges")
      .option("--timeout <seconds>", "timeout of one call", seconds, 300),
    async ({ environment }, flags: CheckFlags) =>
      (await import("./models/check-models.ts")).checkModels(environment, flags),
  );
  onEnvironment(
    leaf(
      group,
      "discover",
      "ask an own server for its models, and print entries for PROVIDERS_FILE",
    )
      .argument("<provider>", "name of the provider in PROVIDERS_FILE", name)
      .option("--price <eur>", "price of one image of 1K", price, "0.01")
      .option("--server <url>", "one of its base_urls (default: the first)")
      .option("--timeout <seconds>", "how long the server may take", seconds, 30),
    async ({ environment }, provider: string, flags: DiscoverFlags) =>
      (await import("./models/discover-models.ts")).discover(environment, provider, flags),
  );
  const catalogue = program.command("catalogue").description("compare the catalogue of models");
  onEnvironment(
    leaf(catalogue, "check", "compare its prices with a price list")
      .argument("<file>", "price list, as docs/descriptions.md describes it")
      .option("--eur-per-usd <rate>", "exchange rate of a list in USD", rate),
    async ({ environment }, file: string, flags: CheckCatalogueFlags) =>
      (await import("./models/check-catalogue.ts")).checkCatalogue(environment, file, flags),
  );
}

function addSoftBinding(program: Command, { onEnvironment }: Actions): void {
  const group = program
    .command("soft-binding")
    .description("publish the soft bindings of the installation");
  onEnvironment(
    leaf(group, "entry", "print the entries for the C2PA soft binding algorithm list")
      .requiredOption("--identifier <number>", "the next free number of the list", count)
      .requiredOption("--contact <email>", "whom to ask about the algorithms")
      .requiredOption("--url <url>", "a page about the algorithms")
      .option("--former", "the entries of former names, as deprecated ones"),
    async ({ environment }, flags: EntryFlags) =>
      (await import("./verify/soft-binding.ts")).createEntries(environment, flags, new Date()),
  );
}
