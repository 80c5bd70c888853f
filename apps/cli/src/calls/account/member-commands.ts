import type { ChangedMember, Member, MemberWithLink } from "@atelier/client";
import { UsageError } from "@atelier/configuration";
import { memberRole, type MemberRole } from "@atelier/schemas";
import { disableMember, removeMember } from "@atelier/schemas/endpoints";
import { Argument, Option, type Command } from "commander";
import { properties, table, withSecret, type Answer } from "../../answer.ts";
import type { Call, CallFlags } from "../call.ts";
import { leaf } from "../leaf.ts";
import { addShow } from "../resource.ts";

interface UpdateFlags {
  readonly name?: string;
  readonly email?: string | boolean;
  readonly role?: MemberRole;
}

/** Adds the commands for the people of an account. */
export function addMembers(program: Command, call: Call): void {
  const group = program
    .command("members")
    .description("invite people to the account, change, disable and remove them");

  leaf(group, "list", "list members, disabled ones last", { isDefault: true }).action(
    (flags: CallFlags) =>
      call(async ({ atelier, follow: { signal } }) => {
        const members = await atelier.members.list({ signal });
        const rows = members.map((member) => [
          member.id,
          member.name,
          member.email ?? "",
          member.role,
          statusOf(member),
          member.last_seen_at ?? "never",
        ]);
        const headings = ["ID", "NAME", "E-MAIL", "ROLE", "STATUS", "LAST SEEN"];
        return { json: { members }, text: table(headings, rows) };
      }, flags),
  );

  leaf(group, "invite", "invite a member, with a link that is shown once")
    .argument("<name>", "name of the member")
    .addArgument(new Argument("<role>", "what it may do").choices(memberRole.options))
    .option("--email <address>", "its e-mail address; no mail is sent")
    .action((name: string, role: MemberRole, { email, ...flags }: CallFlags & UpdateFlags) =>
      call(async ({ atelier, follow: { signal } }) => {
        const request = { name, role, ...(typeof email === "string" && { email }) };
        return describeLink(await atelier.members.invite(request, { signal }));
      }, flags),
    );

  leaf(group, "update", "change a member")
    .argument("<member-id>", "id of the member")
    .option("--name <name>", "new name")
    .option("--email <address>", "new e-mail address")
    .option("--no-email", "remove the e-mail address")
    .addOption(new Option("--role <role>", "what it may do").choices(memberRole.options))
    .action((id: string, { name, email = true, role, ...flags }: CallFlags & UpdateFlags) =>
      call(async ({ atelier, follow: { signal } }) => {
        const request = {
          ...(name !== undefined && { name }),
          ...(email !== true && { email: email === false ? null : email }),
          ...(role !== undefined && { role }),
        };
        if (Object.keys(request).length === 0) {
          throw new UsageError("Nothing to change. Pass --name, --email or --role.");
        }
        return describeChanged(await atelier.members.update(id, request, { signal }));
      }, flags),
    );

  for (const [name, description, method] of [
    ["link", "create another link for a member, in place of earlier ones", "createLink"],
    ["enable", "let a disabled member sign in again, with a link that is shown once", "enable"],
  ] as const) {
    leaf(group, name, description)
      .argument("<member-id>", "id of the member")
      .action((id: string, flags: CallFlags) =>
        call(
          async ({ atelier, follow: { signal } }) =>
            describeLink(await atelier.members[method](id, { signal })),
          flags,
        ),
      );
  }

  leaf(group, "hand-over", "give what a member created to another member")
    .argument("<member-id>", "id of the member")
    .argument("<to-member-id>", "id of the member who receives it")
    .action((id: string, to: string, flags: CallFlags) =>
      call(async ({ atelier, follow: { signal } }) => {
        const handed = await atelier.members.handOver(id, { to }, { signal });
        const text = `Handed over: ${handed.keys} keys, ${handed.webhooks} webhooks`;
        return { json: handed, text };
      }, flags),
    );

  addShow(group, call, disableMember, "member", describeChanged, [
    "disable",
    "refuse a member from now on, and end what it created",
  ]);
  addShow(group, call, removeMember, "member", describeChanged, [
    "remove",
    "disable a member and delete its name, e-mail address and identity",
  ]);
}

function describe(member: Member): string {
  return properties([
    ["Member", member.id],
    ["Name", member.name],
    ["E-mail", member.email ?? "none"],
    ["Role", member.role],
    ["Key", member.key_id],
    ["Status", statusOf(member)],
  ]);
}

function describeLink({ link, ...member }: MemberWithLink): Answer {
  return withSecret({ json: { ...member, link }, text: describe(member) }, link);
}

function describeChanged({ ended, ...member }: ChangedMember): Answer {
  const { keys, webhooks, sessions } = ended;
  const text = describe(member);
  return {
    json: { ...member, ended },
    text:
      keys + webhooks + sessions === 0
        ? text
        : `${text}\nEnded with it: ${keys} keys, ${webhooks} webhooks, ${sessions} sessions`,
  };
}

function statusOf({ disabled_at, last_seen_at }: Member): string {
  if (disabled_at !== null) return "disabled";
  return last_seen_at === null ? "invited" : "active";
}
