import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import { createMigrationAdapter } from "./migration-adapter.ts";
import type { Migration } from "../migration-files.ts";
import type { MigrationList, SchemaEngine } from "@prisma/schema-engine-wasm/schema_engine_bg";

/** Node has it; its types come only with those of the DOM. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Record<string, unknown>,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

const prismaFolder = new URL("../../../../../prisma/", import.meta.url);

/**
 * Runs `work` with the WASM build of the engine behind `prisma migrate`. The CLI's own engine is a
 * binary that is downloaded at run time, which fails without access to that host.
 */
export async function withSchemaEngine<Result>(
  databaseUrl: string,
  work: (engine: SchemaEngine) => Promise<Result>,
): Promise<Result> {
  await instantiate();
  const adapter = createMigrationAdapter(databaseUrl);
  const engine = await bindings.SchemaEngine.new(
    { datamodels: [await readDatamodel()] },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(adapter.factory),
  );
  try {
    return await work(engine);
  } finally {
    engine.free();
    await adapter.close();
  }
}

/** The data model as the engine takes it: path and text. */
export async function readDatamodel(): Promise<[string, string]> {
  const path = fileURLToPath(new URL("schema.prisma", prismaFolder));
  return [path, await readFile(path, "utf8")];
}

/** Migrations as the engine takes them. It runs each as one script, which cannot build indexes concurrently. */
export function toMigrationList(migrations: readonly Migration[]): MigrationList {
  return {
    baseDir: fileURLToPath(new URL("migrations/", prismaFolder)),
    lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"\n' },
    shadowDbInitScript: "",
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: {
        path: "migration.sql",
        content: { tag: "ok" as const, value: sql.replace(/\bCONCURRENTLY\b/g, "") },
      },
    })),
  };
}

let instantiated: Promise<void> | undefined;

/** Created once, since the bindings hold one instance per process. */
function instantiate(): Promise<void> {
  instantiated ??= (async () => {
    const path = createRequire(import.meta.url)
      .resolve("@prisma/schema-engine-wasm/schema_engine_bg")
      .replace(/\.js$/, ".wasm");
    const { instance } = await WebAssembly.instantiate(await readFile(path), {
      "./schema_engine_bg.js": { ...bindings, ...unrefTimers() },
    });
    // eslint-disable-next-line no-underscore-dangle -- the name that wasm-bindgen gives it
    bindings.__wbg_set_wasm(instance.exports);
    (instance.exports["__wbindgen_start"] as () => void)();
  })();
  return instantiated;
}

/** Clears the ten-second timer that the engine leaves behind and that would delay the exit. */
function unrefTimers(): Record<string, unknown> {
  const names = Object.keys(bindings).filter((name) => name.startsWith("__wbg_setTimeout"));
  const start = (callback: () => void, delayMs: number) => setTimeout(callback, delayMs).unref();
  return Object.fromEntries(names.map((name) => [name, start]));
}
