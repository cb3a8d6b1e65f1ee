import type { IncomingMessage, ServerResponse } from "node:http"
import { json } from "node:stream/consumers"
import { serveListener } from "@care/service-kit/testing"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Console, Effect, Exit } from "effect"
import { runCare } from "./runCare.ts"

const rows = 2500
const rowsAStep = 1000

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
      nextCursor: next
    }
  }
  return async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === "GET") {
      const { searchParams } = new URL(request.url ?? "", "http://gateway")
      return response.end(JSON.stringify(keysAfter(Number(searchParams.get("cursor") ?? 0))))
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

/** Runs a command of keys against a gateway, and returns what it printed. */
const runAt = (url: string) =>
  Effect.fnUntraced(function* (...parameters: ReadonlyArray<string>) {
    const [out, err]: [Array<string>, Array<string>] = [[], []]
    const written: Console.Console = Object.assign(Object.create(console), {
      log: (line: string) => out.push(line),
      error: (line: string) => err.push(line)
    })
    const exit = yield* runCare(["keys", ...parameters]).pipe(
      Effect.provide(NodeServices.layer),
      Effect.provideService(
        ConfigProvider.ConfigProvider,
        ConfigProvider.fromEnvRecord({ CARE_URL: url, ADMIN_TOKEN: "token" })
      ),
      Effect.provideService(Console.Console, written),
      Effect.exit
    )
    return { isDone: Exit.isSuccess(exit), out: out.join("\n"), err }
  })

it.live("care keys rotate shows how far it is, and what broke off goes on when it is run again", () =>
  Effect.gen(function* () {
    const { url } = yield* serveListener(makeGateway())
    const run = runAt(url)
    const progress = (checked: number, rotated: number) => `${checked} rows looked at, ${rotated} sealed anew`
    const counted = ["1000 rows counted", "2000 rows counted"]

    const broken = yield* run("rotate")
    assert.isFalse(broken.isDone)
    assert.deepStrictEqual(broken.err, [progress(1000, 1000), progress(2000, 2000), "Service unavailable: Ask again."])
    const status = yield* run("status")
    assert.match(status.out, /^cases +k1 +false +500$/m)
    assert.deepStrictEqual(status.err, counted)

    const resumed = yield* run("rotate")
    assert.isTrue(resumed.isDone)
    assert.deepStrictEqual(resumed.err, [
      progress(1000, 0),
      progress(2000, 0),
      progress(2500, 500),
      ...counted,
      "The other keys seal nothing any more: take them out of PHI_KEY."
    ])
    assert.match(resumed.out, /^cases +k1 +false +0$/m)
    assert.deepStrictEqual(JSON.parse((yield* run("status", "--json")).out).data[1], {
      ...{ service: "cases", keyId: "k1", isSealing: false, rows: 0 }
    })
  }).pipe(Effect.scoped)
)

it.live("care keys rotate fails while something is sealed with another key: that key has to stay", () =>
  Effect.gen(function* () {
    const { url } = yield* serveListener(makeGateway([7]))
    yield* runAt(url)("rotate")
    const { isDone, out, err } = yield* runAt(url)("rotate")
    assert.isFalse(isDone)
    assert.match(out, /^cases +k1 +false +1$/m)
    assert.strictEqual(
      err.at(-1),
      "Something is sealed with another key still: run this again, and see the logs if that does not help."
    )
  }).pipe(Effect.scoped)
)

it.live("care keys rotate with one key tells of no other", () =>
  Effect.gen(function* () {
    const { url } = yield* serveListener(({ method }: IncomingMessage, response: ServerResponse) => {
      const data = [{ service: "cases", keyId: "k1", isSealing: true, rows: 7 }]
      const answer = method === "GET" ? { data, nextCursor: null } : { checked: 7, rotated: 0, next: null }
      response.end(JSON.stringify(answer))
    })
    const { isDone, err } = yield* runAt(url)("rotate")
    assert.isTrue(isDone)
    assert.deepStrictEqual(err, ["7 rows looked at, 0 sealed anew", "PHI_KEY has one key, which seals everything."])
  }).pipe(Effect.scoped)
)
