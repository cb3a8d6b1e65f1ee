import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask } from "../testing/requests.ts"
import { runGateway } from "../testing/runGateway.ts"
import { keys, resolveKeyOfNetworks } from "../testing/Upstream.ts"

it.live("a key works from its networks alone, behind trusted proxies too, and a refused request is not forwarded", () =>
  Effect.gen(function* () {
    const { targets, url } = yield* runGateway({
      resolveKey: resolveKeyOfNetworks(["192.0.2.0/24", "2001:db8::/32"]),
      environment: { TRUSTED_PROXIES: "127.0.0.0/8,::1" }
    })
    const askFrom = (address: string | undefined, path = "/api/v1/users/me") =>
      ask(`${url}${path}`, { key: keys.one, ...(address !== undefined && { headers: { "x-forwarded-for": address } }) })
    for (const address of ["192.0.2.7", "2001:db8::7", "198.51.100.7, 192.0.2.7", "::ffff:192.0.2.7"]) {
      assert.strictEqual((yield* askFrom(address)).status, 200, address)
    }
    const forwarded = targets.length
    for (const address of ["198.51.100.7", "192.0.2.7, 198.51.100.7", "2001:db9::7"]) {
      const { json, status } = yield* askFrom(address)
      const error = `This key may not be used from ${address.split(", ").at(-1)}`
      assert.deepStrictEqual([status, json], [403, { status: 403, error }])
    }
    assert.strictEqual((yield* askFrom(undefined)).status, 403)
    assert.strictEqual((yield* askFrom("198.51.100.7", "/api/v1/audit-records")).status, 403)
    assert.lengthOf(targets, forwarded)
  })
)
