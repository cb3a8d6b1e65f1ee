import { Care } from "@care/client"
import { runScenario, type ScenarioProgress, scenarios } from "@care/scenarios"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { admin, call } from "./harness/call.ts"
import { addEndpoint } from "./harness/endpoints.ts"
import { makeClinic, makeSandbox } from "./harness/fixtures.ts"
import { receiveEvents } from "./harness/receiveEvents.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

// A suite of their own: appointments take the first open slots of the calendar, which other files count on.
testsOn(Suite.layer, "scenarios", (it) => {
  const newSandbox = Effect.gen(function* () {
    const sandbox = yield* makeSandbox(yield* makeClinic)
    yield* admin("POST", `/organizations/${sandbox.organizationId}/products`, { name: "Tirzepatide program" })
    return sandbox
  })

  for (const [name, scenario] of scenarios) {
    it(`${name}: each step has the status that it expects, and the endpoint receives the events in order`, function* () {
      const { urls } = yield* Suite
      const sandbox = yield* newSandbox
      const receiver = yield* receiveEvents
      const { secret } = yield* addEndpoint(sandbox, { url: receiver.url })
      const steps: Array<ScenarioProgress> = []
      const care = new Care({ apiKey: sandbox.key, baseUrl: urls.gateway })
      const caseId = yield* runScenario(care, scenario, (progress) => Effect.sync(() => steps.push(progress)))
      assert.lengthOf(steps, scenario.steps.length)
      const expected = scenario.steps.flatMap(({ events = [] }) => events)
      yield* receiver.arrived(expected.length)
      const received = receiver.received.map(({ body, headers }) => new Webhook(secret).verify(body, headers))
      for (const event of received) assert.deepNestedInclude(event, { "data.caseId": caseId })
      assert.deepStrictEqual(
        receiver.received.map(({ body }) => JSON.parse(body).type),
        expected
      )
      const { json } = yield* call("GET", `/api/v1/events?caseId=${caseId}`, { key: sandbox.key })
      assert.deepStrictEqual(
        json.data.map(({ type }: { readonly type: string }) => type),
        expected
      )
    })
  }
})
