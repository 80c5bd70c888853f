import { describe, expect, it } from "vitest";
import { countFilters, noFilters, queryOf, readFilters, withFilters } from "./filters.ts";

describe("filters of the library", () => {
  it("are read from the address and written to it, without the empty ones", () => {
    const search = new URLSearchParams("job=1&operation=story&metadata=order%3DA-1027");
    const filters = readFilters(search);
    expect(filters).toEqual({ ...noFilters, operation: "story", metadata: "order=A-1027" });
    expect(countFilters(filters)).toBe(2);
    expect(withFilters(search, { operation: "", q: "red fox" }).toString()).toBe(
      "job=1&metadata=order%3DA-1027&q=red+fox",
    );
  });

  it("become the query of GET /v1/jobs", () => {
    expect(queryOf({ ...noFilters, status: "failed", metadata: "order=A=1" })).toBe(
      "status=failed&metadata.order=A%3D1",
    );
    expect(queryOf({ ...noFilters, metadata: "order" })).toBe("");
    expect(queryOf({ ...noFilters, starred: "true", collection: "c" })).toBe(
      "starred=true&collection=c",
    );
    expect(queryOf({ ...noFilters, hash: "ab".repeat(32) })).toBe(`hash=${"ab".repeat(32)}`);
  });

  it("include the first and the last day", () => {
    const query = new URLSearchParams(
      queryOf({ ...noFilters, from: "2026-11-22", to: "2026-11-22" }),
    );
    expect(new Date(query.get("created_after") ?? "")).toEqual(new Date(2026, 10, 22));
    expect(new Date(query.get("created_before") ?? "")).toEqual(new Date(2026, 10, 23));
  });

  it("leave a day that does not exist to the service, which refuses it", () => {
    expect(queryOf({ ...noFilters, from: "2026-13-40" })).toBe("created_after=2026-13-40");
  });
});
