export type { Fault, Place } from "./faults.ts";
export type { ProtocolCall, ProtocolServer } from "./protocol-server.ts";
