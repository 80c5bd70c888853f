import {
  assertLive,
  changeMember,
  createStudioLink,
  disableMember,
  findMember,
  handOver,
  inviteMember,
  listMembers,
  makeSecretKey,
  manage,
  memberNotFound,
  removeMember,
  renewSecret,
  studioLinkUrl,
  type Caller,
  type Managing,
  type Member,
  type NewSecret,
} from "@atelier/accounts";
import { newId } from "@atelier/database";
import { quotas } from "@atelier/schemas";
import * as endpoints from "@atelier/schemas/endpoints";
import type { Needs } from "../dependencies.ts";
import type { Routes } from "../http/routes.ts";

/** Number of listed members: all that are not disabled, and as many that are. */
const listLimit = 2 * quotas.keys.live;

const options = { notFound: memberNotFound };
const showing = {
  keyRefusal:
    "A link is shown once, so its response can't be repeated. Omit the header; if a response was lost, create another link with POST /v1/members/{id}/link.",
};

/** `/v1/members`: the people of the account. */
export function serveMembers(
  routes: Routes,
  dependencies: Needs<"accountGate" | "config" | "database">,
): void {
  const { accountGate, config, database } = dependencies;
  const { KEY_PEPPER: pepper, PUBLIC_URL: publicUrl } = config;

  routes.add(endpoints.listMembers, async ({ caller }) => {
    assertLive(caller);
    const members = await listMembers(database, caller.accountId, listLimit);
    return { members: members.map(presentMember) };
  });

  routes.add(
    endpoints.inviteMember,
    async ({ caller, body: { email = null, ...named } }) => {
      const id = newId();
      const secret = makeSecretKey(pepper);
      const link = await manage(database, caller, async (managing) => {
        await inviteMember(managing, secret, { ...named, id, email });
        return createLink(managing, secret);
      });
      return { ...(await read(caller, id)), link };
    },
    showing,
  );

  routes.add(
    endpoints.updateMember,
    async ({ caller, params: { id }, body: { name, email, role } }) => {
      const change = {
        ...(name !== undefined && { name }),
        ...(email !== undefined && { email }),
        ...(role !== undefined && { role }),
      };
      const ended = await act(caller, id, (managing) => changeMember(managing, change));
      return { ...(await read(caller, id)), ended };
    },
    options,
  );

  for (const endpoint of [endpoints.linkMember, endpoints.enableMember]) {
    const enable = endpoint === endpoints.enableMember;
    routes.add(
      endpoint,
      async ({ caller, params: { id } }) => {
        const secret = makeSecretKey(pepper);
        const link = await act(caller, id, async (managing) => {
          await renewSecret(managing, secret, { enable });
          return createLink(managing, secret);
        });
        return { ...(await read(caller, id)), link };
      },
      { ...options, ...showing },
    );
  }

  routes.add(
    endpoints.disableMember,
    async ({ caller, params: { id } }) => {
      const ended = await act(caller, id, disableMember);
      return { ...(await read(caller, id)), ended };
    },
    options,
  );

  routes.add(
    endpoints.removeMember,
    async ({ caller, params: { id } }) => {
      const member = await read(caller, id);
      return { ...member, ended: await act(caller, id, removeMember) };
    },
    options,
  );

  routes.add(
    endpoints.handOverMember,
    ({ caller, params, body: { to } }) =>
      act(caller, params.id, (managing) => handOver(managing, to)),
    options,
  );

  /** Acts on a member, in turn with the other changes of the account. */
  async function act<Result>(
    caller: Caller,
    memberId: string,
    work: (managing: Managing) => Promise<Result>,
  ): Promise<Result> {
    const { accountId } = caller;
    const { keyId } = await findMember(database, { accountId, memberId });
    return accountGate.run(accountId, () => manage(database, caller, work, keyId));
  }

  async function createLink({ sql }: Managing, { key }: NewSecret): Promise<string> {
    return studioLinkUrl(publicUrl, await createStudioLink(sql, { key, pepper }));
  }

  /** Reads the current state of a member for the response. */
  async function read({ accountId }: Caller, memberId: string): Promise<endpoints.ApiMember> {
    return presentMember(await findMember(database, { accountId, memberId }));
  }
}

/** Presents a member to those who manage its account. */
export function presentMember(member: Member): endpoints.ApiMember {
  return {
    id: member.id,
    name: member.name,
    email: member.email,
    role: member.role,
    key_id: member.keyId,
    has_identity: member.hasIdentity,
    invited_at: member.createdAt.toISOString(),
    last_seen_at: member.lastSeenAt?.toISOString() ?? null,
    disabled_at: member.disabledAt?.toISOString() ?? null,
  };
}
