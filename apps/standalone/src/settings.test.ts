import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { UsageError } from "@atelier/configuration";
import { describe, expect, it } from "vitest";
import { readSettings } from "./settings.ts";

describe("readSettings", () => {
  it("has a default for everything", () => {
    expect(readSettings([], {})).toEqual({
      once: false,
      json: false,
      container: false,
      home: resolve(".atelier"),
      host: "127.0.0.1",
      port: 3000,
      adminPort: null,
      baseUrl: "http://localhost:3000",
      publicUrl: "http://localhost:3000",
      localOnly: false,
      databaseUrl: null,
      databaseDirectUrl: null,
      storageUrl: pathToFileURL(resolve(".atelier/files")).href,
      keyPepper: null,
      oldKeyPeppers: [],
      trustAnchorsPem: null,
      canRedraw: true,
      environment: {},
    });
  });

  it("takes options and variables", () => {
    const environment = {
      PORT: "8080",
      ADMIN_PORT: "9090",
      ATELIER_HOME: "/srv/atelier",
      DATABASE_URL: "postgres://me@db/atelier",
      PUBLIC_URL: "https://images.example/",
    };
    expect(readSettings(["--once", "--json"], environment)).toMatchObject({
      once: true,
      json: true,
      home: "/srv/atelier",
      port: 8080,
      adminPort: 9090,
      baseUrl: "http://localhost:8080",
      publicUrl: "https://images.example",
      databaseUrl: "postgres://me@db/atelier",
    });
  });

  it("serves this machine only in a container without PUBLIC_URL", () => {
    const container = { ATELIER_HOME: "/data", HOST: "0.0.0.0", PORT: "3000" };
    expect(readSettings(["--container"], container)).toMatchObject({
      publicUrl: "http://localhost:3000",
      localOnly: true,
    });
    const PUBLIC_URL = "https://images.example";
    expect(readSettings(["--container"], { ...container, PUBLIC_URL })).toMatchObject({
      baseUrl: PUBLIC_URL,
      publicUrl: PUBLIC_URL,
      localOnly: false,
    });
  });

  it.each([
    ["0.0.0.0", "http://localhost:3000"],
    ["::", "http://localhost:3000"],
    ["192.168.1.5", "http://192.168.1.5:3000"],
    ["fd00::5", "http://[fd00::5]:3000"],
  ])("reaches an API that listens on %s at %s", (HOST, baseUrl) => {
    expect(readSettings([], { HOST })).toMatchObject({ baseUrl });
  });

  it("passes on set variables and drops empty ones", () => {
    const settings = readSettings([], {
      OPENAI_API_KEY: "sk",
      STORAGE_URL: "",
      LOG_LEVEL: undefined,
    });
    expect(settings?.environment).toEqual({ OPENAI_API_KEY: "sk" });
  });

  it.each([["--help"], ["-h"]])("prints help with %s, whatever the environment", (argument) => {
    expect(readSettings([argument], { PORT: "wrong" })).toBeNull();
  });

  it.each([
    [["--onse"], "Unknown option '--onse'. \"npm start -- --help\" lists the options."],
    [["now"], "Unexpected argument 'now'. \"npm start -- --help\" lists the options."],
    [["--once=yes"], /^Option '--once' does not take an argument/],
  ])("refuses %j", (args, message) => {
    expect(() => readSettings(args, {})).toThrow(UsageError);
    expect(() => readSettings(args, {})).toThrow(message);
  });

  it("refuses the ATELIER_HOME of .env.example in a container", () => {
    const ATELIER_HOME = ".atelier";
    expect(() => readSettings(["--container"], { ATELIER_HOME })).toThrow(
      "ATELIER_HOME is .atelier. Leave it out of the settings of a container",
    );
    expect(readSettings([], { ATELIER_HOME })?.home).toBe(resolve(".atelier"));
  });

  it("names all invalid variables", () => {
    const wrong = { PORT: "http", DATABASE_URL: "mysql://x" };
    expect(() => readSettings([], wrong)).toThrow(/PORT: [\s\S]*DATABASE_URL: must be a postgres/);
  });
});
