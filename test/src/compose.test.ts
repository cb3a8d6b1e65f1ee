import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { programIn } from "@care/build"
import { type ProcessName, variables } from "@care/sandbox"
import { fileVariable } from "@care/service-kit/boot"
import { sandboxPorts } from "@care/stand-ins"
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { parse } from "yaml"

const root = join(import.meta.dirname, "..", "..")
const text = (file: string) => readFileSync(join(root, file), "utf8")

const Container = Schema.Struct({
  image: Schema.String,
  profiles: Schema.optional(Schema.Array(Schema.String)),
  user: Schema.optional(Schema.String),
  command: Schema.optional(Schema.Array(Schema.String)),
  environment: Schema.Record(Schema.String, Schema.String),
  networks: Schema.Array(Schema.String),
  ports: Schema.optional(Schema.Array(Schema.String)),
  read_only: Schema.Boolean,
  tmpfs: Schema.Array(Schema.String),
  volumes: Schema.optional(Schema.Array(Schema.String)),
  cap_drop: Schema.Array(Schema.String),
  cap_add: Schema.optional(Schema.Array(Schema.String)),
  privileged: Schema.optional(Schema.Boolean),
  security_opt: Schema.Array(Schema.String),
  mem_limit: Schema.String,
  pids_limit: Schema.Number
})

const Compose = Schema.Struct({
  services: Schema.Record(Schema.String, Container),
  volumes: Schema.Record(Schema.String, Schema.Null),
  networks: Schema.Record(Schema.String, Schema.NullOr(Schema.Struct({ internal: Schema.Boolean })))
})

const composeText = text("docker-compose.yml")
const compose = Schema.decodeUnknownSync(Compose)(parse(composeText, { merge: true }))
const containerOf = (name: string) => compose.services[name] ?? assert.fail(`there is no ${name}`)

const names: ReadonlyArray<ProcessName> = ["gateway", "auth", "cases", "payments", "scheduling"]

