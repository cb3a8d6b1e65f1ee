import { text } from "node:stream/consumers"
import { endpoints } from "@care/domain/endpoints"
import { answerLimits, rateLimits } from "@care/domain/http"
import { services } from "@care/sandbox"
import { serveListener } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { CallWatch, call, type Exchange } from "./harness/call.ts"
import { columnsWith, keepEveryRow, plant, writtenTables } from "./harness/canary/everyRow.ts"
import { markedClinic } from "./harness/canary/markedClinic.ts"
import { health, isIn, names, own, person, stray } from "./harness/canary/markers.ts"
import { misuse } from "./harness/canary/misuse.ts"
import { acceptedIn } from "./harness/canary/reach.ts"
import { ofOrganizations, ofPeople } from "./harness/canary/readable.ts"
import { tellTheRest } from "./harness/canary/tellTheRest.ts"
import { collector } from "./harness/collector.ts"
import { addEndpoint } from "./harness/endpoints.ts"
import { newPatient } from "./harness/fixtures.ts"
import { metricsOf } from "./harness/metricsOf.ts"
import { operations } from "./harness/operations.ts"
import { processNames, Suite } from "./harness/Suite.ts"
import { tellEverything } from "./harness/tellEverything.ts"
import { until } from "./harness/until.ts"

const noText = "takes ids, numbers and words of a list alone"

// The operations that no text of a person or an organization goes into, with the reason.
const takesNothing: Readonly<Record<string, string>> = {
  "signIn.refresh": "takes a token that we made",
  "signIn.signOut": "takes a token that we made",
  "users.me": "takes a token that we made",
  "documentLinks.download": "takes a link that we signed",
  ...Object.fromEntries(
    [
      "organizations.list",
      "organizations.get",
      "apiKeys.list",
      "apiKeys.revoke",
      "members.removeUser",
      "bundles.list",
      "bundles.get",
      "backOffice.case",
      "backOffice.assign",
      "backOffice.start",
      "backOffice.completeEscalation",
      "caseLists.comments",
      "caseLists.decisions",
      "caseLists.attachments",
      "caseLists.orders",
      "caseLists.escalations",
      "caseLists.formResponses",
      "caseLists.calendarEvents",
      "caseLists.activity",
      "adminPayments.list",
      "adminPayments.get",
      "adminPayments.capture",
      "adminPayments.release",
      "adminPayments.refund",
      "adminGatewayEvents.list",
      "adminPromoCodes.change",
      "availability.slots",
      "calendarActions.cancel",
      "jobs.retry",
      "webhookEndpoints.list",
      "webhookEndpoints.get",
      "webhookEndpoints.change",
      "webhookEndpoints.remove",
      "webhookEndpoints.rotateSecret",
      "webhookEndpoints.test",
      "webhookDeliveries.list",
      "webhookDeliveries.replay",
      "webhookDeliveries.replayRange",
      "webhookDeliveries.replayMissing",
      "webhookDeliveries.resend",
      "events.list",
      "auditRecords.list",
      "audit.list",
      "audit.heads",
      "audit.links",
      "audit.strays",
      "patientErasure.erase",
      "patientExport.export",
      "phiKeys.list",
      "phiKeys.rotate",
      "reconciliations.sweep",
      "usage.list"
    ].map((id) => [id, noText])
  )
}

// The refusals that say what they were sent.
const quotes: Readonly<Record<string, string>> = {
  "escalations.add": "the specification has the title and unknown fields in the text",
  "intake.createCase": "which promo code was not found, where there may be several"
}

// The tables that nothing is written to on the way, with the reason.
const unwritten: Readonly<Record<string, string>> = {
  "cases.own_events": "tests of endpoints, and that one was disabled",
  "payments.answer_counts": "how often a promo code was asked for that nobody knows",
  "payments.deleted_customers": "ids of the gateway's customers of patients who were erased",
  ...Object.fromEntries(
    services.flatMap((service) => [
      [`${service}.audit_shown`, "ids of what a list of several cases showed"],
      [`${service}.idempotency_secrets`, "a secret of the service, made before any request"]
    ])
  )
}

