import { readFileSync } from "node:fs"
import { join } from "node:path"
import { programIn } from "@care/build"
import { gatewayPort, peers, type ServiceName } from "@care/domain/peers"
import { migrationSettings } from "@care/migrate"
import { type ProcessName, variables } from "@care/sandbox"
import { fileVariable, shutdownMillis } from "@care/service-kit"
import { assert, it } from "@effect/vitest"
import { Record, Schema } from "effect"
import { parse } from "yaml"
import { delayedQueues } from "../bench/growth/queues.ts"
import { requiredSettings } from "../configuration/configurationDocument.ts"
import { documentsOf, filesIn, Manifest, manifests, Namespace, textIn } from "./harness/manifests.ts"
import { processNames } from "./harness/Suite.ts"

const composeText = readFileSync(join(import.meta.dirname, "../../docker-compose.yml"), "utf8")
const nameLabel = "app.kubernetes.io/name"
const partOf = { "app.kubernetes.io/part-of": "partner-care-api" }
const labelsOf = (name: string) => ({ [nameLabel]: name, ...partOf })
const ports: Readonly<Record<ProcessName, number>> = { gateway: gatewayPort, ...Record.map(peers, ({ port }) => port) }

const secretsFolder = "/run/secrets/care"

/** The variables of a process that may come as files. */
const secretsOf = (name: ProcessName) =>
  variables[name].filter((variable) => variables[name].includes(fileVariable(variable)))

const find = <Kind extends Manifest["kind"]>(kind: Kind, name: string) =>
  manifests.find(
    (manifest): manifest is Extract<Manifest, { readonly kind: Kind }> =>
      manifest.kind === kind && manifest.metadata.name === name
  ) ?? assert.fail(`there is no ${kind} ${name}`)

/** Only services have an outbox of their audit, which needs a volume for each pod. */
const workloadOf = (name: string) => find(name === "gateway" ? "Deployment" : "StatefulSet", name)
const containerOf = (name: string) => workloadOf(name).spec.template.spec.containers[0]

it("has what each of the five processes and the Job of the migrations need, and nothing else", () => {
  const kinds = ["Service", "PodDisruptionBudget", "HorizontalPodAutoscaler", "NetworkPolicy"]
  const expected = processNames.flatMap((name) =>
    [name === "gateway" ? "Deployment" : "StatefulSet", ...kinds].map((kind) => `${kind} ${name}`)
  )
  assert.sameMembers(
    manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    [
      ...expected,
      "Job migrate",
      "PersistentVolumeClaim erasures",
      ...["nothing", "everywhere", "migrate"].map((policy) => `NetworkPolicy ${policy}`)
    ]
  )
  assert.sameMembers([...filesIn("base")], parse(textIn("base/kustomization.yaml")).resources)
})

