export {
  bookHold,
  bookResolution,
  giveBackRest,
  insufficientCredit,
  setAside,
  topUp,
  withdraw,
  type CreditMovement,
} from "./ledger.ts";
export { readStatement, type StatementLine } from "./statement.ts";
