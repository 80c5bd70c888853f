export {
  bookHold,
  bookResolution,
  giveBackRest,
  insufficientCredit,
  setAside,
  topUp,
} from "./ledger.ts";
