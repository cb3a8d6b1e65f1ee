import { connection, untilClosed } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { secretKey, startStripe } from "../../test/stripe.ts"

const head = (length: number, headers: ReadonlyArray<string>) =>
  ["POST /v1/customers HTTP/1.1", "host: test", `content-length: ${length}`, ...headers, "", ""].join("\r\n")

it.live("an unknown caller is refused before the body arrives", () =>
  Effect.gen(function* () {
    const { url } = yield* startStripe()
    const socket = yield* connection(url)
    socket.write(head(1_000_000, ["connection: close"]))
    assert.match(yield* Effect.timeout(untilClosed(socket), "10 seconds"), /^HTTP\/1\.1 401 /)
  }).pipe(Effect.scoped)
)

it.live("a body that is too large is refused, and the next request is answered", () =>
  Effect.gen(function* () {
    const { url } = yield* startStripe()
    const post = (body: string) =>
      Effect.promise(async () => {
        const headers = { authorization: `Bearer ${secretKey}` }
        return (await fetch(`${url}/v1/customers`, { method: "POST", headers, body })).status
      })
    const statuses = yield* Effect.forEach([`name=${"x".repeat(10_000_000)}`, "name=Maria"], post)
    assert.deepStrictEqual(statuses, [413, 200])
  }).pipe(Effect.scoped)
)
