import { expect, it } from "vitest";
import { amountToSend, readAmbiguous, readAmount, writeAmount } from "./amounts.ts";

it.each([
  ["5", "5"],
  ["0.30", "0.30"],
  ["0,30", "0.30"],
  [" 12,5 ", "12.5"],
  ["1000,00", "1000.00"],
  ["1.00", "1.00"],
  ["0.125", "0.125"],
  ["0,125", "0.125"],
  ["1.0000", "1.0000"],
  ["1234.567", "1234.567"],
])("reads %j as %s", (text, eur) => {
  expect(readAmount(text)).toBe(eur);
  expect(amountToSend(text)).toBe(eur);
});

it.each([
  "",
  "soon",
  "-1",
  "1e3",
  "1.234,50",
  "1,234.50",
  "1 000",
  "5 EUR",
  ".5",
  "5,",
  "0.1234567",
])("refuses %j, and sends nothing that the service reads", (text) => {
  expect(readAmount(text)).toBeNull();
  expect(amountToSend(text)).not.toMatch(/^\d+(\.\d+)?$|^\d*\.\d*$/);
});

it.each([
  ["1.000", "1000", "1.00"],
  ["1,000", "1000", "1.00"],
  ["12.250", "12250", "12.25"],
  ["999,999", "999999", "999.9990"],
])("refuses %j, which may mean %s or %s", (text, thousands, decimals) => {
  expect(readAmount(text)).toBeNull();
  expect(readAmbiguous(text)).toEqual({ thousands, decimals });
  expect(amountToSend(text)).toContain(",");
  expect(readAmount(decimals)).toBe(decimals);
});

it("shows an amount with three decimals so that it is read as the same amount", () => {
  expect(readAmount(writeAmount("1.125"))).toBe("1.1250");
  expect(writeAmount("5.00")).toBe("5.00");
});

it("shows an amount with the decimal mark of the language", () => {
  expect(writeAmount("0.01", "de-DE")).toBe("0,01");
  expect(readAmount(writeAmount("1.125", "de-DE"))).toBe("1.1250");
});
