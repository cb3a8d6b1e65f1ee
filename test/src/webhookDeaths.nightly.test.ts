import { serveListener } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { call } from "./harness/call.ts"
import { addEndpoint } from "./harness/endpoints.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { killService } from "./harness/killService.ts"
import { layerProcesses } from "./harness/layerProcesses.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

testsOn(layerProcesses, "a process that is killed", (it) => {
  it("while it sends an event is replaced by another one, which sends it again with the same id within 26 seconds", function* () {
    const clinic = yield* makeClinic
    const receivedIds: Array<string> = []
    const { url } = yield* serveListener((request, response) => {
      receivedIds.push(String(request.headers["webhook-id"]))
      // Does not answer the first attempt, so that it is under way when its process is killed.
      if (receivedIds.length > 1) response.writeHead(204).end()
    })
    const { id } = yield* addEndpoint(clinic, { url })
    assert.strictEqual((yield* createCase(clinic, caseBody(clinic))).status, 200)
    const arrived = (count: number) =>
      until(
        Effect.sync(() => receivedIds.length),
        (length) => length >= count
      )
    yield* arrived(1)
    yield* killService("cases")
    const killed = yield* Clock.currentTimeMillis
    yield* arrived(2)
    assert.isBelow((yield* Clock.currentTimeMillis) - killed, 26_000)
    assert.strictEqual(new Set(receivedIds).size, 1)
    yield* until(
      call("GET", `/api/v1/webhook-endpoints/${id}/deliveries`, { key: clinic.key }),
      ({ json, status }) => status === 200 && json.data[0].status === "DELIVERED" && json.data[0].attempts.length === 1
    )
  })
})
