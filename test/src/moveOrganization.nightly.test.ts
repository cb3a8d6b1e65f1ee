import { spawn } from "node:child_process"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { cancelMove, moveOrganization } from "@care/cli"
import { serveListener } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { admin, call } from "./harness/call.ts"
import { checkLoad, kinds, makeClinicLoad, untilUsed, useClinic } from "./harness/clinicLoad.ts"
import { addEndpoint } from "./harness/endpoints.ts"
import { caseBody, createCase, makeSandbox } from "./harness/fixtures.ts"
import {
  digestsOf,
  layerMovingCells,
  makeMovingClinic,
  moverEnvironment,
  movesOf,
  moveWithoutWaits,
  OtherCell
} from "./harness/layerMovingCells.ts"
import { receiveEvents } from "./harness/receiveEvents.ts"
import { Suite } from "./harness/Suite.ts"
import { advance, clockOf, clockPath } from "./harness/testClock.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

interface Received {
  readonly id: string
  readonly caseId: string
  readonly sequence: number
}

const main = join(import.meta.dirname, "../../packages/cli/src/main.ts")

/** Runs `care org move` as a process, which is killed when it prints something. Returns its exit code, or null. */
const runMover = Effect.fnUntraced(function* (organizationId: string, deadly: string | undefined) {
  const env = { PATH: process.env["PATH"], ...(yield* moverEnvironment) }
  return yield* Effect.callback<{ readonly code: number | null; readonly errors: string }>((resume) => {
    const child = spawn(process.execPath, [main, "org", "move", organizationId, "--to", "c2"], { env })
    let errors = ""
    child.stderr.on("data", (part) => {
      errors += part
      if (deadly !== undefined && errors.includes(deadly)) child.kill("SIGKILL")
    })
    child.once("close", (code) => resume(Effect.succeed({ code, errors })))
    return Effect.sync(() => child.kill("SIGKILL"))
  })
})

testsOn(layerMovingCells, "the sandbox of an organization that moves", (it) => {
  it("moves with it while its clock moves, which goes on to its target in the new cell", function* () {
    const live = yield* makeMovingClinic
    const sandbox = yield* makeSandbox(live)
    const { key, organizationId } = sandbox
    const receiver = yield* receiveEvents
    receiver.answer.status = 500
    const { id } = yield* addEndpoint(sandbox, { url: receiver.url })
    yield* advance(key, { by: "P100D" })
    for (let cases = 0; cases < 10; cases += 1) yield* createCase(sandbox, caseBody(sandbox))
    const listed = Effect.map(
      call("GET", "/api/v1/cases", { key }),
      ({ json }): Array<{ readonly status: string }> => json.data
    )
    const before = yield* until(listed, (cases) => cases.every(({ status }) => status === "ASSIGNED"))
    assert.lengthOf(before, 10)
    const moving = yield* Effect.forkChild(advance(key, { by: "P30D" }))
    const begun = yield* until(clockOf(key), ({ json }) => json.data.advance !== null && json.data.advance.steps > 0)
    const { id: advanceId, target } = begun.json.data.advance
    const { code, errors } = yield* runMover(live.organizationId, undefined)
    assert.strictEqual(code, 0, errors)
    yield* Fiber.await(moving)
    for (const each of [live.organizationId, organizationId]) {
      const { json } = yield* admin("GET", `/organizations/${each}`)
      assert.strictEqual(json.cell, "c2")
      assert.deepStrictEqual(yield* digestsOf(yield* Suite, each), {})
    }
    const ended = yield* until(
      call("GET", `${clockPath}/advances/${advanceId}`, { key }),
      ({ json, status }) => status === 200 && json.data.state !== "MOVING"
    )
    assert.strictEqual(ended.json.data.state, "DONE")
    const { advance: none, now } = (yield* clockOf(key)).json.data
    assert.isNull(none)
    assert.isAtLeast(Date.parse(now), Date.parse(target))
    assert.sameDeepMembers(yield* listed, before)
    assert.strictEqual(
      (yield* call("GET", `/api/v1/webhook-endpoints/${id}`, { key })).json.data.disabledReason,
      "FAILING"
    )
    assert.strictEqual((yield* advance(key, { by: "P1D" })).status, 200)
  }, 180_000)
})

