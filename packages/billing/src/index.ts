export { hold, release, settle, topUp } from "./ledger.ts";
