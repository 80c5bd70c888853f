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