// What the services ask each other that need not be asked on the way, with what it takes.
const notAsked: Readonly<Record<string, string>> = {
  "notices.ofEndpoint": "the host of an endpoint that was disabled, and why",
  "directory.patientAddress": "ids, for an order without an address",
  "casePayments.shippingAddress": "ids, for an order without an address",
  "caseFacts.profileLock": "ids, for a profile whose locked fields change",
  "caseFacts.eraseInactive": "ids, for an erasure",
  "caseFacts.product": "ids, for a payment that names a product"
}

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
      const exchanges: Array<Exchange> = []
      const webhooks: Array<string> = []
      const { url: receiver } = yield* serveListener(async (request, response) => {
        webhooks.push(JSON.stringify(request.headers), await text(request))
        response.writeHead(204).end()
      })
      const unlimited = [...Object.values(rateLimits), ...Object.values(answerLimits)].map(({ name }) => [
        `RATE_LIMIT_${name}`,
        "100000"
      ])
      const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: traces.url, ...Object.fromEntries(unlimited) }
      const { logs, metrics } = yield* Effect.gen(function* () {
        const { output, urls } = yield* Suite
        const tables = yield* keepEveryRow
        const clinic = yield* markedClinic
        yield* addEndpoint(clinic, { url: `${receiver}/${own}` })
        const caseId = yield* tellEverything(clinic, health, { ...newPatient(), ...person })
        yield* tellTheRest(clinic, caseId)

        const accepted = acceptedIn(exchanges)
        const known = new Set([...accepted.keys(), ...Object.keys(takesNothing)])
        assert.deepStrictEqual(
          operations.map(({ id }) => id).filter((id) => !known.has(id)),
          [],
          "an operation took nothing that is marked: send it in tellTheRest.ts, or say here why there is nothing to send"
        )
        assert.includeMembers(
          operations.map(({ id }) => id),
          Object.keys(takesNothing)
        )
        // The chains of the audit are written some time after what they are about.
        yield* until(writtenTables, (written) =>
          tables.every((table) => written.includes(table) || Object.hasOwn(unwritten, table))
        )

        yield* plant(planted.text)
        assert.deepStrictEqual(
          yield* columnsWith(planted.text),
          [
            ...services.map((service) => `${service}.idempotency_keys.answer`),
            ...services.map((service) => `${service}.jobs.last_failure`),
            ...services.map((service) => `${service}.jobs.payload`),
            ...services.map((service) => `${service}.jobs.request_id`)
          ].sort()
        )
        assert.deepStrictEqual(yield* columnsWith(health), [])
        for (const name of names) assert.includeMembers(Object.keys(ofPeople), [...(yield* columnsWith(name))])
        const ofOwn = yield* columnsWith(own)
        assert.isAbove(ofOwn.length, 20)
        assert.includeMembers(Object.keys(ofOrganizations), [...ofOwn])

        const refused = yield* misuse(operations, accepted, clinic)
        assert.isAbove(refused.length, 1000)
        const quoting = refused.filter(({ said }) => isIn(said, stray))
        assert.sameMembers([...new Set(quoting.map(({ id }) => id))], Object.keys(quotes))
        assert.deepStrictEqual(
          refused.filter(({ status }) => status >= 500),
          []
        )
        assert.includeMembers(Object.keys({ ...ofPeople, ...ofOrganizations }), [...(yield* columnsWith(stray))])

        const closed = yield* call("POST", `/api/v1/cases/${caseId}`, {
          key: clinic.key,
          body: { action: "CHANGE_CASE_STATUS", status: "CLOSE", reason: health }
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
        Effect.provideService(CallWatch, (exchange) => exchanges.push(exchange)),
        // When the suite has stopped, everything is written and exported.
        Effect.provide(Suite.layerWith(settings))
      )
      const places = {
        logs: logs.join("\n"),
        metrics: metrics.join("\n"),
        traces: traces.exports.join("\n"),
        webhooks: webhooks.join("\n")
      }
      assert.isTrue(isIn(places.logs, planted.requestId))
      assert.isTrue(isIn(places.metrics, "/api/v1/customer-case-detail"))
      assert.isTrue(isIn(places.traces, planted.traceId))
      // What the services tell each other came along on the way.
      const internal = endpoints.filter(({ caller }) => caller === "service")
      const unreached = internal.filter(({ endpoint }) => !places.metrics.includes(`route="${endpoint.path}"`))
      const named = (asked: typeof internal) =>
        asked.map(({ endpoint, group }) => `${group.identifier}.${endpoint.identifier}`)
      assert.includeMembers(Object.keys(notAsked), named(unreached))
      assert.includeMembers(named(internal), Object.keys(notAsked))
      for (const [place, written] of Object.entries(places)) {
        for (const marker of [health, own, stray, ...names])
          assert.isFalse(isIn(written, marker), `${marker} in ${place}`)
      }
    }).pipe(Effect.scoped),
  120_000
)
