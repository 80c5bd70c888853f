import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { readCodeBlocks } from "./code-blocks.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const pages = globSync(["*.md", "{docs,decisions,harness,apps,packages}/**/*.md"], {
  cwd: root,
  // The templates of skill files link to files of an archive.
  exclude: (name) => name === "node_modules" || name === "templates",
}).map((path) => join(root, path));

/** The anchors of the headings of a page, as GitHub makes them. */
function anchorsOf(path: string): Set<string> {
  const headings = readFileSync(path, "utf8").matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, heading = ""]) =>
      heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .toLowerCase()
        .replace(/[^\w\- ]/g, "")
        .trim()
        .replaceAll(" ", "-"),
    ),
  );
}

it("has no link to a missing page or heading", () => {
  const broken = pages.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [path = "", anchor] = target.split("#");
        const linked = path === "" ? page : resolve(dirname(page), path);
        if (!existsSync(linked)) return true;
        return anchor !== undefined && linked.endsWith(".md") && !anchorsOf(linked).has(anchor);
      })
      .map((target) => `${relative(root, page)}: ${target}`),
  );
  expect(broken).toEqual([]);
});

it("lists every page of docs in docs/README.md", () => {
  const index = readFileSync(join(root, "docs/README.md"), "utf8");
  const names = globSync("*.md", { cwd: join(root, "docs") });
  expect(names.filter((name) => name !== "README.md" && !index.includes(`](${name})`))).toEqual([]);
});

it("stores no picture in docs/images that no page shows", () => {
  const text = pages.map((page) => readFileSync(page, "utf8")).join("\n");
  const pictures = globSync("**/*.{png,webp,jpg,svg}", { cwd: join(root, "docs/images") });
  expect(pictures.filter((picture) => !text.includes(`images/${picture})`))).toEqual([]);
});

it("redirects no output of npm run without --silent, because it begins with a banner", () => {
  const redirected = pages.flatMap((page) =>
    readCodeBlocks(readFileSync(page, "utf8")).flatMap(({ code, line }) =>
      code
        .split("\n")
        .map((command, index) => `${relative(root, page)}:${line + index}: ${command}`)
        .filter((command) => /npm run (?!--silent ).* (?:>|\|) /.test(command)),
    ),
  );
  expect(redirected).toEqual([]);
});
