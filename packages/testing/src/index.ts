export { countStatements, statementsPerSecond } from "./count-statements.ts";
export { emptyQueue } from "./empty-queue.ts";
export {
  startExplainingPostgres,
  type ExplainingPostgres,
  type LoggedStatement,
} from "./explaining-postgres.ts";
export { fillHistory } from "./fill-history.ts";
export { killAt, pauseAt, unlessKilled } from "./interrupted-stores.ts";
export { findPlanted, plantAccount, type PlantedAccount } from "./planted-account.ts";
export { findWord, listTextColumns, plantWord } from "./planted-word.ts";
export { describeStacks, selectCombinations } from "./describe-stacks.ts";
export type { Behaviour, BilledCall } from "./fake-provider/server.ts";
export { assertInvariants, findUnrecordedCalls } from "./invariants.ts";
export { readEnvExample } from "./env-example.ts";
export { endSharedStacks, shareStack } from "./share-stack.ts";
export { startLoad, type Load } from "./start-load.ts";
export { startTestProgram } from "./start-test-program.ts";
export {
  startStack,
  threadPerCore,
  type Stack,
  type StackOptions,
  type TestAccount,
} from "./stack.ts";
export { fakeProviders } from "./fake-provider/catalogue.ts";
