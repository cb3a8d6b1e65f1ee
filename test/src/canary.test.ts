import { text } from "node:stream/consumers"
import { answerLimits, rateLimits, rateLimitVariable } from "@care/domain/http"
import { services } from "@care/sandbox"
import { serveListener } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { contracts, internalContracts } from "../operations/contracts.ts"
import { call } from "./harness/call.ts"
import {
  containsMarker,
  healthMarker,
  organizationMarker,
  personMarkers,
  strayMarker
} from "./harness/canary/markers.ts"
import { organizationColumns, personColumns } from "./harness/canary/readableColumns.ts"
import { columnsWith, plantLeak, recordEveryRow, writtenTables } from "./harness/canary/recordEveryRow.ts"
import { sendInvalidRequests } from "./harness/canary/sendInvalidRequests.ts"
import { collector } from "./harness/collector.ts"
import { jobsDone } from "./harness/database.ts"
import { addEndpoint } from "./harness/endpoints.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { fixturesOf } from "./harness/fixturesOf.ts"
import { metricsOf } from "./harness/metricsOf.ts"
import { processNames, Suite } from "./harness/Suite.ts"
import { markedPatients, marks, sendMarkedRequests } from "./harness/sendMarkedRequests.ts"
import { until } from "./harness/until.ts"

// The refusals that say what they were sent.
const quoting = contracts.filter(({ entry }) => entry.quotes !== undefined).map(({ id }) => id)

// The tables that nothing is written to on the way, with the reason.
const unwritten: Readonly<Record<string, string>> = {
  "payments.answer_counts": "how often a promo code was asked for that nobody knows",
  "payments.deleted_customers": "ids of the gateway's customers of patients who were erased",
  ...Object.fromEntries(
    services.flatMap((service) => [
      ...["audit_records", "audit_shown", "audit_links", "audit_unlinked"].map((table) => [
        `${service}.${table}`,
        "the audit of version 1"
      ]),
      [`${service}.audit_entry_cases`, "ids of what a list of several cases showed"],
      [`${service}.audit_checkpoints`, "the state of chains when a month ended"],
      [`${service}.idempotency_secrets`, "a secret of the service, made before any request"],
      [`${service}.test_organizations`, "the clocks of sandbox organizations"],
      [`${service}.secret_fingerprints`, "of secrets of the service, stored before any request"],
      ...["organization_moves", "organization_changes", "moved_idempotency_secrets"].map((table) => [
        `${service}.${table}`,
        "written while an organization moves to another cell"
      ])
    ])
  )
}

// The snapshots that services send each other are served beside their contracts.
const replicas = ["calendar-events", "cases", "organizations", "payments", "people"]

const planted = {
  text: "gartenrotschwanz",
  requestId: "3f1c9a52-7d0e-4b86-9c41-5e8f0a2b6d73",
  traceId: "4bf92f3577b34da6a3ce929d0e0e47c5"
}