/** Returns the variables that a text interpolates. Compose refuses to start without the required ones (`:?`). */
const variablesIn = (template: string) =>
  [...template.matchAll(/\$\{([A-Z_]+)(:\?)?/g)].map(([, name = "", required]) => ({
    name,
    isRequired: required !== undefined
  }))

it("runs the five processes and PostgreSQL, and with profiles also Prometheus and Grafana, or the stand-ins of sandboxes", () => {
  const ofProfile = (profile: string | undefined) =>
    Object.keys(compose.services).filter((name) => containerOf(name).profiles?.join() === profile)
  assert.sameMembers(ofProfile(undefined), [...names, "postgres"])
  assert.sameMembers(ofProfile("observability"), ["prometheus", "grafana"])
  assert.sameMembers(ofProfile("stand-ins"), ["stand-ins"])
})

it("the stand-ins of sandboxes have the credentials that the services have, a volume, and no way to PostgreSQL", () => {
  const { command, environment, networks, volumes } = containerOf("stand-ins")
  assert.deepStrictEqual(command, ["node", programIn("", "stand-ins")])
  const own = ["HOST", "CARE_DATA_DIR", "CELL", "PUBLIC_URL"]
  const credentials = Object.keys(environment).filter((variable) => !own.includes(variable))
  const ofServices = [...variables.cases, ...variables.payments, ...variables.scheduling]
  const isCredential = (variable: string) => variable.startsWith("TEST_") && ofServices.includes(fileVariable(variable))
  assert.sameMembers(credentials, ofServices.filter(isCredential))
  for (const variable of credentials) assert.strictEqual(environment[variable], `\${${variable}:-}`)
  const folder = environment["CARE_DATA_DIR"]
  assert.deepStrictEqual(volumes, [`stand-ins:${folder}`])
  assert.match(text("Dockerfile"), new RegExp(`install -d -o node -g node -m 700 .* ${folder}\n`))
  assert.sameMembers([...networks], ["services", "outbound"])
  const example = text(".env.example")
  for (const port of Object.values(sandboxPorts)) assert.include(example, `http://stand-ins:${port}`)
})

it("mounts files and volumes that exist", () => {
  const sources = Object.values(compose.services).flatMap(({ volumes = [] }) =>
    volumes.map((volume) => volume.split(":")[0] ?? "")
  )
  assert.isAbove(sources.length, 5)
  const isThere = (source: string) =>
    source.startsWith(".") ? existsSync(join(root, source)) : source in compose.volumes
  assert.deepStrictEqual(
    sources.filter((source) => !isThere(source)),
    []
  )
})

const Scraping = Schema.Struct({
  rule_files: Schema.Tuple([Schema.Literal("rules.yml")]),
  scrape_configs: Schema.Array(
    Schema.Struct({
      authorization: Schema.optional(Schema.Struct({ credentials_file: Schema.String })),
      static_configs: Schema.Array(
        Schema.Struct({
          targets: Schema.Array(Schema.String),
          labels: Schema.Struct({ job: Schema.Literal("care"), service: Schema.String })
        })
      )
    })
  )
})

it("Prometheus reads the metrics of each process, with a token only those of the gateway", () => {
  const { scrape_configs } = Schema.decodeUnknownSync(Scraping)(parse(text("deploy/observability/prometheus.yml")))
  const read = scrape_configs.flatMap(({ authorization, static_configs }) =>
    static_configs.map(({ labels, targets }) => ({ token: authorization?.credentials_file, targets, ...labels }))
  )
  assert.sameDeepMembers(
    read,
    names.map((name) => ({
      job: "care",
      service: name,
      targets: [`${name}:${containerOf(name).environment["PORT"]}`],
      token: name === "gateway" ? "/tmp/metrics-token" : undefined
    }))
  )
  assert.include(composeText, "> /tmp/metrics-token &&")
  for (const name of names) assert.include(containerOf(name).networks, "services")
  assert.sameMembers([...containerOf("prometheus").networks], ["services", "metrics"])
})

it("Grafana shows the dashboards of Prometheus to this machine alone, and nobody can change them", () => {
  const { environment, ports, volumes } = containerOf("grafana")
  assert.match(ports?.join() ?? "", /^127\.0\.0\.1:\$\{GRAFANA_PORT:-3000\}:3000$/)
  assert.deepInclude(environment, { GF_AUTH_BASIC_ENABLED: "false", GF_AUTH_DISABLE_LOGIN_FORM: "true" })
  assert.include(volumes ?? [], "./deploy/observability/dashboards:/etc/grafana/dashboards:ro")
  const provisioned = (file: string): unknown => parse(text(`deploy/observability/grafana/${file}`))
  assert.deepInclude(provisioned("dashboards/care.yml"), {
    providers: [{ name: "care", type: "file", allowUiUpdates: false, options: { path: "/etc/grafana/dashboards" } }]
  })
  assert.deepInclude(provisioned("datasources/prometheus.yml"), {
    datasources: [
      { name: "Prometheus", uid: "prometheus", type: "prometheus", url: "http://prometheus:9090", isDefault: true }
    ]
  })
})

const passwordOf = (name: string) => `${name.toUpperCase()}_DATABASE_PASSWORD`

for (const name of names) {
  it(`gives the ${name} container what its process reads, and nothing else`, () => {
    const { environment } = containerOf(name)
    // The image sets NODE_ENV, and where console and documentation are. Production has no demo.
    // Each secret is a variable here, and not a file.
    const ofImage = ["CONSOLE_DIR", "DOCS_DIR", "DOCS_DEMO"]
    const expected = variables[name].filter((variable) => !variable.endsWith("_FILE") && !ofImage.includes(variable))
    assert.sameMembers(["NODE_ENV", ...Object.keys(environment)], expected)
    assert.match(
      text("Dockerfile"),
      /^ENV NODE_ENV=production\nENV CONSOLE_DIR=\/app\/console\nENV DOCS_DIR=\/app\/docs$/m
    )
    assert.strictEqual(environment["HOST"], "0.0.0.0")

    const secrets = [
      "ADMIN_TOKEN",
      "INTERNAL_SECRET",
      "JWT_SECRET",
      "PHI_KEY",
      "STRIPE_SECRET_KEY",
      "STRIPE_WEBHOOK_SECRET"
    ].filter((variable) => variable in environment)
    for (const secret of secrets) assert.match(environment[secret] ?? "", new RegExp(`^\\$\\{${secret}:\\?`))
    const password = name === "gateway" ? [] : [passwordOf(name)]
    assert.sameMembers(
      variablesIn(Object.values(environment).join(" ")).flatMap((variable) =>
        variable.isRequired ? [variable.name] : []
      ),
      [...secrets, ...password]
    )
    if (name !== "gateway") {
      const own = `\\$\\{DATABASE_URL_${name.toUpperCase()}:-postgresql://care_${name}:\\$`
      assert.match(environment["DATABASE_URL"] ?? "", new RegExp(`^${own}`))
    }
  })
}

it("a service's container has a volume of its own for the outbox of its audit, and shares the list of erasures, which auth writes", () => {
  for (const name of names) {
    const { environment, volumes = [] } = containerOf(name)
    const folder = environment["AUDIT_OUTBOX_DIR"]
    const list = environment["ERASURE_LIST_DIR"]
    const shared = `erasures:${list}${name === "auth" ? "" : ":ro"}`
    assert.deepStrictEqual(volumes, folder === undefined ? [] : [`audit-${name}:${folder}`, shared])
    assert.strictEqual(folder === undefined, name === "gateway")
    if (folder !== undefined) assert.include(text("Dockerfile"), `install -d -o node -g node -m 700 ${folder} ${list} `)
  }
})

it("hardens every container: no capability, nothing to write to but temporary files and volumes, bounded memory and processes", () => {
  for (const [name, container] of Object.entries(compose.services)) {
    assert.deepInclude(
      container,
      { read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] },
      name
    )
    assert.include(container.tmpfs, "/tmp")
    assert.match(container.mem_limit, /^\d+[mg]$/)
    assert.isAbove(container.pids_limit, 0)
    assert.isUndefined(container.cap_add)
    assert.isUndefined(container.privileged)
  }
  // Without capabilities a root process cannot drop its privileges.
  assert.strictEqual(containerOf("postgres").user, "postgres")
  assert.match(text("Dockerfile"), /^USER node$/m)
})

