import { moduleOperations } from "./module-operations.ts";
import { hasPixelModule } from "./pixel-module.ts";
import { scriptOperations, type PixelOperations } from "./pixel-operations.ts";

/** The module's operations where it runs: results differ by less than a level of brightness. */
export const operations: PixelOperations = hasPixelModule ? moduleOperations : scriptOperations;
