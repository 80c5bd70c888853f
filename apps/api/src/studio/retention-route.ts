import { assertScope, findAccount } from "@atelier/accounts";
import { countEarlierDeletions } from "@atelier/generations/retention";
import { parseRequest } from "@atelier/schemas";
import type { Request, Response } from "express";
import * as z from "zod";
import type { Needs } from "../dependencies.ts";
import { contextOf } from "../http/context.ts";

const hourMs = 3_600_000;

/** Longest deadline of a job that the API allows. */
const longestJobMs = 24 * hourMs;

const retentionQuery = z.strictObject({
  /** Omitted for the longest retention of the operator. */
  hours: z.coerce.number().int().min(1).max(1_000_000).optional(),
});

/**
 * `GET /studio/retention?hours=`: which images of the account would be deleted earlier if it kept them
 * for this long. Needs the scope `manage`, as changing the retention does.
 */
export function previewRetention({ config, database }: Needs<"config" | "database">) {
  return async (request: Request, response: Response): Promise<void> => {
    const { caller } = contextOf(response);
    assertScope(caller, "manage");
    const query = parseRequest(retentionQuery, request.query);
    const account = await findAccount(database, caller.accountId);
    const longest = config.RETENTION_HOURS;
    const current = Math.min(account?.retentionHours ?? longest, longest);
    const hours = Math.min(query.hours ?? longest, longest);
    const deletions =
      hours >= current
        ? null
        : await countEarlierDeletions(database, {
            accountId: caller.accountId,
            retentionMs: hours * hourMs,
            currentMs: current * hourMs,
            oldestMs: longest * hourMs + longestJobMs,
          });
    response.json({
      retention_hours: hours,
      deleted_at_once: deletions?.atOnce ?? 0,
      deleted_earlier: deletions?.later ?? 0,
      first_deleted_at: deletions?.firstAt?.toISOString() ?? null,
      last_deleted_at: deletions?.lastAt?.toISOString() ?? null,
      has_more: deletions?.isCapped ?? false,
    });
  };
}
