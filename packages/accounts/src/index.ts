export {
  createAccount,
  findAccount,
  listAccounts,
  setSuspended,
  type AccountInfo,
} from "./accounts.ts";
export {
  authenticate,
  createKey,
  listKeys,
  revokeKey,
  type ApiKeyInfo,
  type Caller,
} from "./keys.ts";
