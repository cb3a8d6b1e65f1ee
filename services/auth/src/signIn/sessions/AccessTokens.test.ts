import { createHash, createSecretKey, generateKeyPairSync } from "node:crypto"
import { OrganizationId, SessionId, UserId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from "jose"
import { AccessTokens } from "./AccessTokens.ts"

const [oldSecret, newSecret] = ["o".repeat(64), "n".repeat(64)]

const tokensWith = (secrets: string, environment: Readonly<Record<string, string>> = {}) =>
  Layer.fresh(AccessTokens.layer).pipe(
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ JWT_SECRET: secrets, ...environment })))
  )

const claims = {
  userId: UserId.make("6f1f2d0e-3a6b-4a53-9c3e-0d1f6a1b2c3d"),
  organizationId: OrganizationId.make("0b0e7c35-6b1d-4a7e-8f2c-9a8b7c6d5e4f"),
  type: "patient-portal",
  role: "USER",
  organizationAccessRole: "USER"
} as const

const sessionId = SessionId.make("5c1f0a52-8d6e-4e0e-9b59-2f0a5f0f6d11")
const verified = { ...claims, sessionId }

layer(tokensWith(newSecret))("AccessTokens", (it) => {
  const kid = createHash("sha256").update(newSecret).digest("hex").slice(0, 16)
  // A valid token, except for what a test changes.
  const forged = (changes: Readonly<Record<string, unknown>>, header: Readonly<Record<string, string>> = {}) =>
    new SignJWT({
      ...claims,
      jti: `${sessionId}.one`,
      iss: "partner-care-api",
      iat: 0,
      exp: 900,
      ...changes
    }).setProtectedHeader({
      alg: "HS512",
      kid,
      ...header
    })
  const signedWith = (token: SignJWT, key: Parameters<SignJWT["sign"]>[0]) => Effect.promise(() => token.sign(key))
  const key = createSecretKey(newSecret, "utf8")

  const refused = Effect.fnUntraced(function* (token: string, reason: string) {
    const tokens = yield* AccessTokens
    assert.strictEqual((yield* Effect.flip(tokens.verify(token)))._tag, "AccessTokenRejected", reason)
  })

  it.effect("verifies its own tokens: HS512 with the documented claims and nothing else", () =>
    Effect.gen(function* () {
      const tokens = yield* AccessTokens
      const token = yield* tokens.mint(verified)
      assert.deepStrictEqual(yield* tokens.verify(token), verified)
      assert.strictEqual(decodeProtectedHeader(token).alg, "HS512")
      const { exp = 0, iat = 0, iss, jti, ...others } = decodeJwt(token)
      assert.deepStrictEqual(others, { ...claims })
      assert.deepStrictEqual([iss, exp - iat], ["partner-care-api", 900])
      assert.notStrictEqual(decodeJwt(yield* tokens.mint(verified)).jti, jti)
    })
  )

  it.effect("a token lives 15 minutes, and not a second more", () =>
    Effect.gen(function* () {
      const tokens = yield* AccessTokens
      const token = yield* tokens.mint(verified)
      yield* TestClock.adjust("899 seconds")
      assert.deepStrictEqual(yield* tokens.verify(token), verified)
      yield* TestClock.adjust("1 seconds")
      yield* refused(token, "expired")
    })
  )

  it.effect("refuses every other algorithm, also with the right secret", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(0)
      const tokens = yield* AccessTokens
      assert.deepStrictEqual(yield* tokens.verify(yield* signedWith(forged({}), key)), verified)
      const unsigned = new UnsecuredJWT({
        ...claims,
        jti: `${sessionId}.one`,
        iss: "partner-care-api",
        iat: 0,
        exp: 900
      }).encode()
      yield* refused(unsigned, "none")
      yield* refused(yield* signedWith(forged({}, { alg: "HS256" }), key), "HS256")
      yield* refused(yield* signedWith(forged({}, { alg: "HS384" }), key), "HS384")
      const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
      yield* refused(yield* signedWith(forged({}, { alg: "RS256" }), privateKey), "RS256")
      yield* refused(yield* signedWith(forged({ jti: "one" }), key), "jti of no session")
    })
  )

  it.effect("refuses another type, issuer, key or secret, a missing claim, and what is no token", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(0)
      yield* refused(yield* signedWith(forged({ type: "staff-portal" }), key), "type")
      yield* refused(yield* signedWith(forged({ iss: "somebody" }), key), "issuer")
      yield* refused(yield* signedWith(forged({}, { kid: "unknown" }), key), "kid")
      yield* refused(yield* signedWith(forged({}), createSecretKey(oldSecret, "utf8")), "secret")
      yield* refused(yield* signedWith(forged({ userId: undefined }), key), "userId")
      yield* refused(yield* signedWith(forged({ exp: undefined }), key), "exp")
      yield* refused(yield* signedWith(forged({ jti: undefined }), key), "jti")
      for (const text of ["", "a", "a.b.c", `${"x".repeat(100_000)}.y.z`]) yield* refused(text, "no token")
    })
  )
})

layer(Layer.empty)("AccessTokens: cells", (it) => {
  it.effect("a token is refused by every other cell, also by one with the same secret", () =>
    Effect.gen(function* () {
      const minted = Effect.flatMap(AccessTokens, (tokens) => tokens.mint(verified))
      for (const [CELL, claimed] of [
        ["c1", undefined],
        ["c2", "c2"]
      ] as const) {
        const token = yield* Effect.provide(minted, tokensWith(newSecret, { CELL }))
        assert.strictEqual(decodeJwt(token)["cell"], claimed)
        const verify = Effect.flatMap(AccessTokens, (tokens) => tokens.verify(token))
        assert.deepStrictEqual(yield* Effect.provide(verify, tokensWith(newSecret, { CELL })), verified)
        for (const other of ["c1", "c2", "c3"].filter((name) => name !== CELL)) {
          const error = yield* Effect.flip(Effect.provide(verify, tokensWith(newSecret, { CELL: other })))
          assert.strictEqual(error._tag, "AccessTokenRejected")
        }
      }
    })
  )
})

layer(Layer.empty)("AccessTokens: rotation of the secret", (it) => {
  const mint = Effect.flatMap(AccessTokens, (tokens) => tokens.mint(verified))
  const verify = (token: string) => Effect.flatMap(AccessTokens, (tokens) => tokens.verify(token))

  it.effect("the first secret signs, all verify, and one that was taken out does not", () =>
    Effect.gen(function* () {
      const before = yield* Effect.provide(mint, tokensWith(oldSecret))
      const during = tokensWith(`${newSecret}, ${oldSecret}`)
      assert.deepStrictEqual(yield* Effect.provide(verify(before), during), verified)
      const after = yield* Effect.provide(mint, during)
      assert.deepStrictEqual(yield* Effect.provide(verify(after), tokensWith(newSecret)), verified)
      yield* Effect.flip(Effect.provide(verify(before), tokensWith(newSecret)))
    })
  )

  it.effect("a secret that is empty, or short in production, keeps the process from starting", () =>
    Effect.gen(function* () {
      for (const layerOf of [tokensWith("short", { NODE_ENV: "production" }), tokensWith(`${newSecret},`)]) {
        const error = yield* Effect.flip(Effect.provide(mint, layerOf))
        assert.match(error.message, /^JWT_SECRET has to be a list of texts without white space, /)
      }
      yield* Effect.provide(mint, tokensWith("short"))
    })
  )
})