testsOn(layerMovingCells, "an organization that is used moves to another cell", (it) => {
  it("under load, there and back: only writes are refused, for seconds; nothing is lost or done twice, and no event is out of order", function* () {
    const received: Array<Received> = []
    const { url } = yield* serveListener((request, response) => {
      text(request).then((body) => {
        const { data } = JSON.parse(body)
        received.push({ id: String(request.headers["webhook-id"]), caseId: data.caseId, sequence: data.sequence })
        response.writeHead(204).end()
      })
    })
    const clinic = yield* makeMovingClinic
    yield* addEndpoint(clinic, { url })
    const [moving, other] = [yield* makeClinicLoad(clinic, 4), yield* makeClinicLoad(yield* makeMovingClinic, 40)]
    let isOver = false
    const load = yield* Effect.forkChild(
      Effect.all([useClinic(moving, kinds, () => isOver), useClinic(other, ["orders", "appointments"], () => isOver)], {
        concurrency: "unbounded"
      })
    )
    const moves = yield* movesOf(clinic.organizationId, () => Effect.void)
    yield* untilUsed(moving)
    for (const move of [moves.there, moves.back]) {
      const before = moving.refusedAt.length
      yield* moveOrganization(move)
      const refusedAt = moving.refusedAt.slice(before)
      const millis = Math.max(...refusedAt) - Math.min(...refusedAt)
      assert.isBelow(millis, 10_000)
      yield* untilUsed(moving)
    }
    isOver = true
    yield* Fiber.join(load)
    const errors = [yield* Suite, yield* OtherCell].flatMap(({ output }) => output.filter((line) => /ERROR/.test(line)))
    assert.deepStrictEqual(moving.failures, [], errors.join("\n").slice(0, 5000))
    assert.deepStrictEqual([other.failures, other.refusedAt], [[], []])
    assert.lengthOf(new Set(moving.caseIds), moving.caseIds.length)
    for (const each of [moving, other]) yield* checkLoad(each)
    for (const caseId of moving.caseIds) {
      const first = () => [
        ...new Map(received.filter((event) => event.caseId === caseId).map((event) => [event.id, event])).values()
      ]
      const missing = Effect.map(
        call("GET", `/api/v1/events?caseId=${caseId}&limit=100`, { key: clinic.key }),
        ({ json }) => {
          const ids: ReadonlyArray<string> = json.data.map(({ id }: { readonly id: string }) => id)
          return [...new Set(ids).symmetricDifference(new Set(first().map(({ id }) => id)))]
        }
      )
      yield* until(missing, ({ length }) => length === 0)
      const sequences = first().map(({ sequence }) => sequence)
      assert.deepStrictEqual(
        sequences,
        sequences.toSorted((a, b) => a - b),
        caseId
      )
      assert.lengthOf(new Set(sequences), sequences.length)
    }
  }, 300_000)

  for (const phase of [
    "Copying ",
    "cases.cases: ",
    "Waiting for jobs",
    "Writes are refused",
    "The cell c2 gets it",
    "The organization is in",
    "The audit is in"
  ]) {
    it(`a mover that ends at "${phase}" is started again and goes on`, function* () {
      const clinic = yield* makeMovingClinic
      const { json } = yield* createCase(clinic, caseBody(clinic))
      const detail = call("GET", `/api/v1/customer-case-detail?caseId=${json.data.caseId}`, { key: clinic.key })
      const before = (yield* detail).json
      let isFirst = true
      const { there } = yield* movesOf(clinic.organizationId, (step) =>
        Effect.suspend(() => {
          if (!isFirst || !step.startsWith(phase)) return Effect.void
          isFirst = false
          return Effect.die(new Error("The mover ends"))
        })
      )
      assert.strictEqual((yield* Effect.exit(moveWithoutWaits(there)))._tag, "Failure")
      assert.deepStrictEqual((yield* detail).json, before)
      yield* moveWithoutWaits(there)
      assert.deepStrictEqual((yield* detail).json, before)
      assert.strictEqual((yield* createCase(clinic, caseBody(clinic))).status, 200)
    }, 120_000)
  }

  it("a mover that is killed at each step is started again and goes on, until no row is left", function* () {
    const clinic = yield* makeMovingClinic
    const { json } = yield* createCase(clinic, caseBody(clinic))
    const detail = call("GET", `/api/v1/customer-case-detail?caseId=${json.data.caseId}`, { key: clinic.key })
    const before = (yield* detail).json
    for (const deadly of [
      "cases.cases: ",
      "Writes are refused",
      "The cell c2 gets it",
      "its audit follows",
      "is removed"
    ]) {
      // PostgreSQL has not always noticed at once that the one before is gone.
      const { code, errors } = yield* until(
        runMover(clinic.organizationId, deadly),
        (ended) => !ended.errors.includes("Another care org move")
      )
      assert.isNull(code, errors)
      assert.include(errors, deadly)
      assert.deepStrictEqual((yield* detail).json, before)
    }
    const { code, errors } = yield* until(
      runMover(clinic.organizationId, undefined),
      (ended) => !ended.errors.includes("Another care org move")
    )
    assert.strictEqual(code, 0, errors)
    assert.deepStrictEqual((yield* detail).json, before)
    assert.deepStrictEqual(yield* digestsOf(yield* Suite, clinic.organizationId), {})
    assert.strictEqual((yield* createCase(clinic, caseBody(clinic))).status, 200)
  }, 120_000)

  for (const phase of ["cases.cases: ", "Writes are refused"]) {
    it(`a move that is given up at "${phase}" leaves everything as it was`, function* () {
      const clinic = yield* makeMovingClinic
      const { json } = yield* createCase(clinic, caseBody(clinic))
      const detail = call("GET", `/api/v1/customer-case-detail?caseId=${json.data.caseId}`, { key: clinic.key })
      const before = (yield* detail).json
      const { there } = yield* movesOf(clinic.organizationId, (step) =>
        step.startsWith(phase) ? Effect.die(new Error("The mover ends")) : Effect.void
      )
      yield* Effect.exit(moveWithoutWaits(there))
      yield* cancelMove(there)
      assert.deepStrictEqual((yield* detail).json, before)
      assert.strictEqual((yield* createCase(clinic, caseBody(clinic))).status, 200)
    }, 120_000)
  }
})
