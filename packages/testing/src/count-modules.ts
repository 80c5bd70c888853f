import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";

/*
 * Loaded before a program with `--import`: at its exit, writes the URLs of the modules that it has loaded to the
 * file MODULES_FILE.
 */
const urls = new Set<string>();
registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith("node:")) urls.add(url);
    return nextLoad(url, context);
  },
});
process.on("exit", () => writeFileSync(process.env["MODULES_FILE"] ?? "", [...urls].join("\n")));
