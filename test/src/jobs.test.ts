import { randomUUID } from "node:crypto"
import type { ServiceName } from "@care/domain/peers"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { failedPayment } from "./harness/failedPayment.ts"
import { makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

testsOn(Suite.layer, "jobs", (it) => {
  const metricsOf = (service: ServiceName) =>
    Effect.flatMap(Suite, ({ urls }) => Effect.promise(async () => (await fetch(`${urls[service]}/metrics`)).text()))

  it("a failed job is shown to the operator, who repeats it once its cause is repaired", function* () {
    const clinic = yield* makeClinic
    const { description, job, repair, requestId } = yield* failedPayment(clinic)
    assert.deepInclude(job, { service: "cases", state: "failed", attempts: 1, requestId })
    assert.strictEqual(job.lastFailure, "Its payload has version 7, and this process knows version 1")
    assert.notInclude(JSON.stringify(job), description)
    const { output } = yield* Suite
    const logs = output.join("\n")
    for (const text of ["A job was dead-lettered: unreadable", job.id, requestId]) assert.include(logs, text)
    const metrics = yield* metricsOf("cases")
    assert.include(metrics, 'jobs{mode="live",queue="payment-recording",state="failed"} 1')
    assert.include(metrics, 'jobs_dead_lettered_total{queue="payment-recording",reason="unreadable"} 1')

    yield* repair
    const retried = yield* admin("POST", `/jobs/${job.id}/retry`)
    assert.strictEqual(retried.status, 200)
    assert.deepInclude(retried.json, { id: job.id, service: "cases", attempts: 0, endedAt: null })
    yield* jobsDone("cases", "payment-recording")
    const recorded = yield* inDatabase(
      "payments",
      (sql) => sql`SELECT id FROM payments.payments WHERE organization_id = ${clinic.organizationId}`
    )
    assert.lengthOf(recorded, 1)
    assert.include(yield* metricsOf("cases"), 'jobs{mode="live",queue="payment-recording",state="failed"} 0')

    const repeated = yield* admin("POST", `/jobs/${job.id}/retry`)
    assert.deepStrictEqual([repeated.status, repeated.json.title], [409, "The job did not fail"])
    const unknown = yield* admin("POST", `/jobs/${randomUUID()}/retry`)
    assert.deepStrictEqual([unknown.status, unknown.json.title], [404, "Job not found"])
  })

  it("every service has jobs, and counts them", function* () {
    const services: Array<ServiceName> = ["auth", "cases", "payments", "scheduling"]
    const listed = yield* until(admin("GET", "/jobs?queue=cleanup"), ({ json }) => json.data.length === 4)
    assert.sameMembers(
      listed.json.data.map(({ service }: { readonly service: string }) => service),
      services
    )
    for (const service of services) {
      assert.include(yield* metricsOf(service), 'jobs_overdue_seconds{mode="live",queue="cleanup"}')
    }
  })
})
