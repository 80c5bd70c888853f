import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Formats a file as `npm run format` does. */
export function format(source: string, name: string): Promise<string> {
  const oxfmt = createRequire(import.meta.url).resolve("oxfmt/package.json");
  return new Promise((resolve, reject) => {
    const args = [join(dirname(oxfmt), "bin/oxfmt"), `--stdin-filepath=${name}`];
    const formatter = execFile(process.execPath, args, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
    formatter.stdin?.end(source);
  });
}
