import type { Caller } from "@atelier/accounts";
import type { Catalogue, CatalogueEntry } from "@atelier/models";
import { AppError, type Operation } from "@atelier/schemas";

/** The first built-in model that can draw the test jobs of an operation. */
function drawingModel(catalogue: Catalogue, operation: Operation): CatalogueEntry {
  const entry = catalogue.entries.find(
    ({ procedural, provider, operations }) =>
      procedural && provider.startsWith("builtin") && operations.includes(operation),
  );
  if (entry !== undefined) return entry;
  throw new AppError(
    "provider_unavailable",
    "Test keys need the built-in models, which the operator has switched off. Use a live key.",
    { details: { operation } },
  );
}

/** The catalogue as test keys see it: any id is a model. */
export interface TestCatalogue extends Catalogue {
  /** The built-in model that draws for a named one. */
  drawingFor(id: string): CatalogueEntry;
}

/**
 * Creates the catalogue for a request of a test key. A known model keeps its limits, so that a test finds
 * what it would refuse; any other id has those of the built-in model that draws.
 */
function testCatalogue(catalogue: Catalogue, operation: Operation): TestCatalogue {
  const drawing = drawingModel(catalogue, operation);
  const entryOf = (id: string) => catalogue.entryOf(id) ?? { ...drawing, id };
  return {
    ...catalogue,
    entryOf,
    find: entryOf,
    pixelsOf: (id) => catalogue.pixelsOf(catalogue.entryOf(id) === null ? drawing.id : id),
    drawingFor(id) {
      const entry = catalogue.entryOf(id);
      const isOwn = entry?.procedural === true && entry.provider === drawing.provider;
      return isOwn && entry.operations.includes(operation) ? entry : drawing;
    },
  };
}

/**
 * Returns the catalogue that a request of a key is planned with.
 *
 * @returns `tests` is that of a test key, null for a live one.
 * @throws AppError `provider_unavailable` for a test key when the built-in models are switched off.
 */
export function planningFor(
  { mode }: Pick<Caller, "mode">,
  operation: Operation,
  { catalogue }: { readonly catalogue: Catalogue },
): { readonly catalogue: Catalogue; readonly tests: TestCatalogue | null } {
  const tests = mode === "test" ? testCatalogue(catalogue, operation) : null;
  return { catalogue: tests ?? catalogue, tests };
}
