import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import { createMigrationAdapter } from "./migration-adapter.ts";
import type { MigrationList, SchemaEngine } from "@prisma/schema-engine-wasm/schema_engine_bg";

/** Node has it; its types come only with those of the DOM. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Record<string, unknown>,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

const prismaFolder = new URL("../../../prisma/", import.meta.url);

/**
 * Opens the engine behind `prisma migrate`, in its WASM build: the CLI's own is a binary that it
 * downloads from its vendor, and a machine without that host could not even start.
 */
export async function openSchemaEngine(databaseUrl: string): Promise<SchemaEngine> {
  await instantiate();
  const adapter = bindMigrationAwareSqlAdapterFactory(createMigrationAdapter(databaseUrl));
  return bindings.SchemaEngine.new(
    { datamodels: [await readDatamodel()] },
    () => undefined,
    adapter,
  );
}

/** The data model as the engine takes it: path and text. */
export async function readDatamodel(): Promise<[string, string]> {
  const path = fileURLToPath(new URL("schema.prisma", prismaFolder));
  return [path, await readFile(path, "utf8")];
}

/** The migrations on disk, oldest first, as the engine takes them. */
export async function readMigrations(names: readonly string[]): Promise<MigrationList> {
  const folder = new URL("migrations/", prismaFolder);
  return {
    baseDir: fileURLToPath(folder),
    lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"\n' },
    shadowDbInitScript: "",
    migrationDirectories: await Promise.all(
      names.map(async (name) => ({
        path: name,
        migrationFile: {
          path: "migration.sql",
          content: {
            tag: "ok" as const,
            value: await readFile(new URL(`${name}/migration.sql`, folder), "utf8"),
          },
        },
      })),
    ),
  };
}

let instantiated: Promise<void> | undefined;

/** The bindings hold one instance for the whole process, so it is made once. */
function instantiate(): Promise<void> {
  instantiated ??= (async () => {
    const path = fileURLToPath(
      import.meta.resolve("@prisma/schema-engine-wasm/schema_engine_bg").replace(/\.js$/, ".wasm"),
    );
    const { instance } = await WebAssembly.instantiate(await readFile(path), {
      "./schema_engine_bg.js": bindings,
    });
    bindings.__wbg_set_wasm(instance.exports);
    (instance.exports["__wbindgen_start"] as () => void)();
  })();
  return instantiated;
}
