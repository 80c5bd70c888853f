import { enableCompileCache } from "node:module";

// Before the program is loaded, whose compilation takes half of its start.
enableCompileCache();
await import("./start.ts");
