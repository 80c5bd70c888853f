import type { PlannedRender } from "@atelier/schemas";
import { expect, it } from "vitest";
import { checkUnused } from "./client-images.ts";

it("leaves the looks of a kept character alone, which were checked when it was kept", () => {
  const render = { role: "scene", spec: { references: [] } } as unknown as PlannedRender;
  const path = "characters.0.states.rain.reference.character_id";
  const look = { kind: "member", member: "character", id: "1", state: "rain", path } as const;
  expect(checkUnused([render], [look])).toEqual([render]);
  const own = { kind: "upload", id: "2", path: "characters.1.reference.upload_id" } as const;
  expect(checkUnused([render], [look, own])[0]?.spec.references).toMatchObject([{ source: own }]);
});
