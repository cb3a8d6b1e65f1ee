import { randomUUID } from "node:crypto"
import { callers } from "@care/domain/http"
import { ApiKeyId, OrganizationId, platformId, UserId } from "@care/domain/ids"
import { IdentityTokens, identityHeader, makeStaffToken } from "@care/service-kit"
import { layerTestConfig } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ask } from "../testing/requests.ts"
import { runGateway } from "../testing/runGateway.ts"
import { answerLength, type KnownStaff, keys, resolveTestKey } from "../testing/Upstream.ts"
import type { KnownCaller } from "./Callers.ts"
import { refusalOfKey } from "./refusalOfKey.ts"

const live = OrganizationId.make(randomUUID())
const sandbox = OrganizationId.make(randomUUID())

const identityOf = (token: unknown) =>
  Effect.flatMap(IdentityTokens, (tokens) => tokens.verify(String(token))).pipe(
    Effect.provide(IdentityTokens.layer.pipe(Layer.provide(layerTestConfig())))
  )

const runWithStaff = Effect.gen(function* () {
  const known: KnownStaff = { sessions: new Map(), owners: new Map() }
  const tokens: Array<unknown> = []
  const { url } = yield* runGateway({
    staff: known,
    handle: (request, response) => {
      tokens.push(request.headers[identityHeader])
      answerLength(request, response)
    }
  })
  const userId = UserId.make(randomUUID())
  const signIn = (changes: object) => {
    const token = makeStaffToken("c1")
    known.sessions.set(token, {
      sessionId: randomUUID(),
      userId,
      organizationId: live,
      role: "ADMIN",
      state: "ACTIVE",
      steppedUpAt: new Date().toISOString(),
      expiresAt: new Date(Date.now() + 600_000).toISOString(),
      ...changes
    })
    return token
  }
  const send = (token: string, mode: string | undefined, path: string, method = "GET") =>
    ask(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(mode !== undefined && { "care-mode": mode }) }
    })
  return { known, send, signIn, tokens, userId }
})

const products = (organizationId: string) => `/admin/v1/organizations/${organizationId}/products`

it.live("a key of a sandbox says so in the identity of its requests, and no other does", () =>
  Effect.gen(function* () {
    for (const [options, isTest] of [
      [{ resolveKey: resolveTestKey }, true],
      [{}, undefined]
    ] as const) {
      const received: Array<unknown> = []
      const { url } = yield* runGateway({
        ...options,
        handle: (request, response) => {
          received.push(request.headers[identityHeader])
          answerLength(request, response)
        }
      })
      assert.strictEqual((yield* ask(`${url}/api/v1/users/me`, { key: keys.one })).status, 200)
      const identity = yield* identityOf(received[0])
      assert.strictEqual(identity?._tag === "partner" ? identity.isTest : null, isTest)
    }
  })
)

it.live(
  "a member works in the sandbox with care-mode: test, under their own id, and in the live organization without",
  () =>
    Effect.gen(function* () {
      const { send, signIn, tokens, userId } = yield* runWithStaff
      const token = signIn({ sandboxId: sandbox })
      assert.strictEqual((yield* send(token, "test", products(sandbox))).status, 200)
      const inSandbox = { userId, organizationId: sandbox, role: "ADMIN", isTest: true } as const
      assert.deepInclude(yield* identityOf(tokens[0]), inSandbox)
      for (const mode of ["live", undefined]) {
        tokens.length = 0
        assert.strictEqual((yield* send(token, mode, products(live))).status, 200)
        const identity = yield* identityOf(tokens[0])
        assert.deepInclude(identity, { userId, organizationId: live })
        assert.notProperty(identity, "isTest")
      }
      tokens.length = 0
      for (const [mode, id] of [
        ["test", live],
        ["live", sandbox]
      ] as const) {
        assert.strictEqual((yield* send(token, mode, products(id))).status, 404, mode)
      }
      assert.deepStrictEqual(tokens, [])
    })
)

it.live("there is no test mode without a sandbox, for operators, or by another name", () =>
  Effect.gen(function* () {
    const { send, signIn, tokens } = yield* runWithStaff
    const refused = Effect.fnUntraced(function* (token: string, mode: string) {
      const { json, status } = yield* send(token, mode, products(live))
      return [status, json?.detail]
    })
    assert.deepStrictEqual(yield* refused(signIn({}), "test"), [
      403,
      "Your organization has no sandbox yet. Issue a test key first, which makes it."
    ])
    const operator = signIn({ role: "OPERATOR", organizationId: platformId })
    assert.strictEqual((yield* refused(operator, "test"))[0], 403)
    const [status, detail] = yield* refused(signIn({ sandboxId: sandbox }), "TEST")
    assert.strictEqual(status, 400)
    assert.include(String(detail), "must be live or test")
    assert.deepStrictEqual(tokens, [])
  })
)

it.live("a sandbox is known as soon as the first test key made it", () =>
  Effect.gen(function* () {
    const { known, send, signIn } = yield* runWithStaff
    const token = signIn({})
    assert.strictEqual((yield* send(token, undefined, products(live))).status, 200)
    known.sessions.set(token, { ...known.sessions.get(token), sandboxId: sandbox })
    assert.strictEqual((yield* send(token, "test", products(sandbox))).status, 200)
  })
)

it.live("a sandbox's own member is in test mode always", () =>
  Effect.gen(function* () {
    const { send, signIn, tokens } = yield* runWithStaff
    const token = signIn({ organizationId: sandbox, isTest: true })
    for (const mode of ["test", undefined]) {
      tokens.length = 0
      assert.strictEqual((yield* send(token, mode, products(sandbox))).status, 200)
      assert.deepInclude(yield* identityOf(tokens[0]), { organizationId: sandbox, isTest: true })
    }
  })
)

it.live("a member of a live organization may change the keys of its sandbox, and not the other way round", () =>
  Effect.gen(function* () {
    const { known, send, signIn } = yield* runWithStaff
    const token = signIn({ sandboxId: sandbox })
    const [liveKey, testKey, otherKey] = [randomUUID(), randomUUID(), randomUUID()]
    known.owners.set(liveKey, live)
    known.owners.set(testKey, sandbox)
    known.owners.set(otherKey, randomUUID())
    const revoke = (mode: string, id: string) =>
      Effect.map(send(token, mode, `/admin/v1/api-keys/${id}`, "DELETE"), ({ status }) => status)
    assert.deepStrictEqual(
      [yield* revoke("live", liveKey), yield* revoke("live", testKey), yield* revoke("live", otherKey)],
      [200, 200, 404]
    )
    assert.deepStrictEqual([yield* revoke("test", testKey), yield* revoke("test", liveKey)], [200, 404])
  })
)

it("operations of sandboxes need a test key, and its scope", () => {
  const callerOf = (key: object, scopes?: KnownCaller["scopes"]) => ({
    identity: callers.partner.Identity.make({ organizationId: live, apiKeyId: ApiKeyId.make(randomUUID()), ...key }),
    scopes
  })
  const refusal = (key: object, scopes?: KnownCaller["scopes"]) => refusalOfKey(callerOf(key, scopes), "test")?.text
  const needed = "This operation needs a test key (cv_test_...)"
  assert.deepStrictEqual([refusal({}), refusal({}, ["test"])], [needed, needed])
  assert.deepStrictEqual(
    [refusal({ isTest: true }), refusal({ isTest: true }, ["test"]), refusal({ isTest: true }, ["cases:read"])],
    [undefined, undefined, "This key may not test"]
  )
  assert.isUndefined(refusalOfKey(callerOf({}), "cases:read"))
})
