export {
  readSpendable,
  restOfBudget,
  readKeyBudgets,
  refundBudget,
  setKeyBudget,
  sumSettledSpending,
  writeKeyBudget,
  spendBudget,
  withinBudget,
} from "./key-budget.ts";
export {
  BookingError,
  insufficientCredit,
  topUp,
  withdraw,
  type CreditMovement,
} from "./ledger.ts";
export { bookHold, bookResolution, releaseHeld, setAside } from "./ledger-sql.ts";
export { createAccountOnce, type CreatedAccount, type WantedAccount } from "./open-account.ts";
export { readStatement, type StatementLine } from "./statement.ts";
export { changedBalance, lowBalanceEvents } from "./low-balance.ts";
export {
  accountOfJob,
  refundJob,
  type ChargedJob,
  type Refund,
  type RefundRequest,
} from "./refund.ts";
export { exportTransfers, type ExportedTransfer } from "./export-ledger.ts";
export { listTransactions, type AccountTransaction } from "./transactions.ts";
export {
  assertWithinBudgets,
  changedBudget,
  changeSharedBudget,
  createSharedBudget,
  deleteSharedBudget,
  findExhaustedBudget,
  lowBudgetEvents,
  readBudgetNames,
  readSharedBudgets,
  spendSharedBudget,
  type SharedBudget,
} from "./shared-budget.ts";
export { completeRange, readUsage, type DayRange, type UsageSums } from "./usage.ts";
