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
  readonly env?: readonly { readonly name: string; readonly value: string }[];
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
  };
}

/** As much of all kinds as is looked at here. */
interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Labels;
  readonly stringData?: Labels;
  readonly spec: {
    readonly schedule: string;
    readonly selector: Labels & { readonly matchLabels: Labels };
    readonly podSelector: { readonly matchLabels: Labels };
    readonly template: Pod;
    readonly jobTemplate: { readonly spec: { readonly template: Pod } };
    readonly ports: readonly { readonly targetPort: string }[];
    readonly ingress: readonly { readonly ports: readonly { readonly port: string }[] }[];
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
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
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

/** What the container of a pod is told, those of its ConfigMap included. */
function environmentOf({ spec }: Pod): Record<string, string> {
  const [{ env = [], envFrom = [] }] = spec.containers;
  const maps = envFrom.map(({ configMapRef }) => named("ConfigMap", configMapRef.name).data ?? {});
  return {
    ...Object.assign({}, ...maps),
    ...Object.fromEntries(env.map((e) => [e.name, e.value])),
  };
}

it.each(pods)("tells $name what it needs and nothing else", async ({ program, pod }) => {
  expect(await problemsOf(program, environmentOf(pod))).toEqual([]);
});

it.each(pods)("gives $name only secrets that the example has", ({ pod }) => {
  const secrets = Object.keys(named("Secret", "atelier").stringData ?? {});
  const files = Object.entries(environmentOf(pod)).filter(([name]) => name.endsWith("_FILE"));
  for (const [, path] of files) {
    expect(secrets).toContain(path.replace("/run/secrets/atelier/", ""));
  }
});

it.each(pods)("runs $name from the one image, without any privilege", ({ pod }) => {
  const [container] = pod.spec.containers;
  expect(container.image).toBe("atelier");
  expect(pod.spec.securityContext).toMatchObject({ runAsNonRoot: true });
  expect(container.securityContext).toMatchObject({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
  });
});

it("probes and scrapes API and workers where they listen", async () => {
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
  // Between the first refused probe and the last request of a load balancer: endpoints are told at
  // once, those who probe by themselves notice after three probes.
  expect(Number(api["DRAIN_DELAY_SECONDS"])).toBeGreaterThanOrEqual(15);
  expect(pods[0]!.pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(
    Number(api["DRAIN_DELAY_SECONDS"]) + Number(api["DRAIN_SECONDS"]),
  );
  expect(pods[1]!.pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(
    Number(worker["WORKER_DRAIN_SECONDS"]) + 10,
  );
});

it("limits a worker to more memory than as many images of 4K take as it makes at once", async () => {
  const { pod } = pods[1]!;
  const { WORKER_CONCURRENCY, WORKER_THREADS } = await settingsOf("worker", environmentOf(pod));
  // What docs/deployment.md has measured.
  expect([WORKER_CONCURRENCY, WORKER_THREADS]).toEqual(["8", "2"]);
  const gibibytes = /^(\d+)Gi$/.exec(pod.spec.containers[0].resources.limits.memory)?.[1];
  expect(Number(gibibytes) * 1024 ** 3).toBeGreaterThan(1.43e9 * 1.25);
});

it("selects pods by labels that they have, and ports that they open", () => {
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
    for (const { port } of spec.ingress.flatMap(({ ports }) => ports)) {
      expect(portNames(spec.podSelector.matchLabels)).toContain(port);
    }
  }
});

it("scales the workers by metrics that the API has, but not for lanes left alone", async () => {
  const { spec } = named("ScaledObject", "worker");
  expect(ofKind("Deployment").map(({ metadata }) => metadata.name)).toContain(
    spec.scaleTargetRef.name,
  );
  const query = spec.triggers[0]?.metadata["query"] ?? "";
  const asked = query.match(/atelier_\w+/g);
  expect(asked).toEqual(["atelier_queue_oldest_age_seconds", "atelier_lane_circuit_open"]);
  expect(query).toContain("unless on (lane) (max_over_time(atelier_lane_circuit_open[1m]) > 0)");
  const metrics = await readText("packages/telemetry/src/api-metrics.ts");
  for (const name of asked ?? []) {
    expect(metrics).toMatch(new RegExp(`name: "${name}",\\s+help: .*\\s+labelNames: \\["lane"\\]`));
  }
});

it("watches an audit that failed until the next one has run, and one that does not run", async () => {
  const { metadata, spec } = named("CronJob", "audit");
  expect(spec.schedule).toMatch(/^\d+ \* \* \* \*$/);
  const scheduleSeconds = 3_600;
  const { groups } = await readYaml<Alerts>("deploy/prometheus/alerts.yml");
  const exprOf = (name: string) =>
    groups.flatMap(({ rules }) => rules).find(({ alert }) => alert === name)?.expr ?? "";

  const failed = exprOf("AtelierAuditFailed");
  expect(failed).toContain(`namespace="${metadata.namespace}",job_name=~"${metadata.name}-.*"`);
  // Without a gap between two that fail, and without the one before them.
  const failedSeconds = Number(/kube_job_created{.*} < (\d+)\)/.exec(failed)?.[1]);
  expect(failedSeconds).toBeGreaterThan(scheduleSeconds);
  expect(failedSeconds).toBeLessThan(2 * scheduleSeconds);

  const missing = exprOf("AtelierAuditMissing");
  const cronJob = `{namespace="${metadata.namespace}",cronjob="${metadata.name}"}`;
  expect(missing).toContain(`kube_cronjob_status_last_successful_time${cronJob}`);
  expect(missing).toContain(`or kube_cronjob_created${cronJob}`);
  expect(Number(/ > (\d+)$/.exec(missing)?.[1])).toBe(2 * scheduleSeconds);
});

it("has everything in one namespace, and in its kustomization but the example", async () => {
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
