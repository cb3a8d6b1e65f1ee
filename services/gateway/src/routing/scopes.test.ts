import { Scope } from "@care/domain/auth"
import { encodeError, ScopeMissing } from "@care/domain/http"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask } from "../testing/requests.ts"
import { runGateway } from "../testing/runGateway.ts"
import { keys, resolveScopedKey } from "../testing/Upstream.ts"
import { plainEndpoints, sharedPaths } from "./routes.ts"

const id = "3b241101-e2bb-4255-8caf-4136c566a962"

const operations = [
  ...plainEndpoints.filter(({ caller }) => caller === "partner").map((route) => ({ route, path: route.endpoint.path })),
  ...sharedPaths.flatMap(({ actions, endpoint }) =>
    Array.from(actions.values(), (route) => ({ route, path: endpoint.path }))
  )
]

const askWith = (url: string, { path, route }: (typeof operations)[number]) =>
  ask(`${url}${path.replaceAll(/:\w+/g, id)}`, {
    method: route.endpoint.method,
    key: keys.one,
    ...(route.endpoint.method !== "GET" && { body: JSON.stringify({ action: route.action }) })
  })

for (const scope of Scope.literals) {
  const ofScope = operations.filter(({ route }) => route.scope === scope)
  const others = Scope.literals.filter((other) => other !== scope)

  it.live(`a key without ${scope} is refused before anything is forwarded, and one with it alone is not`, () =>
    Effect.gen(function* () {
      const refusing = yield* runGateway({ resolveKey: resolveScopedKey(others) })
      const accepting = yield* runGateway({ resolveKey: resolveScopedKey([scope]) })
      for (const operation of ofScope) {
        const { endpoint } = operation.route
        const { json, status } = yield* askWith(refusing.url, operation)
        const expected = encodeError(endpoint, new ScopeMissing({ scope }))
        assert.deepStrictEqual([endpoint.identifier, status, json], [endpoint.identifier, 403, expected?.body])
        assert.include(JSON.stringify(json), `This key may not ${scope}`)
        assert.notStrictEqual((yield* askWith(accepting.url, operation)).status, 403, endpoint.identifier)
      }
      assert.deepStrictEqual(refusing.targets, [])
    })
  )
}

it("every operation of partners needs a scope", () => {
  assert.isAtLeast(operations.length, 40)
  assert.deepStrictEqual(
    operations.filter(({ route }) => route.scope === undefined).map(({ path }) => path),
    []
  )
})
