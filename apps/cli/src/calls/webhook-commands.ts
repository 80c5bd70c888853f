import type { EventType } from "@atelier/client";
import { eventTypes } from "@atelier/schemas";
import { listDeliveries } from "@atelier/schemas/endpoints";
import { InvalidArgumentError, type Command } from "commander";
import type { Call, CallFlags } from "./call.ts";
import { leaf, wholeNumber } from "./leaf.ts";
import { showPages } from "./resource.ts";
import * as webhooks from "./webhooks.ts";

/** Adds `webhooks` and its commands. */
export function addWebhooks(program: Command, call: Call): void {
  const group = program.command("webhooks").description("send events to a URL of yours");
  const eventsFlag = "types of events, separated by commas";

  leaf(group, "list", "list webhooks", { isDefault: true })
    .option("--requests", "list the receivers of the webhook_url of requests instead")
    .action((flags: CallFlags & webhooks.ListWebhooksFlags) =>
      call((caller) => webhooks.list(caller, flags), flags),
    );

  leaf(group, "create", "create a webhook and print its secret")
    .argument("<url>", "a public HTTPS URL")
    .option("--events <types>", `${eventsFlag} (default: all)`, types)
    .option("--description <text>", "shown in lists")
    .action((url: string, flags: CallFlags & webhooks.WebhookFlags) =>
      call((caller) => webhooks.create(caller, url, flags), flags),
    );

  leaf(group, "update", "change a webhook")
    .argument("<webhook-id>", "id of the list")
    .option("--to <url>", "a public HTTPS URL")
    .option("--events <types>", eventsFlag, types)
    .option("--description <text>", "shown in lists")
    .option("--enable", "start with new events")
    .option("--disable", "send nothing any more")
    .action((id: string, flags: CallFlags & webhooks.UpdateWebhookFlags) =>
      call((caller) => webhooks.update(caller, id, flags), flags),
    );

  leaf(group, "delete", "delete a webhook")
    .argument("<webhook-id>", "id of the list")
    .action((id: string, flags: CallFlags) => call((caller) => webhooks.remove(caller, id), flags));

  leaf(group, "test", "send a test event")
    .argument("<webhook-id>", "id of the list")
    .action((id: string, flags: CallFlags) => call((caller) => webhooks.test(caller, id), flags));

  leaf(group, "rotate-secret", "replace the secret and print the new one")
    .argument("<webhook-id>", "id of the list")
    .option("--grace-hours <hours>", "how long the old one signs as well", wholeNumber, 24)
    .action((id: string, { graceHours, ...flags }: CallFlags & { graceHours: number }) =>
      call((caller) => webhooks.rotateSecret(caller, id, graceHours), flags),
    );

  leaf(group, "request-secret", "make or replace the secret for the webhook_url of requests")
    .option("--grace-hours <hours>", "how long the old one signs as well", wholeNumber, 24)
    .action(({ graceHours, ...flags }: CallFlags & { graceHours: number }) =>
      call((caller) => webhooks.createRequestSecret(caller, graceHours), flags),
    );

  leaf(
    group,
    "test-secret",
    "print the secret for the webhook_url of requests of test keys",
  ).action((flags: CallFlags) => call(webhooks.readTestSecret, flags));

  const command = leaf(group, "deliveries", "list deliveries of the last 7 days, newest first");
  command.argument("<webhook-id>", "id of the list");
  showPages(command, call, listDeliveries, webhooks.deliveryColumns, "webhook");

  leaf(group, "retry", "send a delivery again")
    .argument("<delivery-id>", "id of: webhooks deliveries")
    .action((id: string, flags: CallFlags) => call((caller) => webhooks.retry(caller, id), flags));
}

/** Parses types of events, separated by commas. */
function types(text: string): EventType[] {
  return text.split(",").map((entry) => {
    const type = eventTypes.find((known) => known === entry.trim());
    if (type === undefined) {
      throw new InvalidArgumentError(`"${entry}" is not one of ${eventTypes.join(", ")}.`);
    }
    return type;
  });
}
