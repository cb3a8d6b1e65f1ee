import { readFileSync } from "node:fs"
import { services } from "@care/sandbox"
import { assert } from "@effect/vitest"
import { inject } from "vitest"
import { inEveryDatabase } from "./harness/database.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

const hasFour = process.env["CARE_FOUR_DATABASES"] === "true"

testsOn(Suite.shared, "the databases of a suite", (it) => {
  it("are one for all services, or with CARE_FOUR_DATABASES one for each on a server of its own", function* () {
    const { databaseUrls } = yield* Suite
    const servers = new Set(Object.values(databaseUrls).map((url) => new URL(url).host))
    assert.strictEqual(servers.size, hasFour ? 4 : 1)
    const schemas = yield* inEveryDatabase(
      (sql, service) => sql<{ service: string; schema: string }>`
        SELECT ${service}::text AS service, nspname AS schema FROM pg_namespace
        WHERE nspname IN ${sql.in(services)} ORDER BY nspname
      `
    )
    const seen = (service: string) => (hasFour ? [service] : services)
    assert.deepStrictEqual(
      schemas,
      services.flatMap((service) => seen(service).map((schema) => ({ service, schema })))
    )
  })

  it("are reached through PgBouncer with CARE_POOLER, and without one otherwise", function* () {
    const pooler = inject("pooler")
    assert.strictEqual(pooler !== undefined, process.env["CARE_POOLER"] === "true")
    if (pooler === undefined) return
    const lines = readFileSync(pooler.log, "utf8").split("\n")
    const { databaseUrls } = yield* Suite
    for (const service of services) {
      const database = new URL(databaseUrls[service]).pathname.slice(1)
      const login = `: ${database}/care_care_template_${service}@`
      assert.isTrue(
        lines.some((line) => line.includes(login) && line.includes("login attempt")),
        service
      )
    }
  })
})
