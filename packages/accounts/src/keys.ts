import { newId, type Database } from "@atelier/database";
import { pepperId } from "@atelier/kit";
import type { BudgetPeriod, KeyMode, KeyScope } from "@atelier/schemas";
import { hashKey, makeKey } from "./key-format.ts";

/** Permissions and budget of a key. */
export interface KeySettings {
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  /** The models that the key may use; empty for all. */
  readonly models: readonly string[];
  /** Maximum cost of its jobs in a period, in micro-EUR; null for no budget. */
  readonly budgetMicroEur: bigint | null;
  readonly budgetPeriod: BudgetPeriod;
  /** The shared budget that its live jobs spend from as well; null for none. */
  readonly budgetId: string | null;
  readonly expiresAt: Date | null;
}

/** A key as its owner sees it; the key itself can't be read. */
export interface ApiKeyInfo extends KeySettings {
  readonly id: string;
  readonly mode: KeyMode;
  /** The key that created it; null for keys of the operator. */
  readonly parentId: string | null;
  readonly lastFour: string;
  /** Holds and charges of its jobs since `spentSince`, in micro-EUR. */
  readonly spentMicroEur: bigint;
  readonly spentSince: Date;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

const hidden = {
  hash: true,
  pepperId: true,
  previousHash: true,
  previousExpiresAt: true,
  accountId: true,
} as const;

/**
 * Creates a key for an account, on behalf of the operator: it belongs to no other key. By default it has all scopes and no limits. The key is
 * returned here once and can't be read again.
 */
export async function createKey(
  database: Database,
  {
    pepper,
    accountId,
    name,
    mode = "live",
    scopes,
    models,
    ...limits
  }: {
    readonly accountId: string;
    readonly name: string;
    readonly pepper: string;
    /** Default: live. */
    readonly mode?: KeyMode;
  } & Partial<KeySettings>,
): Promise<{ readonly id: string; readonly key: string }> {
  const id = newId();
  const key = makeKey(mode);
  const prisma = await database.prisma();
  await prisma.apiKey.create({
    data: {
      id,
      accountId,
      mode,
      name,
      hash: new Uint8Array(hashKey(key, pepper)),
      pepperId: pepperId(pepper),
      lastFour: key.slice(-4),
      ...(scopes && { scopes: [...scopes] }),
      ...(models && { models: [...models] }),
      ...limits,
    },
  });
  return { id, key };
}

/** The keys of an account, or those of a mode, newest first, revoked ones included. */
export async function listKeys(
  database: Database,
  accountId: string,
  { mode, limit }: { readonly mode?: KeyMode | undefined; readonly limit?: number } = {},
): Promise<ApiKeyInfo[]> {
  const prisma = await database.prisma();
  const keys = await prisma.apiKey.findMany({
    where: { accountId, ...(mode !== undefined && { mode }) },
    orderBy: { id: "desc" },
    omit: hidden,
    ...(limit !== undefined && { take: limit }),
  });
  return keys.map(withScopes);
}

/** A key of an account, or null. */
export async function findKey(
  database: Database,
  target: { readonly accountId: string; readonly keyId: string },
): Promise<ApiKeyInfo | null> {
  const prisma = await database.prisma();
  const key = await prisma.apiKey.findFirst({
    where: { id: target.keyId, accountId: target.accountId },
    omit: hidden,
  });
  return key && withScopes(key);
}

function withScopes<Key extends { readonly scopes: readonly string[] }>(
  key: Key,
): Key & { readonly scopes: readonly KeyScope[] } {
  return key as Key & { readonly scopes: readonly KeyScope[] };
}
