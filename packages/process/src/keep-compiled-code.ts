import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../../node_modules/.cache/node-compile", import.meta.url));

/**
 * Keeps compiled code beside the code, or in the folder that `NODE_COMPILE_CACHE` names: compiling takes half of a
 * start, so call this before the program is loaded. Node's default is a folder in `/tmp` that another user could have
 * created first. Without permission to write, as in a container, nothing is kept.
 */
export function keepCompiledCode(): void {
  enableCompileCache(folder);
}
