import { createAdminDocument } from "@atelier/openapi";
import { adminEndpoints, refusalReasons } from "@atelier/schemas/admin";
import type { Endpoint } from "@atelier/schemas/endpoints";
import { describe, expect, it } from "vitest";
import { ApiError, messageOf } from "../api.ts";
import { texts as german } from "../languages/de/texts/console.ts";
import { localize } from "./localize.ts";

/** The codes of all errors that the admin port can answer. */
function listCodes(): readonly string[] {
  const paths = Object.values(createAdminDocument("http://localhost:3001").paths ?? {});
  const codes = paths
    .flatMap((path) => Object.values(path as Record<string, { responses?: object }>))
    .flatMap(({ responses = {} }) => Object.entries(responses))
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, { content }]) => Object.keys(content["application/json"].examples));
  return [...new Set(codes)];
}

const textsOfCodes: Readonly<Record<string, unknown>> = {
  ...german.problem.codes,
  ...german.console.errors,
};
const inGerman = (code: string, details: unknown = null) =>
  localize(new ApiError("English", { status: 409, code, details }), german.console) as ApiError;

describe("errors of the admin port in German", () => {
  it("have a text for each code", () => {
    const codes = listCodes();
    expect(codes).toContain("change_refused");
    expect(codes.filter((code) => !Object.hasOwn(textsOfCodes, code))).toEqual([]);
  });

  it("have a text for each reason", () => {
    const named = Object.entries(refusalReasons).flatMap(([code, reasons]) =>
      reasons.map((reason) => `${code} ${reason}`),
    );
    expect(named.filter((name) => !Object.hasOwn(textsOfCodes, name))).toEqual([]);
  });

  it("have a text for each property of a request", () => {
    const names = adminEndpoints.flatMap(({ body, query }: Endpoint) => [
      ...Object.keys(query?.shape ?? {}),
      ...Object.keys((body?.schema as { readonly shape?: object } | undefined)?.shape ?? {}),
    ]);
    expect(names).toContain("reference");
    const { fields } = german.console;
    expect([...new Set(names)].filter((name) => !Object.hasOwn(fields, name))).toEqual([]);
  });

  it("name amounts and references", () => {
    const amounts = { charged_eur: "0.04", refunded_eur: "0.01", left_eur: "0.03" };
    expect(inGerman("change_refused", { reason: "not_refundable", ...amounts }).message).toMatch(
      /Berechnet wurden €0.04, davon sind €0.01 erstattet: Höchstens €0.03/,
    );
    expect(
      inGerman("change_refused", { reason: "reference_used", reference: "R-7" }).message,
    ).toContain("„R-7“");
  });

  it("say it with the text of the code when a reason is not known", () => {
    const error = inGerman("change_refused", { reason: "of_a_later_version" });
    expect(error.message).toBe("Diese Änderung ist nicht möglich.");
    expect(messageOf(inGerman("another_code"))).toBe("English");
  });

  it("name the problem at its field", () => {
    const error = inGerman("invalid_request", [{ path: "eur", message: "must be an amount" }]);
    expect(error.fieldProblems).toEqual([{ path: "eur", message: german.console.fields["eur"] }]);
    expect(error.message).toContain(german.console.fields["eur"]);
  });
});

it("leaves errors in English, and those of another kind, as they are", () => {
  const details = [{ path: "eur", message: "must be an amount" }];
  const error = localize(
    new ApiError("English", { status: 400, code: "invalid_request", details }),
  );
  expect(error).toMatchObject({ message: "English", details });
  const other = new TypeError("network");
  expect(localize(other, german.console)).toBe(other);
});
