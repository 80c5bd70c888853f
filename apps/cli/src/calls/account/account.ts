import { createWriteStream } from "node:fs";
import { rename, unlink } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Account, UpdateAccountRequest } from "@atelier/client";
import { UsageError } from "@atelier/configuration";
import type { Strictness, StudioLanguage } from "@atelier/schemas";
import { properties, type Answer } from "../../answer.ts";
import type { Caller } from "../call.ts";

/** Flags that change an account; `no…` flags restore the default. */
export interface AccountFlags {
  readonly strictness?: Strictness;
  readonly retentionHours?: number | false;
  readonly lowBalance?: string | false;
  readonly language?: StudioLanguage | false;
  readonly keepStarred?: "yes" | "no";
  readonly makersReadAll?: "yes" | "no";
}

export async function show({ atelier, follow }: Caller): Promise<Answer> {
  return describe(await atelier.account.get({ signal: follow.signal }));
}

/** @throws UsageError without a change. */
export async function update(
  { atelier, follow }: Caller,
  { strictness, retentionHours, lowBalance, language, keepStarred, makersReadAll }: AccountFlags,
): Promise<Answer> {
  const request: UpdateAccountRequest = {
    ...(strictness !== undefined && { strictness }),
    ...(retentionHours !== undefined && {
      retention_hours: retentionHours === false ? null : retentionHours,
    }),
    ...(lowBalance !== undefined && {
      low_balance_eur: lowBalance === false ? null : lowBalance,
    }),
    ...(language !== undefined && { language: language === false ? null : language }),
    ...(keepStarred !== undefined && { keep_starred: keepStarred === "yes" }),
    ...(makersReadAll !== undefined && { makers_read_all: makersReadAll === "yes" }),
  };
  if (Object.keys(request).length === 0) {
    throw new UsageError(
      "Nothing to change. Pass --strictness, --retention-hours, --low-balance, --language, --keep-starred or --makers-read-all.",
    );
  }
  return describe(await atelier.account.update(request, { signal: follow.signal }));
}

/** Saves all data of the account, readable for its owner only. The file appears once it is complete. */
export async function exportTo({ atelier, follow }: Caller, file: string): Promise<Answer> {
  const unfinished = `${file}.part`;
  let lines = 0;
  async function* texts() {
    for await (const line of atelier.account.export({ signal: follow.signal })) {
      lines += 1;
      yield `${JSON.stringify(line)}\n`;
    }
  }
  try {
    await pipeline(Readable.from(texts()), createWriteStream(unfinished, { mode: 0o600 }));
    await rename(unfinished, file);
  } catch (error) {
    await unlink(unfinished).catch(() => undefined);
    throw error;
  }
  return {
    json: { file, lines },
    text: file,
    note: `${lines} lines. It contains personal data: keep it private.`,
  };
}

function describe(account: Account): Answer {
  const { low_balance_eur: lowBalance } = account;
  const text = properties([
    ["Account", account.id],
    ...(account.name === undefined ? [] : [["Name", account.name] as const]),
    ["Balance", `${account.balance_eur} EUR`],
    ...(account.held_eur === undefined ? [] : [["Held", `${account.held_eur} EUR`] as const]),
    ["Strictness", account.strictness],
    ["Images kept", `${account.retention_hours} of at most ${account.max_retention_hours} hours`],
    ["Low balance", lowBalance === null ? "no alert" : `alert below ${lowBalance} EUR`],
    ["Language", account.language ?? "that of the browser"],
    ["Starred jobs", account.keep_starred ? "kept" : "follow the retention"],
    ["Makers read", account.makers_read_all ? "all jobs" : "their own jobs"],
  ]);
  return { json: account, text };
}
