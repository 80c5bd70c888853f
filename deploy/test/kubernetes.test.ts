import { BlockList } from "node:net";
import { expect, it } from "vitest";
import {
  problemsOf,
  readObjects,
  readText,
  readYaml,
  settingsOf,
  type Program,
} from "./deployment-files.ts";

type Labels = Readonly<Record<string, string>>;

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef: object };
  }[];
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly securityContext: object;
  readonly resources: { readonly limits: { readonly memory: string } };
}

interface Pod {
  readonly metadata: { readonly labels: Labels; readonly annotations?: Labels };
  readonly spec: {
    readonly terminationGracePeriodSeconds?: number;
    readonly securityContext: object;
    readonly containers: readonly [Container];
    readonly volumes: readonly {
      readonly secret: {
        readonly items?: readonly { readonly key: string; readonly path: string }[];
      };
    }[];
  };
}

/** The properties of all kinds that the tests read. */
interface KubernetesObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Labels;
  };
  readonly data?: Labels;
  readonly stringData?: Labels;
  readonly spec: {
    readonly schedule: string;
    readonly selector: Labels & { readonly matchLabels: Labels };
    readonly podSelector: { readonly matchLabels: Labels };
    readonly template: Pod;
    readonly jobTemplate: { readonly spec: { readonly template: Pod } };
    readonly ports: readonly { readonly targetPort: string }[];
    readonly ingress?: readonly { readonly ports: readonly { readonly port: string }[] }[];
    readonly tls: readonly { readonly hosts: readonly string[]; readonly secretName: string }[];
    readonly rules: readonly {
      readonly host: string;
      readonly http: {
        readonly paths: readonly {
          readonly backend: {
            readonly service: { readonly name: string; readonly port: { readonly name: string } };
          };
        }[];
      };
    }[];
    readonly scaleTargetRef: { readonly name: string };
    readonly triggers: readonly { readonly metadata: Labels }[];
  };
}