for (const name of processNames) {
  it(`gives the ${name} pod variables that its process reads, all that it needs, and secrets as files of its own Secret only`, () => {
    const { env, volumeMounts } = containerOf(name)
    const names = env.map((variable) => variable.name)
    assert.deepStrictEqual(names, [...new Set(names)])
    assert.deepStrictEqual(
      names.filter((variable) => !variables[name].includes(variable)),
      []
    )
    const needed = variables[name].filter((variable) => requiredSettings.includes(variable))
    const inFiles = secretsOf(name).filter((secret) => names.includes(fileVariable(secret)))
    assert.isAbove(inFiles.length, 1)
    for (const secret of secretsOf(name)) assert.notInclude(names, secret)
    for (const secret of inFiles) {
      assert.deepInclude(env, { name: fileVariable(secret), value: `${secretsFolder}/${secret}` })
    }
    // A file that is missing is refused: an overlay names those of settings that are optional.
    assert.sameMembers(inFiles, needed)
    assert.deepInclude(volumeMounts, { name: "secrets", mountPath: secretsFolder, readOnly: true })
    assert.deepInclude(workloadOf(name).spec.template.spec.volumes, { name: "secrets", secret: { secretName: name } })
    // The Job migrates.
    const migrates = env.find((variable) => variable.name === "MIGRATE_AT_START")?.value
    assert.strictEqual(migrates, name === "gateway" ? undefined : "false")
  })

  it(`the ${name} process listens where its Service and its probes expect it, and finds the others at theirs`, () => {
    const { env, livenessProbe, ports: opened, readinessProbe, startupProbe } = containerOf(name)
    const settingOf = (variable: string) => env.find((each) => each.name === variable)?.value
    assert.strictEqual(settingOf("HOST"), "0.0.0.0")
    assert.strictEqual(settingOf("PORT"), String(ports[name]))
    assert.strictEqual(opened[0].containerPort, ports[name])
    assert.strictEqual(find("Service", name).spec.ports[0].port, ports[name])
    for (const [peer, { port, urlVariable }] of Object.entries(peers)) {
      const isRead = variables[name].includes(urlVariable)
      assert.strictEqual(settingOf(urlVariable), isRead ? `http://${peer}:${port}` : undefined)
    }
    assert.strictEqual(startupProbe.httpGet.path, "/health/live")
    assert.strictEqual(livenessProbe.httpGet.path, "/health/live")
    assert.strictEqual(readinessProbe.httpGet.path, "/health/ready")
    // The gateway shows its metrics to the operator only.
    const scraped = { "prometheus.io/scrape": "true", "prometheus.io/port": String(ports[name]) }
    assert.deepStrictEqual(
      workloadOf(name).spec.template.metadata.annotations,
      name === "gateway" ? undefined : { ...scraped, "prometheus.io/path": "/metrics" }
    )
  })

  it(`every selector for ${name} matches the labels of its pods`, () => {
    const labels = labelsOf(name)
    const { selector, template } = workloadOf(name).spec
    assert.deepStrictEqual(template.metadata.labels, labels)
    assert.deepStrictEqual(find("Service", name).spec.selector, labels)
    const selectors = [
      selector,
      find("PodDisruptionBudget", name).spec.selector,
      find("NetworkPolicy", name).spec.podSelector,
      ...template.spec.topologySpreadConstraints.map(({ labelSelector }) => labelSelector)
    ]
    assert.lengthOf(selectors, 5)
    for (const { matchLabels } of selectors) assert.deepStrictEqual(matchLabels, labels)
  })

  it(`the ${name} pod runs its program of the one image, with as much memory as in compose, and has time to end`, () => {
    const { command, image, lifecycle, resources } = containerOf(name)
    assert.strictEqual(image, "partner-care-api")
    assert.deepStrictEqual(command, ["node", programIn("", name)])
    const limit = parse(composeText, { merge: true }).services[name].mem_limit
    assert.strictEqual(resources.limits.memory.replace("i", "").toLowerCase(), limit)
    const { terminationGracePeriodSeconds } = workloadOf(name).spec.template.spec
    assert.isAbove(terminationGracePeriodSeconds, lifecycle.preStop.sleep.seconds + shutdownMillis / 1000)
  })

  it(`${name} has at least two pods, and more with its work`, () => {
    const { maxReplicas, metrics, minReplicas, scaleTargetRef } = find("HorizontalPodAutoscaler", name).spec
    const { apiVersion, kind } = workloadOf(name)
    assert.deepStrictEqual(scaleTargetRef, { apiVersion, kind, name })
    assert.isAtLeast(minReplicas, 2)
    assert.isAbove(maxReplicas, minReplicas)
    const [cpu, jobs, ...others] = metrics
    assert.strictEqual(cpu?.type, "Resource")
    assert.lengthOf(others, 0)
    if (name === "gateway") return assert.isUndefined(jobs)
    const { metric } = jobs?.type === "External" ? jobs.external : assert.fail("jobs are no metric")
    assert.strictEqual(metric.selector.matchLabels["app_kubernetes_io_name"], name)
    const [rule] = parse(textIn("prometheus-adapter.yaml")).rules.external
    assert.strictEqual(metric.name, rule.name.as)
  })
}

