import { assertLive, assertMayChangeThing } from "@atelier/accounts";
import {
  createShare,
  createShares,
  hashToken,
  type StoredShare,
} from "@atelier/generations/library";
import { AppError } from "@atelier/schemas";
import * as endpoints from "@atelier/schemas/endpoints";
import type { ApiConfig } from "../config.ts";
import type { Needs } from "../dependencies.ts";
import { keepQuota } from "../generations/accept/keep-quota.ts";
import type { Routes } from "../http/routes.ts";
import { makeToken, shareUrl } from "../shares/share-link.ts";
import { serveItems } from "./items.ts";

export const sharesOf = ({ RETENTION_HOURS }: Pick<ApiConfig, "RETENTION_HOURS">) =>
  createShares(RETENTION_HOURS * 3_600_000);

/** `/v1/shares`: links that show images to anyone who has them. */
export function serveShares(
  routes: Routes,
  dependencies: Needs<"accountGate" | "config" | "database">,
): void {
  const { accountGate, config, database } = dependencies;
  const shares = sharesOf(config);
  const options = {
    shares,
    retentionMs: config.RETENTION_HOURS * 3_600_000,
    quotaBytes: keepQuota(config),
  };
  routes.add(
    endpoints.createShare,
    async ({ caller, body: { job_id: generationId, image = null, days, keep = false } }) => {
      assertSharing(config);
      assertLive(caller);
      await assertMayChangeThing(database, caller, "job", generationId);
      const token = makeToken();
      const share = await accountGate.run(caller.accountId, () =>
        createShare(
          database,
          caller,
          { generationId, image, days, keeps: keep, hash: hashToken(token) },
          options,
        ),
      );
      return { ...presentShare(share), url: shareUrl(config, token) };
    },
    {
      keyRefusal:
        "A link is shown once and not stored, so its response can't be repeated. Omit the header; if a response was lost, find the share in GET /v1/shares and delete it.",
    },
  );
  // They work when sharing is off, too: a link that is left would open when it is on again.
  serveItems(
    routes,
    dependencies,
    {
      list: endpoints.listShares,
      read: endpoints.readShare,
      remove: endpoints.deleteShare,
    },
    shares,
    presentShare,
  );
}

export function presentShare({
  id,
  jobId,
  image,
  isKept,
  createdAt,
  endsAt,
}: StoredShare): endpoints.Share {
  return {
    id,
    job_id: jobId,
    image,
    kept: isKept,
    created_at: createdAt.toISOString(),
    expires_at: endsAt.toISOString(),
  };
}

/** @throws AppError `key_not_permitted` when the operator has not switched sharing on. */
function assertSharing({ SHARES }: Pick<ApiConfig, "SHARES">): void {
  if (SHARES === "on") return;
  throw new AppError(
    "key_not_permitted",
    "Sharing is switched off on this service. Ask its operator.",
    { details: { sharing: false } },
  );
}
