import { describe, expect, it } from "vitest";
import { mayAct } from "./may-act.ts";

const keys = [
  { id: "operator", created_by: null, member_id: null },
  { id: "of operator", created_by: "operator", member_id: null },
  { id: "below", created_by: "of operator", member_id: null },
  { id: "mira", created_by: null, member_id: "m1" },
  { id: "of mira", created_by: "mira", member_id: null },
] as const;
const ids = keys.map(({ id }) => id);

function changeable(actor: Parameters<typeof mayAct>[0]): readonly string[] {
  return ids.filter((id) => {
    const key = keys.find((one) => one.id === id);
    return key !== undefined && mayAct(actor, key, keys);
  });
}

describe("mayAct", () => {
  it("gives managers no keys of the operator, and what those created neither", () => {
    const member = { id: "m1", role: "manager" } as const;
    expect(changeable({ keyId: "mira", member })).toEqual(["mira", "of mira"]);
  });

  it("gives owners keys that keys of the operator created", () => {
    const member = { id: "m1", role: "owner" } as const;
    expect(changeable({ keyId: "mira", member })).toEqual(ids.slice(1));
  });

  it("gives a key no keys that created it", () => {
    expect(changeable({ keyId: "below", member: null })).toEqual(["below", "mira", "of mira"]);
    expect(changeable({ keyId: "operator", member: null })).toEqual(ids);
  });
});
