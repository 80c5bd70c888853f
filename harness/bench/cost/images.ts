import { createHash, randomUUID } from "node:crypto";
import { createAccount, createKey } from "@atelier/accounts";
import { topUp } from "@atelier/billing";
import { acceptGeneration, createAcceptor, type Acceptor } from "@atelier/generations/accept";
import { claimRender, recordIntent } from "@atelier/generations/claims";
import { createFinisher, finalChannel, type StoredImage } from "@atelier/generations/endings";
import { makeImagePlan } from "@atelier/generations/testing";
import { serveLane } from "@atelier/queue";
import { lockMs, type Shared } from "./floor.ts";

/** Time after which a client reads the state of its job itself, as the API does. */
const pollMs = 500;

const formats = ["png", "jpeg", "webp", "thumbnail"] as const;

const perceptualHash = "0".repeat(64);

/**
 * Everything that an image costs besides HTTP, the model, marking and storage: accept, dispatch, claim,
 * intent, finish, and the wake-up of the request that waits for it.
 */
export async function createImages(
  { database, queues, queueUrl, concurrency, onError }: Shared,
  lanes: { readonly served: string; readonly unserved: string },
) {
  const acceptor = createAcceptor(database, { maxWaiting: 300, maxWaitMs: 10_000 });
  const finisher = createFinisher(database);
  const waiting = new Map<string, () => void>();
  const listener = await database.listen({ [finalChannel]: (id) => waiting.get(id)?.() });
  const served = await serveLane({
    url: queueUrl,
    lane: lanes.served,
    concurrency,
    rateLimit: null,
    lockMs,
    onError,
    async render(renderId) {
      const claim = await claimRender(database, renderId, lanes.served);
      if (claim === null) return { kind: "failed", reason: "it cannot be claimed" };
      const promptHash = createHash("sha256").update(renderId).digest();
      const decision = { moderator: "bench", promptHash };
      const callId = await recordIntent(database.repeatable, claim, decision);
      if (callId === null) return { kind: "failed", reason: "it was claimed again" };
      const images = formats.map((format) => imageOf(renderId, format));
      const watermarkId = renderId.replaceAll("-", "").slice(-16);
      const marked = { watermarkId, perceptualHash, parentWatermarks: [], synthetic: null };
      const mark = { ...marked, hasDossier: true };
      await finisher.finish(claim, images, { callId }, mark);
      return { kind: "done" };
    },
  });

  const accounts: { readonly accountId: string; readonly keyId: string }[] = [];
  const keys = new Map<string, string>();

  async function isFinal(id: string): Promise<boolean> {
    const sql = "SELECT FROM generation WHERE id = $1 AND status = 'completed'";
    return (await database.query(sql, [id])).length > 0;
  }

  async function accept(accountId: string, lane: string, acceptOne: Acceptor = acceptor) {
    const acceptance = await acceptOne.accept({
      accountId,
      keyId: keys.get(accountId) ?? "",
      plan: makeImagePlan({ model: "bench", lane }),
      deadlineMs: 3_600_000,
      maxUnfinishedJobs: 1_000_000_000,
      idempotency: null,
    });
    if (acceptance.kind !== "accepted") throw new Error("the image was not accepted");
    return acceptance;
  }

  return {
    /** Returns the ids of accounts with credit, which are created when they are missing. */
    async openAccounts(count: number): Promise<string[]> {
      while (accounts.length < count) {
        const accountId = await createAccount(database, { name: "bench" });
        await topUp(database, { accountId, amountMicroEur: 1_000_000_000_000n });
        const { id } = await createKey(database, { accountId, name: "bench", pepper: "bench" });
        accounts.push({ accountId, keyId: id });
        keys.set(accountId, id);
      }
      return accounts.slice(0, count).map(({ accountId }) => accountId);
    },

    /** Accepts an image that no worker makes. */
    async accept(accountId: string): Promise<void> {
      const { ready } = await accept(accountId, lanes.unserved);
      await queues.dispatch(ready);
    },

    /** Accepts an image that no worker makes, in a transaction of its own. */
    async acceptSingly(accountId: string): Promise<void> {
      const single: Acceptor = { accept: (request) => acceptGeneration(database, request) };
      const { ready } = await accept(accountId, lanes.unserved, single);
      await queues.dispatch(ready);
    },

    /** Accepts an image and waits until it is completed. */
    async make(accountId: string): Promise<void> {
      const { generationId, ready } = await accept(accountId, lanes.served);
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(generationId, resolve);
      const poll = setInterval(() => {
        isFinal(generationId).then((final) => final && resolve(), onError);
      }, pollMs);
      await queues.dispatch(ready);
      await promise;
      clearInterval(poll);
      waiting.delete(generationId);
    },

    async close(): Promise<void> {
      await served.drain();
      await listener.close();
    },
  };
}

function imageOf(renderId: string, format: StoredImage["format"]): StoredImage {
  return {
    format,
    storageKey: `renders/${renderId}/1.${format}`,
    sha256: createHash("sha256").update(`${renderId}.${format}`).digest("hex"),
    sizeBytes: 1,
    width: 1_024,
    height: 1_024,
    flattened: false,
    manifestId: randomUUID(),
  };
}