it("has beside the sources of the image the guide that the gateway shows", () => {
  assert.match(
    text("Dockerfile"),
    /^COPY docs docs\nRUN \$PNPM install [\s\S]*^RUN .*node packages\/build\/src\/main\.ts$/m
  )
  assert.include(text(".dockerignore").split("\n"), "!docs/webhooks.md")
})

it("lets only the gateway be reached from outside, and from this machine Grafana, and only the services reach PostgreSQL", () => {
  const on = (network: string) =>
    Object.entries(compose.services).filter(([, service]) => service.networks.includes(network))
  assert.deepStrictEqual(
    Object.entries(compose.services).flatMap(([name, { ports }]) => (ports === undefined ? [] : [name])),
    ["gateway", "grafana"]
  )
  assert.deepStrictEqual(containerOf("postgres").networks, ["database"])
  assert.sameMembers(
    on("database").map(([name]) => name),
    ["auth", "cases", "payments", "scheduling", "postgres"]
  )
  assert.deepStrictEqual(
    on("edge").map(([name]) => name),
    ["gateway"]
  )
  for (const network of ["services", "database", "metrics"])
    assert.deepStrictEqual(compose.networks[network], { internal: true })
})

it("runs in each container the program that was built for its process, and puts nothing else into the image", () => {
  for (const name of names) assert.deepStrictEqual(containerOf(name).command, ["node", programIn("", name)])
  const image = text("Dockerfile")
    .split(/^FROM /m)
    .at(-1)
  assert.deepStrictEqual(image?.match(/^(COPY|ADD) .*$/gm)?.slice(), [
    "COPY --from=build /app/dist ./",
    "COPY docker/healthcheck.ts healthcheck.ts"
  ])
})

it("takes images by digest only", () => {
  assert.match(containerOf("postgres").image, /^postgres:18@\$\{POSTGRES_DIGEST:\?/)
  assert.match(containerOf("prometheus").image, /^prom\/prometheus:v[\d.]+@\$\{PROMETHEUS_DIGEST:-[^}]+\}$/)
  assert.match(containerOf("grafana").image, /^grafana\/grafana:[\d.]+@\$\{GRAFANA_DIGEST:-[^}]+\}$/)
  for (const name of names) assert.strictEqual(containerOf(name).image, "partner-care-api")
  const bases = text("Dockerfile").match(/^FROM .*$/gm) ?? []
  assert.lengthOf(bases, 2)
  for (const base of bases) assert.match(base, /^FROM node:24-slim@\$\{NODE_DIGEST\}/)
})

it("builds the image with the package manager whose integrity is in its lockfile, of the version that every document names", () => {
  const lock = JSON.parse(text(".ci/pnpm/package-lock.json"))
  const { integrity, version } = lock.packages["node_modules/pnpm"]
  assert.match(integrity, /^sha512-/)
  assert.strictEqual(JSON.parse(text(".ci/pnpm/package.json")).dependencies.pnpm, version)
  // Of one processor of Linux each.
  for (const processor of ["x64", "arm64"]) {
    assert.match(lock.packages[`node_modules/@pnpm/exe.linux-${processor}`].integrity, /^sha512-/)
  }
  const install = "npm install --prefix .ci/pnpm --no-save --no-audit --no-fund\n"
  for (const file of ["Dockerfile", ".ci/run"]) {
    assert.include(text(file), install)
    assert.notInclude(text(file), "npx")
  }
  const documents = globSync("**/*.md", { cwd: root, exclude: ["**/node_modules", "**/dist", "**/.data"] })
  const named = documents.flatMap((file) => Array.from(text(file).matchAll(/\bpnpm@([\d.]*\d)/g), ([, found]) => found))
  assert.isAbove(named.length, 20)
  assert.deepStrictEqual(
    named.filter((found) => found !== version),
    []
  )
})

it("every variable of .env that compose takes is in .env.example, filled in by nobody but the operator", () => {
  const example = text(".env.example")
  for (const { isRequired, name } of variablesIn(composeText)) {
    assert.match(example, new RegExp(isRequired ? `^${name}=$` : `^(# )?${name}=`, "m"))
  }
  const citusText = text("deploy/citus/docker-compose.yml")
  for (const { name } of variablesIn(citusText)) assert.match(example, new RegExp(`^(# )?${name}=`, "m"))
  const variableNames = new Set(variablesIn(composeText + citusText).map(({ name }) => name))
  const named = [...example.matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name = ""]) => name)
  assert.deepStrictEqual(
    named.filter((name) => !variableNames.has(name)),
    []
  )
})