it.live(
  "what is told of a patient is in no log, trace, metric, error or job, and of the database in the columns that are for it",
  () =>
    Effect.gen(function* () {
      const traces = yield* collector
      const webhooks: Array<string> = []
      const { url: receiver } = yield* serveListener(async (request, response) => {
        webhooks.push(JSON.stringify(request.headers), await text(request))
        response.writeHead(204).end()
      })
      const unlimited = [...Object.values(rateLimits), ...Object.values(answerLimits)].map((rule) => [
        rateLimitVariable(rule),
        "100000"
      ])
      const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: traces.url, ...Object.fromEntries(unlimited) }
      const { logs, metrics } = yield* Effect.gen(function* () {
        const { output, urls } = yield* Suite
        const tables = yield* recordEveryRow
        const clinic = yield* makeClinic
        yield* addEndpoint(clinic, { url: `${receiver}/${organizationMarker}` })
        // Cases ask for providers when a case waits for one, and knows of none.
        yield* createCase(clinic, caseBody(clinic))
        yield* jobsDone("cases", "assignment")
        const fixtures = yield* fixturesOf(clinic, markedPatients())
        const accepted = yield* sendMarkedRequests(clinic, fixtures, marks)
        // Whose end scheduling is told.
        const { caseId } = yield* Effect.promise(() => fixtures.calendarEvent())
        // The chains of the audit are written some time after what they are about.
        yield* until(writtenTables, (written) =>
          tables.every((table) => written.includes(table) || Object.hasOwn(unwritten, table))
        )

        yield* plantLeak(planted.text)
        assert.deepStrictEqual(
          yield* columnsWith(planted.text),
          [
            ...services.map((service) => `${service}.idempotency_keys.answer`),
            ...services.map((service) => `${service}.jobs.last_failure`),
            ...services.map((service) => `${service}.jobs.payload`),
            ...services.map((service) => `${service}.jobs.request_id`)
          ].sort()
        )
        assert.deepStrictEqual(yield* columnsWith(healthMarker), [])
        for (const name of personMarkers)
          assert.includeMembers(Object.keys(personColumns), [...(yield* columnsWith(name))])
        const ofOwn = yield* columnsWith(organizationMarker)
        assert.isAbove(ofOwn.length, 20)
        assert.includeMembers(Object.keys(organizationColumns), [...ofOwn])

        const refused = yield* sendInvalidRequests(accepted, clinic)
        assert.isAbove(refused.length, 1000)
        const quoted = refused.filter(({ body }) => containsMarker(body, strayMarker)).map(({ id }) => id)
        assert.sameMembers([...new Set(quoted)], quoting)
        assert.deepStrictEqual(
          refused.filter(({ status }) => status >= 500),
          []
        )
        assert.includeMembers(Object.keys({ ...personColumns, ...organizationColumns }), [
          ...(yield* columnsWith(strayMarker))
        ])

        const closed = yield* call("POST", `/api/v1/cases/${caseId}`, {
          key: clinic.key,
          body: { action: "CHANGE_CASE_STATUS", status: "CLOSE", reason: healthMarker }
        })
        assert.strictEqual(closed.status, 200)
        yield* until(
          Effect.sync(() => webhooks.join()),
          (sent) => ["case.created", "case.closed"].every((type) => sent.includes(type)) && sent.includes(caseId)
        )
        const headers = {
          "x-request-id": planted.requestId,
          traceparent: `00-${planted.traceId}-00f067aa0ba902b7-01`
        }
        yield* call("GET", `/api/v1/customer-case-detail?caseId=${caseId}`, { key: clinic.key, headers })
        return { logs: output, metrics: yield* Effect.forEach(processNames, (name) => metricsOf(urls[name])) }
      }).pipe(
        // When the suite has stopped, everything is written and exported.
        Effect.provide(Suite.layerWith(settings))
      )
      const places = {
        logs: logs.join("\n"),
        metrics: metrics.join("\n"),
        // Without the times of spans: the digits of the telephone number would be in one of them by chance.
        traces: traces.exports.join("\n").replaceAll(/"\w*UnixNano":"\d+"/gi, ""),
        webhooks: webhooks.join("\n")
      }
      assert.isTrue(containsMarker(places.logs, planted.requestId))
      assert.isTrue(containsMarker(places.metrics, "/api/v1/customer-case-detail"))
      assert.isTrue(containsMarker(places.traces, planted.traceId))
      // What the services tell each other came along on the way.
      const isReached = ({ path }: { readonly path: string }) => places.metrics.includes(`route="${path}"`)
      assert.deepStrictEqual(
        [
          ...internalContracts
            .filter((contract) => !isReached(contract) && contract.entry.unreached === undefined)
            .map(({ id }) => id),
          ...replicas.map((name) => `/internal/v1/snapshots/${name}`).filter((path) => !isReached({ path }))
        ],
        []
      )
      for (const [place, written] of Object.entries(places)) {
        for (const marker of [healthMarker, organizationMarker, strayMarker, ...personMarkers])
          assert.isFalse(containsMarker(written, marker), `${marker} in ${place}`)
      }
    }).pipe(Effect.scoped),
  240_000
)
