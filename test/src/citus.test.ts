import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { services } from "@care/sandbox"
import { assert, it } from "@effect/vitest"
import { parse } from "yaml"

const root = join(import.meta.dirname, "..", "..")
const text = (file: string) => readFileSync(join(root, file), "utf8")
const compose = (file: string) => parse(text(file), { merge: true })

const { networks, services: nodes, volumes } = compose("deploy/citus/docker-compose.yml")
const main = compose("docker-compose.yml")
const workers = Object.keys(nodes).filter((name) => name !== "postgres")

it("distribute.sql distributes the schemas of all services, and can be run again", () => {
  const statement = text("deploy/citus/distribute.sql")
  const [, schemas = ""] = /ARRAY\[([^\]]*)\]/.exec(statement) ?? []
  assert.deepStrictEqual(
    schemas.split(", "),
    services.map((service) => `'${service}'`)
  )
  assert.match(statement, /WHERE name::regnamespace NOT IN \(SELECT schema_name FROM citus_schemas\);\n$/)
})

it("workers.sql adds the workers of the compose file, and lets the coordinator connect to them as each service's role", () => {
  const statements = text("deploy/citus/workers.sql")
  assert.isAtLeast(workers.length, 2)
  assert.include(statements, `unnest(ARRAY[${workers.map((name) => `'${name}'`).join(", ")}])`)
  for (const service of services) {
    const variable = `${service.toUpperCase()}_DATABASE_PASSWORD`
    assert.include(statements, `\\getenv ${service} ${variable}\n`)
    assert.include(statements, `(0, 'care_${service}', 'password=' || :'${service}')`)
    assert.include(text("docker/create-roles.sh"), `create_role ${service} ${variable}\n`)
    // Of the coordinator's container.
    assert.property(main.services.postgres.environment, variable)
  }
})

it("all nodes run one image by digest with the same settings, and each its own data", () => {
  for (const name of Object.keys(nodes)) {
    const { command, environment, image } = nodes[name]
    assert.match(image, /^citusdata\/citus:[\d.]+@\$\{CITUS_DIGEST:\?/)
    assert.deepStrictEqual(command, nodes.postgres.command)
    assert.includeMembers(command, ["citus.enable_unsafe_triggers=on", "wal_level=logical"])
    const own = { POSTGRES_DB: "care", POSTGRES_USER: "owner", POSTGRES_PASSWORD: `\${POSTGRES_PASSWORD}` }
    assert.deepStrictEqual(environment, { ...own, PGPASSWORD: `\${POSTGRES_PASSWORD}` })
    assert.include(main.services.postgres.environment.POSTGRES_DB, own.POSTGRES_DB)
    assert.include(main.services.postgres.environment.POSTGRES_USER, own.POSTGRES_USER)
  }
  const [mounted = ""] = nodes.postgres.volumes
  assert.isTrue(existsSync(join(root, mounted.split(":")[0] ?? "", "distribute.sql")))
  assert.deepStrictEqual(
    workers.flatMap((name) => nodes[name].volumes),
    workers.map((name) => `${name}:/var/lib/postgresql`)
  )
  assert.deepStrictEqual(Object.keys(volumes), workers)
})

it("only the coordinator reaches the workers, which are hardened as it is", () => {
  assert.deepStrictEqual(networks, { shards: { internal: true } })
  for (const name of Object.keys(nodes)) assert.deepStrictEqual(nodes[name].networks, ["shards"])
  const { cap_drop, mem_limit, read_only, restart, security_opt, tmpfs, user } = main.services.postgres
  for (const name of workers) {
    assert.deepInclude(nodes[name], { cap_drop, mem_limit, read_only, restart, security_opt, tmpfs, user }, name)
    assert.isUndefined(nodes[name].ports)
  }
})
