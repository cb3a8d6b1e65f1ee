import { randomUUID } from "node:crypto"
import { callers } from "@care/domain/http"
import { type OrganizationId, StaffSessionId, type UserId } from "@care/domain/ids"
import { CurrentIdentity } from "@care/service-kit"
import { serveListener } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { addMember, layerStaff, origin } from "../../../test/layerStaff.ts"
import { openIdClient, runOpenIdProvider } from "../../../test/runOpenIdProvider.ts"
import { Organizations } from "../../organizations/index.ts"
import { SingleSignOnSettings } from "./SingleSignOnSettings.ts"

const redirectUri = `${origin}/admin/v1/session/oidc/callback`
const newDomain = () => `clinic-${randomUUID()}.example`

const makeClinic = Effect.gen(function* () {
  const { issuer } = yield* runOpenIdProvider({ redirectUri })
  const { id } = yield* (yield* Organizations).create("Clinic")
  return { id, setting: { ...openIdClient, issuer, domains: [newDomain()] } }
})

/** Runs an effect as an administrator of an organization. */
const asAdministrator = (organizationId: OrganizationId, userId: UserId) =>
  Effect.provideService(
    CurrentIdentity,
    callers.staff.Identity.make({
      sessionId: StaffSessionId.make(randomUUID()),
      userId,
      organizationId,
      role: "ADMIN"
    })
  )

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

layer(layerStaff())("settings of single sign-on", (it) => {
  it.effect("a setting is stored, changed and removed, and its secret never shown", () =>
    Effect.gen(function* () {
      const settings = yield* SingleSignOnSettings
      const { id, setting } = yield* makeClinic
      const { domains, issuer } = setting
      assert.strictEqual(yield* tagOf(settings.get(id)), "SingleSignOnNotFound")
      const stored = yield* settings.set(id, setting)
      const shown = { organizationId: id, issuer, clientId: "care", domains, redirectUri, isRequired: false }
      assert.deepInclude(stored, { ...shown, hasClientSecret: true })
      assert.deepStrictEqual(yield* settings.get(id), stored)
      const more = [...domains, newDomain(), ...domains]
      const changed = yield* settings.set(id, { ...setting, domains: more, isRequired: true })
      assert.deepStrictEqual(changed.domains, [...new Set(more)].toSorted())
      assert.deepInclude(changed, { isRequired: true, createdAt: stored.createdAt })
      assert.deepStrictEqual((yield* settings.set(id, setting)).domains, domains)
      yield* settings.remove(id)
      assert.strictEqual(yield* tagOf(settings.get(id)), "SingleSignOnNotFound")
      assert.strictEqual(yield* tagOf(settings.remove(id)), "SingleSignOnNotFound")
    }).pipe(Effect.scoped)
  )

  it.effect("a stored secret stays for the same client of the same issuer alone", () =>
    Effect.gen(function* () {
      const settings = yield* SingleSignOnSettings
      const { id, setting } = yield* makeClinic
      const { issuer } = yield* runOpenIdProvider({ redirectUri })
      const { clientSecret, ...withoutSecret } = setting
      const hasSecret = (change: object) =>
        Effect.map(settings.set(id, { ...withoutSecret, ...change }), ({ hasClientSecret }) => hasClientSecret)
      assert.isFalse(yield* hasSecret({}))
      assert.isTrue(yield* hasSecret({ clientSecret }))
      assert.isTrue(yield* hasSecret({}))
      assert.isFalse(yield* hasSecret({ issuer }))
      assert.isFalse(yield* hasSecret({}))
      yield* settings.set(id, setting)
      assert.isFalse(yield* hasSecret({ clientId: "another" }))
      yield* settings.set(id, setting)
      assert.isFalse(yield* hasSecret({ clientSecret: null }))
    }).pipe(Effect.scoped)
  )

  it.effect("a domain belongs to one organization, also of parallel ones, and a refused setting changes nothing", () =>
    Effect.gen(function* () {
      const settings = yield* SingleSignOnSettings
      const [one, other] = [yield* makeClinic, yield* makeClinic]
      const domains = [newDomain(), newDomain()]
      const results = yield* Effect.all(
        [
          Effect.result(settings.set(one.id, { ...one.setting, domains })),
          Effect.result(settings.set(other.id, { ...other.setting, domains: domains.toReversed() }))
        ],
        { concurrency: "unbounded" }
      )
      assert.lengthOf(results.filter(Result.isSuccess), 1)
      const loser = results[0] !== undefined && Result.isSuccess(results[0]) ? other : one
      assert.strictEqual(yield* tagOf(settings.get(loser.id)), "SingleSignOnNotFound")
      const kept = yield* settings.set(loser.id, loser.setting)
      const taken = settings.set(loser.id, { ...loser.setting, clientId: "another", domains })
      assert.strictEqual(yield* tagOf(taken), "DomainTaken")
      assert.deepStrictEqual(yield* settings.get(loser.id), kept)
    }).pipe(Effect.scoped)
  )

  it.effect("an administrator gets no domain that the staff of another organization has; an operator gives it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const settings = yield* SingleSignOnSettings
      const { id, setting } = yield* makeClinic
      const [domain = ""] = setting.domains
      yield* addMember(id, { email: `own@${domain}` })
      const stranger = yield* addMember(undefined, { email: `jane@${domain}` })
      const set = settings.set(id, setting)
      const asAdmin = set.pipe(asAdministrator(id, stranger.userId))
      assert.strictEqual(yield* tagOf(asAdmin), "DomainTaken")
      yield* set
      yield* settings.remove(id)
      yield* sql`UPDATE users SET is_active = false WHERE id = ${stranger.userId}`
      yield* asAdmin
    }).pipe(Effect.scoped)
  )

  it.effect(
    "an issuer that may not be called, does not answer, names another issuer or a page of scripts is refused",
    () =>
      Effect.gen(function* () {
        const settings = yield* SingleSignOnSettings
        const { id, setting } = yield* makeClinic
        for (const issuer of [
          "https://10.0.0.1",
          "https://169.254.169.254/",
          "https://user:password@login.example",
          "http://login.example"
        ]) {
          assert.strictEqual(yield* tagOf(settings.set(id, { ...setting, issuer })), "RequestInvalid", issuer)
        }
        const documentOf = (change: (issuer: string) => object | undefined) =>
          Effect.gen(function* () {
            const { url } = yield* serveListener((request, response) => {
              const document = change(`http://${request.headers.host}`)
              if (document === undefined) response.destroy()
              else response.setHeader("content-type", "application/json").end(JSON.stringify(document))
            })
            return url
          })
        const changes = [
          () => undefined,
          () => ({}),
          () => ({ issuer: "https://login.example" }),
          (issuer: string) => ({ issuer }),
          (issuer: string) => ({ issuer, authorization_endpoint: "javascript:alert(1)" }),
          (issuer: string) => ({ issuer, authorization_endpoint: "https://10.0.0.1/authorize" })
        ]
        const began = Date.now()
        const refusals = yield* Effect.forEach(
          changes,
          (change) => Effect.flatMap(documentOf(change), (issuer) => tagOf(settings.set(id, { ...setting, issuer }))),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          refusals,
          Array.from(changes, () => "ProviderUnusable")
        )
        // All failures take the full time.
        assert.isAtLeast(Date.now() - began, 4900)
        assert.strictEqual(yield* tagOf(settings.get(id)), "SingleSignOnNotFound")
      }).pipe(Effect.scoped, TestClock.withLive)
  )
})
