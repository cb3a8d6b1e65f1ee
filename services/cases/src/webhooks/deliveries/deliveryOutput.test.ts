import type { ServerResponse } from "node:http"
import { inspect } from "node:util"
import { until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Cause, Duration, Effect, Exit, Layer, Logger, Metric, Tracer } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import {
  layerStoredWebhooks,
  makeEndpoint,
  makeEventfulCase,
  newOrganization,
  readDeliveries,
  secret,
  serveReceiver,
  untilFirst
} from "../../../test/storedWebhooks.ts"
import { EndpointQueues } from "./EndpointQueues.ts"
import { makeDeliveryGauges } from "./makeDeliveryGauges.ts"

const lines: Array<string> = []
const spans: Array<Tracer.NativeSpan> = []
const layerOutput = Layer.merge(
  Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))]),
  Layer.succeed(
    Tracer.Tracer,
    Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
  )
)

const scrape = Effect.andThen(Effect.flatten(makeDeliveryGauges), PrometheusMetrics.format()).pipe(
  Effect.provideService(Metric.MetricRegistry, new Map())
)

layer(
  layerStoredWebhooks({ attempt: Duration.seconds(1), claim: Duration.seconds(3) }).pipe(
    Layer.provideMerge(layerOutput)
  ),
  { excludeTestServices: true }
)("the metrics, logs and traces of deliveries", (it) => {
  it.effect(
    "the metrics count waiting and paused deliveries, and failing and disabled endpoints but those of sandboxes",
    () =>
      Effect.gen(function* () {
        const organizationId = newOrganization()
        const sql = yield* SqlClient.SqlClient
        for (const line of ["deliveries_waiting 0", "deliveries_oldest_waiting_age_seconds 0", "deliveries_held 0"]) {
          assert.include(yield* scrape, `webhook_${line}`)
        }
        assert.include(yield* scrape, "webhook_events_oldest_unrelayed_age_seconds 0")
        const { url } = yield* serveReceiver((_, response) => void response.writeHead(500).end())
        const failing = yield* makeEndpoint(organizationId, url)
        const disabled = yield* makeEndpoint(organizationId, url, { isEnabled: false })
        const deleted = yield* makeEndpoint(organizationId, url, { isEnabled: false })
        yield* makeEventfulCase(organizationId)
        yield* untilFirst(organizationId, failing, ({ attempts }) => attempts > 0)
        yield* untilFirst(organizationId, disabled, () => true)
        yield* untilFirst(organizationId, deleted, () => true)
        yield* sql`DELETE FROM webhook_endpoints WHERE id = ${deleted}`
        yield* (yield* EndpointQueues).remove(organizationId, deleted)
        const age = (endpointId: string, hours: number) => sql`
          UPDATE webhook_deliveries SET created_at = now() - ${hours} * interval '1 hour' WHERE endpoint_id = ${endpointId}
        `
        yield* age(failing, 1)
        yield* age(disabled, 2)
        yield* age(deleted, 3)
        const sandboxId = newOrganization()
        yield* sql`INSERT INTO test_organizations (organization_id) VALUES (${sandboxId})`
        yield* makeEndpoint(sandboxId, url, { isEnabled: false })
        const failingInTest = yield* makeEndpoint(sandboxId, url)
        yield* sql`UPDATE webhook_endpoints SET failing_since = now() WHERE id = ${failingInTest}`
        const text = yield* scrape
        assert.match(text, /^webhook_deliveries_waiting 1$/m)
        assert.match(text, /^webhook_deliveries_held 1$/m)
        assert.match(text, /^webhook_deliveries_oldest_waiting_age_seconds 36\d\d/m)
        assert.match(text, /webhook_endpoints\{health="FAILING"\} 1/)
        assert.match(text, /webhook_endpoints\{health="DISABLED"\} 1/)
      })
  )

  it.effect(
    "the first attempt of a delivery is counted, by the time since its endpoint was enabled, and no second one",
    () =>
      Effect.gen(function* () {
        const organizationId = newOrganization()
        const sql = yield* SqlClient.SqlClient
        const { url } = yield* serveReceiver((_, response) => void response.writeHead(500).end())
        const endpointId = yield* makeEndpoint(organizationId, url, { isEnabled: false })
        yield* makeEventfulCase(organizationId)
        yield* untilFirst(organizationId, endpointId, () => true)
        const counted = Effect.map(PrometheusMetrics.format(), (text) =>
          ["30", "60", "+Inf"].map((bound) =>
            Number(
              text.split(`webhook_first_attempt_delay_seconds_bucket{mode="live",le="${bound}"} `)[1]?.split("\n")[0] ??
                0
            )
          )
        )
        const [soon = 0, later = 0, all = 0] = yield* counted
        yield* sql`UPDATE delivery_lanes SET due_at = now() - interval '1 hour' WHERE endpoint_id = ${endpointId}`
        yield* sql`
        UPDATE webhook_endpoints SET is_enabled = true, updated_at = now() - interval '40 seconds' WHERE id = ${endpointId}
      `
        const send = Effect.flatMap(EndpointQueues, (queues) => queues.refresh(organizationId, endpointId))
        yield* send
        yield* untilFirst(organizationId, endpointId, ({ attempts }) => attempts === 1)
        assert.deepStrictEqual(yield* counted, [soon, later + 1, all + 1])
        yield* sql`UPDATE webhook_deliveries SET next_attempt_at = now() WHERE endpoint_id = ${endpointId}`
        yield* sql`UPDATE delivery_lanes SET due_at = now() WHERE endpoint_id = ${endpointId}`
        yield* send
        yield* untilFirst(organizationId, endpointId, ({ attempts }) => attempts > 1)
        assert.deepStrictEqual(yield* counted, [soon, later + 1, all + 1])
        // Now the endpoint fails, and deliveries to it wait.
        yield* makeEventfulCase(organizationId)
        yield* until(readDeliveries(organizationId, endpointId), ({ length }) => length === 2)
        yield* send
        yield* until(readDeliveries(organizationId, endpointId), (all) => all.every(({ attempts }) => attempts > 0))
        assert.deepStrictEqual(yield* counted, [soon, later + 1, all + 1])
      })
  )

  it.effect("no URL, secret, event or answer is in logs, traces or metrics", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const sql = yield* SqlClient.SqlClient
      const answers = ["break off", "gone", "taken"] as const
      const bodies: Array<string> = []
      const endpointIds: Array<string> = []
      for (const answer of answers) {
        const { url } = yield* serveReceiver(({ body }, response: ServerResponse) => {
          bodies.push(body)
          if (answer === "break off") return void response.destroy()
          response.writeHead(answer === "gone" ? 410 : 200).end("Mr. Marked was answered")
        })
        endpointIds.push(yield* makeEndpoint(organizationId, `${url}?token=marked-token`))
      }
      const [failing = "", gone = "", accepted = ""] = endpointIds
      // Its URL does not open any more, which is logged, too.
      const broken = yield* makeEndpoint(organizationId, "http://127.0.0.1:9/marked-token")
      yield* sql`UPDATE webhook_endpoints SET url = secret WHERE id = ${broken}`
      const caseId = yield* makeEventfulCase(organizationId)
      yield* untilFirst(organizationId, accepted, ({ status }) => status === "DELIVERED")
      for (const id of [failing, gone]) yield* untilFirst(organizationId, id, ({ attempts }) => attempts > 0)
      const logged = (text: string) =>
        until(
          Effect.sync(() => lines.join("\n")),
          (all) => all.includes(text)
        )
      yield* logged("A webhook endpoint was disabled")
      yield* logged("Webhooks of an endpoint are sent later")
      const metrics = yield* scrape

      // Spans export the cause of a failure, but no result.
      const texts = spans.map(({ attributes, events, name, status }) =>
        [
          name,
          ...attributes.keys(),
          ...attributes.values(),
          inspect(events, { depth: 5 }),
          status._tag === "Ended" && Exit.isFailure(status.exit) ? Cause.pretty(status.exit.cause) : ""
        ].join()
      )
      const attempts = texts.filter((span) => span.startsWith("webhook attempt"))
      for (const id of endpointIds)
        assert.isTrue(
          attempts.some((span) => span.includes(id)),
          "a trace of each endpoint"
        )
      assert.isTrue(lines.some((line) => line.includes(gone)))
      assert.include(metrics, "webhook_endpoints")
      assert.isTrue(bodies.some((body) => body.includes(caseId)))
      const everything = [...lines, ...texts, metrics].join("\n")
      for (const hidden of [
        "marked-token",
        "events-of-cases",
        "127.0.0.1",
        "Mr. Marked",
        secret,
        secret.slice(6),
        "escalationId"
      ]) {
        assert.notInclude(everything, hidden)
      }
    })
  )
})
