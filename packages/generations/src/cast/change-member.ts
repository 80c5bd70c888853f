import { isDeepStrictEqual } from "node:util";
import { lockRights, type Caller } from "@atelier/accounts";
import type { Database, Sql } from "@atelier/database";
import { AppError, type MemberKind } from "@atelier/schemas";
import { lockKeptFiles } from "../library/release-item.ts";
import { replaceFiles } from "../library/replace-files.ts";
import {
  lockMember,
  type LockedMember,
  type MemberTarget,
  type StoredLook,
} from "./lock-member.ts";
import { lockFiles } from "./lock-stored.ts";
import { memberNotFound } from "./member.ts";

/** A character or location after a change. */
interface Changed {
  readonly name: string;
  readonly description: string;
  /** The normal one first. */
  readonly looks: readonly {
    readonly state: string | null;
    readonly description: string;
    /** Its new image, and where the request names it; null if it keeps the one that it has. */
    readonly image: { readonly key: string; readonly path: string } | null;
  }[];
}

interface MemberChange {
  /** Applies the change to what is stored, under its lock; may refuse it. */
  readonly apply: (member: LockedMember) => Changed;
  readonly quotaBytes: number;
}

/**
 * Changes a character or location: its texts, and images that are added, replaced and removed. Unfinished
 * jobs finish with the texts and images that they were accepted with, whose files are removed after them.
 *
 * @throws AppError `character_not_found`, `location_not_found`, `images_in_use` while a job draws it,
 *   `file_not_found` when it was refused and has no images, `reference_unreachable`, `keep_quota_exceeded`,
 *   or the reason why the caller lost its rights.
 */
export function changeMember(
  database: Database,
  caller: Caller,
  target: MemberTarget,
  { apply, quotaBytes }: MemberChange,
): Promise<void> {
  const { id, kind, accountId } = target;
  let written: Written | null = null;
  return database.transaction(async (sql) => {
    const member = await lockMember(sql, target);
    if (member === null) throw memberNotFound(kind);
    // The transaction was committed, and its response lost.
    if (written !== null && isWritten(member, written)) return;
    assertChangeable(member, kind);
    const { name, description, looks } = apply(member);
    const earlier = new Map(member.looks.map((look) => [look.state, look]));
    const isReplaced = looks.length < earlier.size || looks.some(({ image }) => image !== null);
    if (isReplaced) await lockKeptFiles(sql, id);
    const images = looks.flatMap(({ image }) => (image === null ? [] : [image]));
    const added = await lockFiles(sql, id, images);
    await lockRights(sql, caller, "generate");

    const since = await readTime(sql);
    const keyOf = new Map(images.map((image, index) => [image, added[index]?.storageKey]));
    const stored = looks.map((look): StoredLook => {
      const texts = { state: look.state, description: look.description };
      if (look.image === null) return { ...earlier.get(look.state), ...texts };
      const storageKey = keyOf.get(look.image);
      return { ...texts, ...(storageKey !== undefined && { storageKey }), since };
    });
    const remaining = new Set(stored.map(({ storageKey }) => storageKey));
    const removed = member.looks.flatMap(({ storageKey }) =>
      storageKey === undefined || remaining.has(storageKey) ? [] : [storageKey],
    );
    const { mode } = member;
    await replaceFiles(sql, { itemId: id, accountId, mode, removed, added, quotaBytes });
    await sql.query(
      "UPDATE cast_member SET name = $2, description = $3, looks = $4::jsonb WHERE id = $1",
      [id, name, description, JSON.stringify(stored)],
    );
    written = { name, description, looks: stored };
  });
}

type Written = Pick<LockedMember, "name" | "description" | "looks">;

function isWritten({ name, description, looks }: LockedMember, written: Written): boolean {
  return isDeepStrictEqual({ name, description, looks }, written);
}

/** The time after the locks: later than the acceptance of every job that uses a replaced image. */
async function readTime(sql: Sql): Promise<string> {
  const [row] = await sql.query<{ now: string }>("SELECT clock_timestamp()::text AS now");
  if (row === undefined) throw new Error("the database returned no time");
  return row.now;
}

function assertChangeable({ status }: LockedMember, kind: MemberKind): void {
  if (status === "requested") {
    throw new AppError(
      "images_in_use",
      `An unfinished job draws this ${kind}. Wait until it is done, or cancel it.`,
    );
  }
  if (status === "refused") {
    throw new AppError(
      "file_not_found",
      `This ${kind} was refused and has no images. Delete it, and create it again.`,
    );
  }
}