it("the rule for waiting jobs leaves out a queue whose jobs wait for their time", () => {
  const [rule] = parse(textIn("prometheus-adapter.yaml")).rules.external
  const [, queue] = /^max\(sum by \(pod\) \(jobs\{state="pending",queue!="([a-z-]+)",/.exec(rule.metricsQuery) ?? []
  assert.include(delayedQueues, `scheduling ${queue}`)
})

it("a service's pod has a volume of its own for the outbox of its audit, and shares the list of erasures, which auth writes", () => {
  for (const name of processNames) {
    const workload = workloadOf(name)
    const folder = containerOf(name).env.find((variable) => variable.name === "AUDIT_OUTBOX_DIR")?.value
    const { securityContext } = workload.spec.template.spec
    assert.strictEqual(workload.kind === "Deployment", folder === undefined)
    assert.strictEqual(securityContext.fsGroup === undefined, folder === undefined)
    const claimed =
      workload.kind === "Deployment" ? [] : workload.spec.volumeClaimTemplates.map((claim) => claim.metadata)
    const mounts = containerOf(name).volumeMounts.map(
      ({ mountPath, name, readOnly }) => `${name} ${mountPath}${readOnly === true ? " read-only" : ""}`
    )
    const list = containerOf(name).env.find((variable) => variable.name === "ERASURE_LIST_DIR")?.value
    const shared = list === undefined ? [] : [`erasures ${list}${name === "auth" ? "" : " read-only"}`]
    assert.deepStrictEqual(mounts, [
      "temporary /tmp",
      `secrets ${secretsFolder} read-only`,
      ...claimed.map((claim) => `${claim.name} ${folder}`),
      ...shared
    ])
    const volumes = workload.spec.template.spec.volumes.flatMap((volume) =>
      "persistentVolumeClaim" in volume ? [volume.persistentVolumeClaim.claimName] : []
    )
    assert.deepStrictEqual(volumes, list === undefined ? [] : [find("PersistentVolumeClaim", "erasures").metadata.name])
  }
})

it("pods may call those whose URL they read, and are called by those alone", () => {
  for (const name of processNames) {
    const { egress = [], ingress = [] } = find("NetworkPolicy", name).spec
    const called = egress.flatMap(({ ports: [port], to = [] }) =>
      to.flatMap(({ podSelector }) => (podSelector === undefined ? [] : [[podSelector.matchLabels, port]]))
    )
    const readUrls = Object.entries(peers).filter(([, { urlVariable }]) => variables[name].includes(urlVariable))
    assert.deepStrictEqual(
      called,
      readUrls.map(([peer, { port }]) => [labelsOf(peer), { protocol: "TCP", port }])
    )
    assert.deepStrictEqual(
      ingress.map((rule) => rule.ports),
      [[{ protocol: "TCP", port: ports[name] }]]
    )
    if (name === "gateway") {
      assert.isUndefined(ingress[0]?.from)
      continue
    }
    const { urlVariable } = peers[name]
    const callers = processNames.filter((caller) => variables[caller].includes(urlVariable))
    assert.deepStrictEqual(ingress[0]?.from, [
      ...callers.map((caller) => ({ podSelector: { matchLabels: labelsOf(caller) } })),
      { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring" } } }
    ])
  }
})

it("the Job of the migrations runs their program of the one image, with the URL of its own Secret", () => {
  const { metadata, spec } = find("Job", "migrate").spec.template
  const [{ command, env, image, volumeMounts }] = spec.containers
  assert.deepStrictEqual(metadata.labels, labelsOf("migrate"))
  assert.deepStrictEqual([image, command], [containerOf("cases").image, ["node", programIn("", "migrate")]])
  assert.deepStrictEqual(env, [{ name: fileVariable("MIGRATIONS_URL"), value: `${secretsFolder}/MIGRATIONS_URL` }])
  assert.include(
    migrationSettings.map(({ doc }) => doc.name),
    "MIGRATIONS_URL"
  )
  assert.deepInclude(volumeMounts, { name: "secrets", mountPath: secretsFolder, readOnly: true })
  assert.deepInclude(spec.volumes, { name: "secrets", secret: { secretName: "migrate" } })
})

it("only services and migrations reach PostgreSQL, and all else is forbidden that no policy allows", () => {
  const hasPort = (name: string, port: number) =>
    find("NetworkPolicy", name).spec.egress?.some((rule) => rule.to === undefined && rule.ports[0]?.port === port)
  for (const name of processNames) {
    assert.strictEqual(hasPort(name, 5432), name !== "gateway")
    assert.strictEqual(hasPort(name, 6379), name === "gateway")
  }
  assert.deepStrictEqual(find("NetworkPolicy", "migrate").spec, {
    podSelector: { matchLabels: labelsOf("migrate") },
    policyTypes: ["Ingress", "Egress"],
    egress: [{ ports: [{ protocol: "TCP", port: 5432 }] }]
  })
  assert.deepStrictEqual(find("NetworkPolicy", "nothing").spec, {
    podSelector: { matchLabels: partOf },
    policyTypes: ["Ingress", "Egress"]
  })
})

it("services differ in nothing but names, ports, variables, resources and who writes the list of erasures", () => {
  const own = ["env", "readOnly", "resources"]
  const withoutOwn = (key: string, value: unknown) => (own.includes(key) ? undefined : value)
  const commonOf = (name: ServiceName) =>
    JSON.stringify(documentsOf(Schema.Unknown, textIn(`base/${name}.yaml`)), withoutOwn, 2).replaceAll(
      new RegExp(`\\b(${name}|${ports[name]})\\b`, "g"),
      "X"
    )
  for (const name of Record.keys(peers)) assert.strictEqual(commonOf(name), commonOf("auth"))
})

/** A change that the overlay makes to the variables of a process. */
const Patch = Schema.Struct({
  apiVersion: Schema.Literal("apps/v1"),
  kind: Schema.Literals(["Deployment", "StatefulSet"]),
  metadata: Schema.Struct({ name: Schema.Literals(processNames) }),
  spec: Schema.Struct({
    template: Schema.Struct({
      spec: Schema.Struct({
        containers: Schema.Tuple([
          Schema.Struct({
            name: Schema.String,
            env: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String }))
          })
        ])
      })
    })
  })
})

const overlay = "overlays/production"

it("the overlay sets variables that the processes read, and all that have no default for production", () => {
  const { images, namespace, patches, resources } = parse(textIn(`${overlay}/kustomization.yaml`))
  const files = patches.map(({ path }: { readonly path: string }) => path)
  assert.deepStrictEqual(resources, ["../../base", "namespace.yaml"])
  assert.sameMembers([...filesIn(overlay)], [...files, "namespace.yaml"])
  assert.strictEqual(images[0].name, containerOf("gateway").image)
  assert.match(images[0].digest, /^sha256:[0-9a-f]{64}$/)
  const [space] = documentsOf(Namespace, textIn(`${overlay}/namespace.yaml`))
  assert.deepStrictEqual(space?.metadata, {
    name: namespace,
    labels: { "pod-security.kubernetes.io/enforce": "restricted" }
  })
  const withPublicUrl = files.flatMap((file: string) =>
    documentsOf(Patch, textIn(`${overlay}/${file}`)).flatMap(({ kind, metadata: { name }, spec }) => {
      const [container] = spec.template.spec.containers
      assert.strictEqual(kind, workloadOf(name).kind)
      assert.strictEqual(container.name, containerOf(name).name)
      const names = container.env.map((variable) => variable.name)
      assert.deepStrictEqual(
        names.filter((variable) => !variables[name].includes(variable) || secretsOf(name).includes(variable)),
        []
      )
      return names.includes("PUBLIC_URL") ? [name] : []
    })
  )
  assert.sameMembers(
    withPublicUrl,
    processNames.filter((name) => variables[name].includes("PUBLIC_URL"))
  )
})

/** The variables that the patches in a folder add, by process. */
const patchedIn = (folder: string): Readonly<Record<string, Readonly<Record<string, string>>>> =>
  Object.fromEntries(
    parse(textIn(`${folder}/kustomization.yaml`)).patches.flatMap(({ path }: { readonly path?: string }) =>
      path === undefined
        ? []
        : documentsOf(Patch, textIn(`${folder}/${path}`)).map(({ kind, metadata: { name }, spec }) => {
            const [container] = spec.template.spec.containers
            assert.deepStrictEqual([kind, container.name], [workloadOf(name).kind, containerOf(name).name])
            const added = container.env.map((variable) => [variable.name, variable.value] as const)
            for (const [variable] of added) {
              assert.include(variables[name], variable)
              assert.notInclude(secretsOf(name), variable)
            }
            return [name, Object.fromEntries(added)]
          })
    )
  )

const cell = "overlays/cell"
const cells = "components/cells"

it("the component of several cells gives the gateway their description, and all that read it the gateway's URL", () => {
  const { spec } = find("Service", "gateway")
  const url = {
    GATEWAY_URL: `http://gateway.${parse(textIn(`${overlay}/kustomization.yaml`)).namespace}:${spec.ports[0].port}`
  }
  const expected = processNames.filter((name) => variables[name].includes("GATEWAY_URL")).map((name) => [name, url])
  assert.deepStrictEqual(patchedIn(cells), {
    gateway: { CELLS_FILE: `${secretsFolder}/CELLS` },
    ...Object.fromEntries(expected)
  })
  assert.deepStrictEqual(parse(textIn(`${cells}/kustomization.yaml`)).resources, ["network.yaml"])
})

it("the overlay of another cell runs its four services, each with its name, and no gateway", () => {
  const { components, namespace, patches, resources } = parse(textIn(`${cell}/kustomization.yaml`))
  assert.deepStrictEqual(resources, ["../../base", "namespace.yaml", "network.yaml"])
  assert.deepStrictEqual(components, [`../../${cells}`])
  const [deleted, ...others] = patches
  assert.strictEqual(deleted.target.labelSelector, `${nameLabel}=gateway`)
  assert.strictEqual(parse(deleted.patch).$patch, "delete")
  assert.isTrue(others.every(({ path }: { readonly path?: string }) => path !== undefined))
  const [space] = documentsOf(Namespace, textIn(`${cell}/namespace.yaml`))
  assert.deepStrictEqual(space?.metadata, {
    name: namespace,
    labels: { ...partOf, "pod-security.kubernetes.io/enforce": "restricted" }
  })
  const patched = patchedIn(cell)
  const names = Record.keys(peers)
  assert.sameMembers(Object.keys(patched), names)
  for (const name of names) {
    assert.strictEqual(patched[name]?.["CELL"], namespace.replace("care-", ""))
    assert.strictEqual(patched[name]?.["PUBLIC_URL"] !== undefined, variables[name].includes("PUBLIC_URL"))
  }
})

it("the gateway may call the services of every namespace of the suite, and auth and cases of every cell the gateway", () => {
  const policies = [`${cells}/network.yaml`, `${cell}/network.yaml`].flatMap((file) =>
    documentsOf(Manifest, textIn(file))
  )
  const gateway = {
    namespaceSelector: {
      matchLabels: { "kubernetes.io/metadata.name": parse(textIn(`${overlay}/kustomization.yaml`)).namespace }
    },
    podSelector: { matchLabels: labelsOf("gateway") }
  }
  const ofSuite = { matchLabels: partOf }
  const peerPorts = Object.values(peers).map(({ port }) => port)
  const toPeers = [{ protocol: "TCP" as const, port: Math.min(...peerPorts), endPort: Math.max(...peerPorts) }]
  assert.deepStrictEqual(
    policies.map((policy) => policy.spec),
    [
      {
        podSelector: { matchLabels: labelsOf("gateway") },
        policyTypes: ["Egress"],
        egress: [{ to: [{ namespaceSelector: ofSuite, podSelector: ofSuite }], ports: toPeers }]
      },
      ...["auth", "cases"].map((name) => ({
        podSelector: { matchLabels: labelsOf(name) },
        policyTypes: ["Egress" as const],
        egress: [{ to: [gateway], ports: [{ protocol: "TCP" as const, port: gatewayPort }] }]
      })),
      { podSelector: ofSuite, policyTypes: ["Ingress"], ingress: [{ from: [gateway], ports: toPeers }] }
    ]
  )
})
