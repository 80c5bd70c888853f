export { fillHistory } from "./fill-history.ts";
export { describeStacks } from "./describe-stacks.ts";
export type { Behaviour, BilledCall } from "./fake-provider/server.ts";
export { assertInvariants } from "./invariants.ts";
export { readEnvExample } from "./env-example.ts";
export type { Program } from "./fleet.ts";
export { startStack, type Stack, type StackOptions, type TestAccount } from "./stack.ts";
