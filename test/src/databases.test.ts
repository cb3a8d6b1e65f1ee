import { services } from "@care/sandbox"
import { assert } from "@effect/vitest"
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
})
