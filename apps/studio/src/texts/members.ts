import { texts as shared } from "./secret.ts";

/** Texts of the page with the members, and the shared texts. */
export const texts = {
  ...shared,
  members: {
    copy: "Copy the link",
    disable: "Disable",
    disableName: (name: string) => `Disable ${name}`,
    disableText:
      "This person is refused from now on. All of their sessions and shared links end, and so do the keys and webhooks that they created: hand these over first to keep them. Jobs that they requested still run to their end.",
    disableTextWithoutKeys:
      "This person is refused from now on. All of their sessions and shared links end. Jobs that they requested still run to their end.",
    disableSelf: "This is you: you are signed out.",
    disabled: "Disabled",
    edit: "Edit",
    editName: (name: string) => `Edit ${name}`,
    email: "E-mail address (optional)",
    emailHint:
      "No mail is sent. With an identity provider, the person can sign in by this address without the link.",
    empty: "No members",
    emptyHint:
      "People whom you invite sign in as themselves, without an API key. Invite yourself as an owner first.",
    enable: "Enable",
    enableName: (name: string) => `Enable ${name}`,
    enableText: (name: string) =>
      `This creates a link that signs ${name} in once and expires after 24 hours. Keys and webhooks that ended do not return.`,
    ended: ({ keys, webhooks, sessions }: { keys: number; webhooks: number; sessions: number }) =>
      `Ended: keys ${keys}, webhooks ${webhooks}, sessions ${sessions}.`,
    gone: "This member was removed in the meantime. Close the dialog to see the current list.",
    handOver: "Hand over",
    handOverName: (name: string) => `Hand over what ${name} created`,
    handOverKeys: (names: string) => `Keys: ${names}.`,
    handOverNoKeys: "No keys that work.",
    handOverText:
      "The keys and webhooks that this person created belong to the other one from now on. Programs keep working with them; rotate the keys that this person knows.",
    handOverTo: "To",
    handed: ({ name, keys, webhooks }: { name: string; keys: number; webhooks: number }) =>
      `Handed over to ${name}: keys ${keys}, webhooks ${webhooks}.`,
    invite: "Invite a member",
    invited: "Invited",
    invitedAt: "Invited",
    keysStay: (name: string, keys: string) =>
      `${name} keeps these keys but does not see them as a maker: ${keys}. They end when this person is disabled. Hand them over first to keep them.`,
    lastSeen: "Last seen",
    lead: "People who sign in to Studio as themselves. The role says what they may do.",
    limitsEnd: (name: string) =>
      `Only makers have budgets and limited models: those of ${name} are removed when you save.`,
    link: "New link",
    linkCopied: "The link is in the clipboard.",
    linkName: (name: string) => `New link for ${name}`,
    linkOnce: (name: string) =>
      `Send it to ${name} yourself, over a channel that you trust. It works once and expires after 24 hours. It is shown only now.`,
    linkText:
      "It signs this person in once and expires after 24 hours. Send it yourself, over a channel that you trust.",
    linkTitle: (name: string) => `The link for ${name}`,
    name: "Name",
    never: "Never",
    onlyHigher: "Only a member with a higher role can change this one.",
    ownBudget: "Own budget",
    remove: "Remove",
    removeName: (name: string) => `Remove ${name}`,
    removeText:
      "This person is disabled, and the name and the e-mail address are deleted. Jobs stay with the account; their usage is listed under “removed member”. This cannot be undone.",
    role: "Role",
    roles: {
      owner: { name: "Owner", hint: "Everything, with the settings and all members" },
      manager: { name: "Manager", hint: "Keys, budgets, webhooks and makers" },
      maker: { name: "Maker", hint: "Makes images and stories" },
    },
    self: "You",
    sharedBudget: "Shared budget",
    showDisabled: (count: number) =>
      count === 1 ? "Show 1 disabled member" : `Show ${count} disabled members`,
    hideDisabled: "Hide disabled members",
  },
};