interface Alerts {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

const objects = await readObjects<KubernetesObject>("deploy/kubernetes");
const ofKind = (kind: string) => objects.filter((object) => object.kind === kind);
const named = (kind: string, name: string) => {
  const found = ofKind(kind).find((object) => object.metadata.name === name);
  if (found === undefined) throw new Error(`${kind} ${name} does not exist`);
  return found;
};

const pods: readonly { name: string; program: Program; pod: Pod }[] = [
  { name: "api", program: "api", pod: named("Deployment", "api").spec.template },
  { name: "worker", program: "worker", pod: named("Deployment", "worker").spec.template },
  { name: "migrate", program: "cli", pod: named("Job", "migrate").spec.template },
  {
    name: "audit",
    program: "cli",
    pod: named("CronJob", "audit").spec.jobTemplate.spec.template,
  },
];

/** Returns the environment of a pod's container, including its ConfigMap. */
function environmentOf({ spec }: Pod): Record<string, string> {
  const [{ env = [], envFrom = [] }] = spec.containers;
  const maps = envFrom.map(({ configMapRef }) => named("ConfigMap", configMapRef.name).data ?? {});
  return {
    ...Object.assign({}, ...maps),
    ...Object.fromEntries(env.map((e) => [e.name, e.value ?? ""])),
  };
}

it.each(pods)("passes $name exactly the settings it needs", async ({ program, pod }) => {
  expect(await problemsOf(program, environmentOf(pod))).toEqual([]);
});

it.each(pods)("uses only secrets of the example for $name", ({ pod }) => {
  const secrets = Object.keys(named("Secret", "atelier").stringData ?? {});
  const files = Object.entries(environmentOf(pod)).filter(([name]) => name.endsWith("_FILE"));
  for (const [, path] of files) {
    expect(secrets).toContain(path.replace("/run/secrets/atelier/", ""));
  }
});

it.each(pods)("mounts into $name only the secrets that it reads", ({ pod }) => {
  const read = Object.entries(environmentOf(pod)).flatMap(([name, path]) =>
    name.endsWith("_FILE") ? [path.replace("/run/secrets/atelier/", "")] : [],
  );
  const [volume] = pod.spec.volumes;
  const items = volume?.secret.items ?? [];
  expect(items.map(({ key }) => key).toSorted()).toEqual(read.toSorted());
  expect(items.every(({ key, path }) => key === path)).toBe(true);
});

it.each(["migrate", "audit", "api"])(
  "passes %s the key of the operator log if the secret has one",
  (name) => {
    const [{ env = [] }] = pods.find((one) => one.name === name)?.pod.spec.containers ?? [{}];
    expect(env.find((variable) => variable.name === "OPERATOR_LOG_KEY")?.valueFrom).toEqual({
      secretKeyRef: { name: "atelier", key: "operator_log_key", optional: true },
    });
    expect(named("Secret", "atelier").stringData).toHaveProperty("operator_log_key");
  },
);

it("believes no sender's X-Forwarded-For until the proxy's network is set", () => {
  const { TRUSTED_PROXIES = "" } = environmentOf(named("Deployment", "api").spec.template);
  const trusted = new BlockList();
  for (const network of TRUSTED_PROXIES.split(",")) {
    const [address = "", bits] = network.split("/");
    trusted.addSubnet(address, Number(bits));
  }
  for (const sender of ["10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1", "203.0.113.1"]) {
    expect([sender, trusted.check(sender)]).toEqual([sender, false]);
  }
});

it.each(pods)("runs $name from the same image without privileges", ({ pod }) => {
  const [container] = pod.spec.containers;
  expect(container.image).toBe("atelier");
  expect(pod.spec.securityContext).toMatchObject({ runAsNonRoot: true });
  expect(container.securityContext).toMatchObject({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
  });
});

it("probes and scrapes API and workers on their ports", async () => {
  const { pod: api } = pods[0]!;
  const { pod: worker } = pods[1]!;
  const { PORT, ADMIN_PORT, ADMIN_HOST } = await settingsOf("api", environmentOf(api));
  const settings = await settingsOf("worker", environmentOf(worker));
  const portsOf = ({ spec }: Pod) =>
    Object.fromEntries(spec.containers[0].ports?.map((p) => [p.name, p.containerPort]) ?? []);
  expect(portsOf(api)).toEqual({ http: Number(PORT), admin: Number(ADMIN_PORT) });
  expect(portsOf(worker)).toEqual({ admin: Number(settings["WORKER_ADMIN_PORT"]) });
  expect([ADMIN_HOST, settings["WORKER_ADMIN_HOST"]]).toEqual(["0.0.0.0", "0.0.0.0"]);
  for (const pod of [api, worker]) {
    const [{ livenessProbe, readinessProbe, startupProbe }] = pod.spec.containers;
    expect(livenessProbe?.httpGet.path).toBe("/healthz");
    expect(readinessProbe?.httpGet.path).toBe("/readyz");
    for (const probe of [livenessProbe, readinessProbe, startupProbe]) {
      expect(portsOf(pod)).toHaveProperty(probe?.httpGet.port ?? "");
    }
    expect(Number(pod.metadata.annotations?.["prometheus.io/port"])).toBe(portsOf(pod)["admin"]);
  }
});

it("gives each program longer to stop than its drain takes", async () => {
  const api = await settingsOf("api", environmentOf(pods[0]!.pod));
  const worker = await settingsOf("worker", environmentOf(pods[1]!.pod));
  // Time from the first failed probe to the last request of a load balancer: endpoints are updated
  // at once, and load balancers with their own probes react after three of them.
  expect(Number(api["DRAIN_DELAY_SECONDS"])).toBeGreaterThanOrEqual(15);
  expect(pods[0]!.pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(
    Number(api["DRAIN_DELAY_SECONDS"]) + Number(api["DRAIN_SECONDS"]),
  );
  expect(pods[1]!.pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(
    Number(worker["WORKER_DRAIN_SECONDS"]) + 10,
  );
});

it("gives a worker enough memory for the largest images that it combines at once", async () => {
  const { pod } = pods[1]!;
  const { WORKER_CONCURRENCY, WORKER_THREADS } = await settingsOf("worker", environmentOf(pod));
  // As measured in docs/deployment.md.
  expect([WORKER_CONCURRENCY, WORKER_THREADS]).toEqual(["4", "2"]);
  const mebibytes = /^(\d+)Mi$/.exec(pod.spec.containers[0].resources.limits.memory)?.[1];
  expect(Number(mebibytes) * 1024 ** 2).toBeGreaterThan(3.75e9 * 1.25);
});

it("selects existing labels and ports", () => {
  const podOf = (labels: Labels) =>
    pods.find(({ pod }) => Object.entries(labels).every(([k, v]) => pod.metadata.labels[k] === v));
  for (const { spec } of [...ofKind("Deployment"), ...ofKind("PodDisruptionBudget")]) {
    expect(podOf(spec.selector.matchLabels)).toBeDefined();
  }
  const portNames = (labels: Labels) =>
    podOf(labels)?.pod.spec.containers[0].ports?.map(({ name }) => name);
  for (const { spec } of ofKind("Service")) {
    for (const { targetPort } of spec.ports) expect(portNames(spec.selector)).toContain(targetPort);
  }
  for (const { spec } of ofKind("NetworkPolicy")) {
    for (const { port } of (spec.ingress ?? []).flatMap(({ ports }) => ports)) {
      expect(portNames(spec.podSelector.matchLabels)).toContain(port);
    }
  }
});

it("admits only the Ingress controller and Prometheus", () => {
  const { spec } = named("NetworkPolicy", "deny-all");
  expect(spec).toEqual({ podSelector: {}, policyTypes: ["Ingress"] });
  const from = ofKind("NetworkPolicy")
    .flatMap(({ spec: policy }) => policy.ingress ?? [])
    .map((rule) => JSON.stringify(rule));
  expect(from).toHaveLength(3);
  for (const rule of from) expect(rule).toMatch(/"from":.*"(ingress-nginx|monitoring)"/);
});

it("serves clients over HTTPS at the host of PUBLIC_URL", async () => {
  const { spec } = named("Ingress", "api");
  const { PUBLIC_URL = "" } = named("ConfigMap", "atelier").data ?? {};
  const { protocol, hostname } = new URL(PUBLIC_URL);
  expect(protocol).toBe("https:");
  expect(spec.tls).toEqual([{ hosts: [hostname], secretName: "atelier-tls" }]);
  expect(spec.rules.map(({ host }) => host)).toEqual([hostname]);
  for (const { backend } of spec.rules.flatMap(({ http }) => http.paths)) {
    const service = named("Service", backend.service.name) as unknown as {
      spec: { ports: { name: string }[] };
    };
    expect(service.spec.ports.map(({ name }) => name)).toContain(backend.service.port.name);
  }
});

it("lets the Ingress wait longer than the API lets any request wait for its image", async () => {
  const api = await settingsOf("api", environmentOf(pods[0]!.pod));
  const { annotations = {} } = named("Ingress", "api").metadata;
  const waits = [api["MAX_WAIT_SECONDS"], api["FACADE_MAX_WAIT_SECONDS"]].map(Number);
  expect(Number(annotations["nginx.ingress.kubernetes.io/proxy-read-timeout"])).toBeGreaterThan(
    Math.max(...waits) + 30,
  );
});

it("keeps some APIs and workers running while nodes are drained", () => {
  const protectedPods = ofKind("PodDisruptionBudget").map(({ metadata }) => metadata.name);
  expect(protectedPods).toEqual(ofKind("Deployment").map(({ metadata }) => metadata.name));
});

it("uses the released version of the image, not a floating tag", async () => {
  const { version } = await readYaml<{ version: string }>("package.json");
  const { images } = await readYaml<{ images: { newTag: string }[] }>(
    "deploy/kubernetes/kustomization.yaml",
  );
  expect(images.map(({ newTag }) => newTag)).toEqual([version]);
  expect(await readText("docker-compose.yml")).toContain(`:-atelier:${version}}`);
});

it("scales the workers by metrics of the API, ignoring paused lanes", async () => {
  const { spec } = named("ScaledObject", "worker");
  expect(ofKind("Deployment").map(({ metadata }) => metadata.name)).toContain(
    spec.scaleTargetRef.name,
  );
  const query = spec.triggers[0]?.metadata["query"] ?? "";
  const metricNames = query.match(/atelier_\w+/g);
  expect(metricNames).toEqual(["atelier_queue_oldest_age_seconds", "atelier_lane_circuit_open"]);
  expect(query).toContain("unless on (lane) (max_over_time(atelier_lane_circuit_open[1m]) > 0)");
  const metrics = await readText("packages/telemetry/src/api-metrics.ts");
  for (const name of metricNames ?? []) {
    expect(metrics).toMatch(new RegExp(`"${name}",\\s+".*",\\s+\\{ lane: \\[\\] \\}`));
  }
});

it("alerts on an audit that is missing for two of its intervals", async () => {
  const { spec } = named("CronJob", "audit");
  expect(spec.schedule).toMatch(/^\d+ \* \* \* \*$/);
  const { groups } = await readYaml<Alerts>("deploy/prometheus/alerts.yml");
  const missing = groups
    .flatMap(({ rules }) => rules)
    .find(({ alert }) => alert === "AtelierAuditMissing");
  expect(Number(/ > (\d+)$/.exec(missing?.expr ?? "")?.[1])).toBe(2 * 3_600);
});

it("has everything in one namespace and in the kustomization, except the example", async () => {
  for (const { kind, metadata } of objects) {
    if (kind !== "Namespace" && kind !== "Kustomization")
      expect(metadata.namespace).toBe("atelier");
  }
  const { resources } = await readYaml<{ resources: string[] }>(
    "deploy/kubernetes/kustomization.yaml",
  );
  const listed = await Promise.all(resources.map((name) => readText(`deploy/kubernetes/${name}`)));
  const count = listed.join("\n").match(/^kind: /gm)?.length;
  expect(count).toBe(objects.length - 2);
});
