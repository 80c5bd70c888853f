import { keepCompiledCode } from "@atelier/process/keep-compiled-code";

// Before the program is loaded, whose compilation takes half of its start.
keepCompiledCode();
await import("./start.ts");
