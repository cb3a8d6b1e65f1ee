import type { IncomingMessage, ServerResponse } from "node:http"
import { json } from "node:stream/consumers"
import { serveListener } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { runAt } from "../test/runAt.ts"

const rows = 2500
const rowsAStep = 1000

const cursorOf = (position: object) => Buffer.from(JSON.stringify(position)).toString("base64url")
const positionOf = (cursor: string | null) =>
  cursor === null ? 0 : Number(JSON.parse(Buffer.from(cursor, "base64url").toString()).cases)

/** A gateway with pages of a thousand rows, which hangs up once at the third step of a rotation. */
const makeGateway = (stuck: ReadonlyArray<number> = []) => {
  const sealedBefore = new Set(Array.from({ length: rows }, (_, row) => row))
  let steps = 0
  const lookAt = (from: number) => ({
    looked: Array.from({ length: Math.min(rowsAStep, rows - from) }, (_, index) => from + index),
    next: from + rowsAStep < rows ? String(from + rowsAStep) : null
  })
  const step = (from: number) => {
    const { looked, next } = lookAt(from)
    const rotated = looked.filter((row) => !stuck.includes(row) && sealedBefore.delete(row)).length
    return { checked: looked.length, rotated, next: next === null ? null : { cases: next } }
  }
  const keysAfter = (from: number) => {
    const { looked, next } = lookAt(from)
    const old = looked.filter((row) => sealedBefore.has(row)).length
    return {
      data: [
        { service: "cases", keyId: "k2", isSealing: true, rows: looked.length - old },
        { service: "cases", keyId: "k1", isSealing: false, rows: old }
      ],
      nextCursor: next === null ? null : cursorOf({ cases: next })
    }
  }
  return async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === "GET") {
      const { searchParams } = new URL(request.url ?? "", "http://gateway")
      return response.end(JSON.stringify(keysAfter(positionOf(searchParams.get("cursor")))))
    }
    const body = Object(await json(request))
    steps += 1
    if (steps === 3) {
      response.statusCode = 503
      return response.end(JSON.stringify({ title: "Service unavailable", detail: "Ask again." }))
    }
    return response.end(JSON.stringify(step(Number(body.from?.cases ?? 0))))
  }
}

it.live("care keys rotate shows its progress, and continues an interrupted rotation when it is run again", () =>
  Effect.gen(function* () {
    const { url } = yield* serveListener(makeGateway())
    const rotate = () => runAt(url, ["keys", "rotate"])
    const progress = (checked: number, rotated: number) => `1 of 2, ${checked} rows checked, ${rotated} encrypted again`
    const counted = ["1000 rows counted", "2000 rows counted"]

    const broken = yield* rotate()
    assert.isFalse(broken.isSuccess)
    assert.deepStrictEqual(broken.err, [
      progress(1000, 1000),
      progress(2000, 2000),
      "Service unavailable: Ask again. (status 503)"
    ])
    const status = yield* runAt(url, ["keys", "status"])
    assert.match(status.out, /^cases +k1 +false +500$/m)
    assert.deepStrictEqual(status.err, counted)

    const resumed = yield* rotate()
    assert.isTrue(resumed.isSuccess)
    assert.deepStrictEqual(resumed.err, [
      progress(1000, 0),
      progress(2000, 0),
      progress(2500, 500),
      ...counted.map((line) => `2 of 2, ${line}`),
      "The other keys are not used any more: remove them from PHI_KEY."
    ])
    assert.match(resumed.out, /^cases +k1 +false +0$/m)
    assert.deepStrictEqual(JSON.parse((yield* runAt(url, ["keys", "status", "--json"])).out).data[1], {
      ...{ service: "cases", keyId: "k1", isSealing: false, rows: 0 }
    })
  }).pipe(Effect.scoped)
)

it.live("care keys rotate fails while rows are sealed with another key, which has to stay configured", () =>
  Effect.gen(function* () {
    const { url } = yield* serveListener(makeGateway([7]))
    yield* runAt(url, ["keys", "rotate"])
    const { isSuccess, out, err } = yield* runAt(url, ["keys", "rotate"])
    assert.isFalse(isSuccess)
    assert.match(out, /^cases +k1 +false +1$/m)
    assert.strictEqual(
      err.at(-1),
      "Some rows are still encrypted with another key (cases 1 with k1): run this again, and see the logs if that does not help."
    )
  }).pipe(Effect.scoped)
)

it.live("care keys rotate with one key mentions no other", () =>
  Effect.gen(function* () {
    const { url } = yield* serveListener(({ method }: IncomingMessage, response: ServerResponse) => {
      const data = [{ service: "cases", keyId: "k1", isSealing: true, rows: 7 }]
      const answer = method === "GET" ? { data, nextCursor: null } : { checked: 7, rotated: 0, next: null }
      response.end(JSON.stringify(answer))
    })
    const { isSuccess, err } = yield* runAt(url, ["keys", "rotate"])
    assert.isTrue(isSuccess)
    assert.deepStrictEqual(err, [
      "1 of 2, 7 rows checked, 0 encrypted again",
      "PHI_KEY has one key, which encrypts everything."
    ])
  }).pipe(Effect.scoped)
)
