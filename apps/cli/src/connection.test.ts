import { readEnvExample } from "@atelier/testing";
import { expect, it } from "vitest";
import { findConnection } from "./connection.ts";

it(".env.example has the settings of operators' commands alone", async () => {
  expect(await readEnvExample("Commands of operators")).toEqual({
    OPERATOR_LOG_KEY: "",
    OLD_OPERATOR_LOG_KEYS: "",
  });
  const key = "a key of the operator log with 32 characters";
  const url = "postgres://localhost/atelier";
  const found = await findConnection({
    DATABASE_URL: url,
    OPERATOR_LOG_KEY: key,
    OLD_OPERATOR_LOG_KEYS: `${key}1,${key}2`,
  });
  expect(found).toMatchObject({
    operatorLogKey: key,
    oldOperatorLogKeys: [`${key}1`, `${key}2`],
  });
  expect((await findConnection({ DATABASE_URL: url })).operatorLogKey).toBeNull();
});
