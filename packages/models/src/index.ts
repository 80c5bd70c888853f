export type * from "./provider.ts";
