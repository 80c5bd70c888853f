import type { QuoteRequest, UsageQuery } from "@atelier/client";
import { keyMode, quoteRequest, strictness, studioLanguage, usageQuery } from "@atelier/schemas";
import { listTransactions } from "@atelier/schemas/endpoints";
import { Argument, Option, type Command } from "commander";
import { addLimits, amountText } from "../../key-limits.ts";
import * as account from "./account.ts";
import { addBudgets } from "./budget-commands.ts";
import type { Call, CallFlags } from "../call.ts";
import * as keys from "./keys.ts";
import { leaf, wholeNumber } from "../leaf.ts";
import { addMembers } from "./member-commands.ts";
import { quote, type QuoteFlags } from "../quote.ts";
import { showPages } from "../resource.ts";
import { usage } from "./usage.ts";

/** Adds the commands for the caller's account: settings, keys, usage and quotes. */
export function addAccountCalls(program: Command, call: Call): void {
  addAccount(program, call);
  addKeys(program, call);
  addBudgets(program, call);
  addMembers(program, call);

  leaf(program, "usage", "sum jobs, images and cost")
    .option("--from <day>", "first day, such as 2026-11-01 (default: 29 days before --to)")
    .option("--to <day>", "last day, UTC (default: today)")
    .addOption(
      new Option("--by <group>", "what each row stands for")
        .choices(usageQuery.shape.group_by.unwrap().options)
        .default("day"),
    )
    .addOption(
      new Option("--mode <mode>", "jobs of this mode (default: that of the key)").choices(
        keyMode.options,
      ),
    )
    .action(
      ({
        from,
        to,
        by,
        mode,
        ...flags
      }: CallFlags & UsageQuery & { by: UsageQuery["group_by"] }) => {
        const query = {
          ...(from && { from }),
          ...(to && { to }),
          ...(by && { group_by: by }),
          ...(mode && { mode }),
        };
        return call((caller) => usage(caller, query), flags);
      },
    );

  showPages(
    leaf(program, "transactions", "list top-ups, charges, withdrawals and refunds, newest first"),
    call,
    listTransactions,
    {
      BOOKED: "created_at",
      KIND: "kind",
      EUR: "amount_eur",
      FOR: ({ job_id, reference }) => job_id ?? reference,
    },
  );

  leaf(program, "quote", "show price and wait of a request without sending it")
    .addArgument(
      new Argument("<operation>", "kind of request").choices(quoteRequest.shape.operation.options),
    )
    .argument("<file>", "the API request in JSON or YAML")
    .option("--batch", "as a request of a batch")
    .action((operation: QuoteRequest["operation"], file: string, flags: CallFlags & QuoteFlags) =>
      call((caller) => quote(caller, operation, file, flags), flags),
    );
}

function addAccount(program: Command, call: Call): void {
  const group = program.command("account").description("show, change and export the account");

  leaf(group, "show", "show balance and settings", { isDefault: true }).action((flags: CallFlags) =>
    call(account.show, flags),
  );

  leaf(group, "update", "change settings")
    .addOption(new Option("--strictness <level>", "default moderation").choices(strictness.options))
    .option("--retention-hours <hours>", "how long images are kept", wholeNumber)
    .option("--no-retention-hours", "keep images as long as the service allows")
    .option("--low-balance <eur>", "send an event when the balance falls below", amountText)
    .option("--no-low-balance", "send no event")
    .addOption(
      new Option("--language <language>", "language of Studio").choices(studioLanguage.options),
    )
    .option("--no-language", "use the language of the browser in Studio")
    .addOption(
      new Option("--keep-starred <yes-or-no>", "whether a star keeps the images of a job").choices([
        "yes",
        "no",
      ]),
    )
    .addOption(
      new Option(
        "--makers-read-all <yes-or-no>",
        "whether members with the role maker read all jobs",
      ).choices(["yes", "no"]),
    )
    .action((flags: CallFlags & account.AccountFlags) =>
      call((caller) => account.update(caller, withoutTrue(flags)), flags),
    );

  leaf(group, "export", "save all data of the account as JSON lines")
    .requiredOption("-o, --output <file>", "the file")
    .action(({ output, ...flags }: CallFlags & { output: string }) =>
      call((caller) => account.exportTo(caller, output), flags),
    );
}

function addKeys(program: Command, call: Call): void {
  const group = program.command("keys").description("manage API keys of the account");

  leaf(group, "list", "list keys with what they spent", { isDefault: true }).action(
    (flags: CallFlags) => call(keys.list, flags),
  );

  addLimits(leaf(group, "create", "create a key, which is shown once"))
    .argument("<name>", "name of the key")
    .addOption(
      new Option("--mode <mode>", "test: free, drawn by built-in models").choices(keyMode.options),
    )
    .option("--shared-budget <id>", "spend from this budget as well")
    .action((name: string, flags: CallFlags & keys.CreateKeyFlags) =>
      call((caller) => keys.create(caller, name, flags), flags),
    );

  addLimits(leaf(group, "update", "change a key"))
    .argument("<key-id>", "id of the key")
    .option("--name <name>", "new name")
    .option("--no-models", "allow all models")
    .option("--no-budget", "remove the budget")
    .option("--shared-budget <id>", "spend from this budget as well")
    .option("--no-shared-budget", "take it out of its shared budget")
    .option("--no-expires", "remove the expiry")
    .action((id: string, flags: CallFlags & keys.UpdateKeyFlags) =>
      call((caller) => keys.update(caller, id, withoutTrue(flags)), flags),
    );

  leaf(group, "revoke", "refuse a key from now on")
    .argument("<key-id>", "id of the key")
    .action((id: string, flags: CallFlags) => call((caller) => keys.revoke(caller, id), flags));

  leaf(group, "rotate", "replace a key by a new one with the same limits")
    .argument("<key-id>", "id of the key")
    .option("--grace-hours <hours>", "how long the old key still works, up to 168", wholeNumber)
    .action((id: string, { graceHours, ...flags }: CallFlags & { graceHours?: number }) =>
      call((caller) => keys.rotate(caller, id, graceHours), flags),
    );
}

/** Commander sets flags with a `--no` form to true when neither form is given. */
function withoutTrue<Flags extends object>(flags: Flags): Flags {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== true)) as Flags;
}
