import { randomUUID } from "node:crypto"
import type { NewSingleSignOn } from "@care/domain/auth"
import { keyHash, removeOldRows } from "@care/service-kit"
import { assert, layer } from "@effect/vitest"
import { Effect, Logger, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { addMember, codeFor, enrol, layerStaff, origin } from "../../../test/layerStaff.ts"
import { openIdClient, runOpenIdProvider } from "../../../test/runOpenIdProvider.ts"
import { oldRows } from "../../oldRows.ts"
import { Organizations } from "../../organizations/index.ts"
import { Passkeys } from "../passkeys/Passkeys.ts"
import { StaffSignIn } from "../StaffSignIn.ts"
import { StaffSessions } from "../sessions/StaffSessions.ts"
import { SignOns } from "./SignOns.ts"
import { SingleSignOnSettings } from "./SingleSignOnSettings.ts"

const redirectUri = `${origin}/admin/v1/session/oidc/callback`

const newDomain = () => `clinic-${randomUUID()}.example`

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

/** Makes an organization with a provider, and a member with an email of its domain. */
const makeClinic = Effect.fnUntraced(function* (
  changes: Partial<NewSingleSignOn> = {},
  options: { readonly hasClaimsInToken?: boolean } = {}
) {
  const provider = yield* runOpenIdProvider({ redirectUri, ...options })
  const domain = newDomain()
  const member = yield* addMember(undefined, { email: `jane@${domain}` })
  const setting = { ...openIdClient, issuer: provider.issuer, domains: [domain], ...changes }
  yield* (yield* SingleSignOnSettings).set(member.organizationId, setting)
  return { ...member, domain, provider, setting }
})

type Clinic = Effect.Success<ReturnType<typeof makeClinic>>

const start = (email: string, next?: string) => Effect.flatMap(SignOns, (signOns) => signOns.start(email, next))

const comeBack = (url: URL, browser: string | undefined, changes: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(SignOns, (signOns) => signOns.finish({ ...Object.fromEntries(url.searchParams), ...changes }, browser))

const finish = (url: URL, browser: string | undefined) => Effect.map(comeBack(url, browser), ({ issued }) => issued)

const failure = (url: URL, browser: string | undefined, changes?: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(comeBack(url, browser, changes)), ({ why }) => why)

/** Begins a sign-in, and signs somebody in at the provider. */
const signInAt = Effect.fnUntraced(function* (
  { email, provider }: Clinic,
  account: { readonly email?: string; readonly email_verified?: boolean } = { email, email_verified: true }
) {
  const { browser, redirectTo } = yield* start(email)
  return { browser, url: yield* provider.signIn(redirectTo, account) }
})

const sessionsOf = ({ organizationId }: Clinic) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`SELECT * FROM staff_sessions WHERE organization_id = ${organizationId}`
  )

layer(layerStaff())("single sign-on of staff", (it) => {
  it.effect("a member signs in, with an active session that is not stepped up", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic()
      const { browser, redirectTo } = yield* start(clinic.email)
      const requested = new URL(redirectTo)
      assert.strictEqual(requested.origin, clinic.provider.issuer)
      assert.deepInclude(Object.fromEntries(requested.searchParams), {
        client_id: "care",
        redirect_uri: redirectUri,
        response_type: "code",
        scope: "openid email",
        code_challenge_method: "S256"
      })
      const { email } = clinic
      const url = yield* clinic.provider.signIn(redirectTo, { email: email.toUpperCase(), email_verified: true })
      const { session, token } = yield* finish(url, browser)
      assert.deepInclude(session, { userId: clinic.userId, state: "ACTIVE", steppedUpAt: null, role: "SUPPORT" })
      assert.deepStrictEqual(yield* (yield* StaffSessions).resolve(token), session)
    }).pipe(Effect.scoped)
  )

  it.effect(
    "the page that was wanted comes back to the browser that began, and when the provider signs nobody in",
    () =>
      Effect.gen(function* () {
        const clinic = yield* makeClinic()
        const { email } = clinic
        const next = "/cases/3b241101-e2bb-4255-8caf-4136c566a962"
        const begin = (account: object) =>
          Effect.gen(function* () {
            const { browser, redirectTo } = yield* start(email, next)
            assert.notInclude(redirectTo, "cases")
            return { browser, url: yield* clinic.provider.signIn(redirectTo, account) }
          })
        const known = yield* begin({ email, email_verified: true })
        assert.strictEqual((yield* Effect.flip(comeBack(known.url, "another browser"))).next, null)
        assert.strictEqual((yield* comeBack(known.url, known.browser)).next, next)
        const unverified = yield* begin({ email })
        assert.deepInclude(yield* Effect.flip(comeBack(unverified.url, unverified.browser)), { why: "email", next })
        const late = yield* begin({ email, email_verified: true })
        yield* TestClock.adjust("10 minutes")
        assert.deepInclude(yield* Effect.flip(comeBack(late.url, late.browser)), { why: "expired", next })
      }).pipe(Effect.scoped)
  )

  it.effect("what an ID token says of the person counts as well, and is signed by a key of the provider", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic({}, { hasClaimsInToken: true })
      const { browser, url } = yield* signInAt(clinic)
      assert.strictEqual((yield* finish(url, browser)).session.userId, clinic.userId)
      assert.notInclude(clinic.provider.seen, "/me")
      assert.include(clinic.provider.seen, "/jwks")
    }).pipe(Effect.scoped)
  )

  it.effect("two parallel answers of one sign-in start one session, and a later one none", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic()
      const { browser, url } = yield* signInAt(clinic)
      const results = yield* Effect.all([Effect.result(finish(url, browser)), Effect.result(finish(url, browser))], {
        concurrency: "unbounded"
      })
      assert.lengthOf(results.filter(Result.isSuccess), 1)
      assert.strictEqual(yield* failure(url, browser), "expired")
      assert.lengthOf(yield* sessionsOf(clinic), 1)
    }).pipe(Effect.scoped)
  )

  it.effect("an unknown state, another browser, and a sign-in of more than 10 minutes sign nobody in", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic()
      const [first, second] = [yield* signInAt(clinic), yield* signInAt(clinic)]
      assert.strictEqual(yield* failure(first.url, first.browser, { state: "unknown" }), "expired")
      assert.strictEqual(yield* failure(first.url, second.browser), "expired")
      assert.strictEqual(yield* failure(first.url, undefined), "expired")
      assert.strictEqual(yield* failure(new URL(redirectUri), first.browser), "expired")
      // What the others tried has used nothing up.
      yield* finish(first.url, first.browser)
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(yield* failure(second.url, second.browser), "expired")
      assert.lengthOf(yield* sessionsOf(clinic), 1)
    }).pipe(Effect.scoped)
  )

  it.effect(
    "a code of another sign-in, another nonce, another issuer, and a refusal of the provider sign nobody in",
    () =>
      Effect.gen(function* () {
        const clinic = yield* makeClinic()
        const { email, provider } = clinic
        const account = { email, email_verified: true }
        const [one, other] = [yield* signInAt(clinic), yield* signInAt(clinic)]
        const code = other.url.searchParams.get("code") ?? ""
        assert.strictEqual(yield* failure(one.url, one.browser, { code }), "provider")
        const { browser, redirectTo } = yield* start(email)
        const changed = new URL(redirectTo)
        changed.searchParams.set("nonce", "another nonce")
        assert.strictEqual(yield* failure(yield* provider.signIn(changed.href, account), browser), "provider")
        const mixed = yield* signInAt(clinic)
        assert.strictEqual(yield* failure(mixed.url, mixed.browser, { iss: "https://evil.example" }), "provider")
        const refused = yield* start(email)
        const state = new URL(refused.redirectTo).searchParams.get("state") ?? ""
        const answer = new URL(`${redirectUri}?state=${state}&error=access_denied&iss=${provider.issuer}`)
        assert.strictEqual(yield* failure(answer, refused.browser), "provider")
        assert.lengthOf(yield* sessionsOf(clinic), 0)
      }).pipe(Effect.scoped)
  )

  it.effect("an answer of the provider of another organization signs nobody in", () =>
    Effect.gen(function* () {
      const [own, evil] = [yield* makeClinic(), yield* makeClinic()]
      const { browser, redirectTo } = yield* start(own.email)
      const first = new URL(redirectTo)
      // A sign-in at the other provider with the state and the challenge of this one.
      const there = new URL((yield* start(evil.email)).redirectTo)
      for (const name of ["state", "nonce", "code_challenge"]) {
        there.searchParams.set(name, first.searchParams.get(name) ?? "")
      }
      const account = { email: own.email, email_verified: true }
      assert.strictEqual(yield* failure(yield* evil.provider.signIn(there.href, account), browser), "provider")
    }).pipe(Effect.scoped)
  )

  it.effect("an email that is not verified, is missing, or is of another domain signs nobody in", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic()
      const foreign = yield* addMember(clinic.organizationId, { email: `jane@${newDomain()}` })
      for (const account of [
        { email: clinic.email, email_verified: false },
        { email: clinic.email },
        { email_verified: true },
        { email: "no email", email_verified: true },
        { email: foreign.email, email_verified: true }
      ]) {
        const { browser, url } = yield* signInAt(clinic, account)
        assert.strictEqual(yield* failure(url, browser), "email", JSON.stringify(account))
      }
    }).pipe(Effect.scoped)
  )

  it.effect("nobody signs in who is no member, a member of another organization alone, or removed meanwhile", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const clinic = yield* makeClinic()
      const elsewhere = yield* addMember(undefined, { email: `joe@${clinic.domain}` })
      for (const email of [`nobody@${clinic.domain}`, elsewhere.email]) {
        const { browser, url } = yield* signInAt(clinic, { email, email_verified: true })
        assert.strictEqual(yield* failure(url, browser), "member")
      }
      const { browser, url } = yield* signInAt(clinic)
      yield* sql`UPDATE users SET is_active = false, deleted_at = now() WHERE id = ${clinic.userId}`
      assert.strictEqual(yield* failure(url, browser), "member")
    }).pipe(Effect.scoped)
  )

  it.effect("no sign-in begins for an unknown domain, a removed setting, or a disabled organization", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic()
      const organizations = yield* Organizations
      assert.strictEqual(yield* tagOf(start(`jane@${newDomain()}`)), "DomainWithoutSignOn")
      // Whoever it is, the answer is the same.
      yield* start(`nobody@${clinic.domain}`)
      yield* organizations.update(clinic.organizationId, { isDisabled: true })
      assert.strictEqual(yield* tagOf(start(clinic.email)), "DomainWithoutSignOn")
      yield* organizations.update(clinic.organizationId, { isDisabled: false })
      const { browser, url } = yield* signInAt(clinic)
      yield* (yield* SingleSignOnSettings).remove(clinic.organizationId)
      assert.strictEqual(yield* tagOf(start(clinic.email)), "DomainWithoutSignOn")
      assert.strictEqual(yield* failure(url, browser), "expired")
    }).pipe(Effect.scoped)
  )

  it.effect(
    "a provider that is down is an error, and is requested again; its discovery document is cached for 10 minutes",
    () =>
      Effect.gen(function* () {
        const clinic = yield* makeClinic()
        const { provider } = clinic
        const discoveries = () => provider.seen.filter((path) => path.includes(".well-known")).length
        const before = discoveries()
        provider.setDown(true)
        assert.strictEqual(yield* tagOf(start(clinic.email)), "ProviderUnusable")
        provider.setDown(false)
        yield* start(clinic.email)
        const { browser, url } = yield* signInAt(clinic)
        assert.strictEqual(discoveries(), before + 2)
        provider.setDown(true)
        yield* start(clinic.email)
        assert.strictEqual(yield* failure(url, browser), "provider")
        provider.setDown(false)
        yield* TestClock.adjust("10 minutes")
        yield* start(clinic.email)
        assert.strictEqual(discoveries(), before + 3)
      }).pipe(Effect.scoped)
  )

  it.effect("who signed in so enrols the first passkey within 5 minutes, and later ones after a step-up", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic()
      const passkeys = yield* Passkeys
      const signIn = Effect.gen(function* () {
        const { browser, url } = yield* signInAt(clinic)
        return (yield* finish(url, browser)).session
      })
      const late = yield* signIn
      assert.strictEqual(yield* tagOf((yield* StaffSessions).requireStepUp(late)), "StepUpNeeded")
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual(yield* tagOf(passkeys.creationOptions(late)), "StepUpNeeded")
      const { authenticator, issued, recoveryCodes } = yield* enrol(yield* signIn)
      assert.lengthOf(recoveryCodes, 10)
      if (issued === undefined) return assert.fail("the first passkey starts a session")
      yield* (yield* StaffSessions).requireStepUp(issued.session)
      const next = yield* signIn
      assert.strictEqual(yield* tagOf(passkeys.creationOptions(next)), "StepUpNeeded")
      const raised = yield* passkeys.use(next, authenticator.use(yield* passkeys.requestOptions(next)))
      yield* enrol(raised.session)
    }).pipe(Effect.scoped)
  )

  it.effect("required single sign-on: no code, no passkey alone, and the step-up of its sessions as before", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic()
      const { organizationId, setting } = clinic
      const [passkeys, settings, staffSignIn] = [yield* Passkeys, yield* SingleSignOnSettings, yield* StaffSignIn]
      const outsider = yield* addMember(organizationId, { email: `jane@${newDomain()}` })
      const code = Option.getOrThrow(yield* codeFor(clinic))
      const first = yield* signInAt(clinic)
      const { authenticator } = yield* enrol((yield* finish(first.url, first.browser)).session)
      yield* settings.set(organizationId, { ...setting, isRequired: true })
      assert.strictEqual(yield* tagOf(staffSignIn.verifyCode(clinic.email, code)), "StaffCodeRejected")
      yield* TestClock.adjust("1 minute")
      assert.isTrue(Option.isNone(yield* codeFor(clinic)))
      const alone = passkeys.use(undefined, authenticator.use(yield* passkeys.requestOptions(undefined)))
      assert.strictEqual(yield* tagOf(alone), "PasskeyRejected")
      const { browser, url } = yield* signInAt(clinic)
      const { session } = yield* finish(url, browser)
      yield* passkeys.use(session, authenticator.use(yield* passkeys.requestOptions(session)))
      // Emails of other domains, and the same email elsewhere, are not meant.
      assert.isTrue(Option.isSome(yield* codeFor(outsider)))
      assert.isTrue(Option.isSome(yield* codeFor(yield* addMember(undefined, { email: clinic.email }))))
      yield* settings.set(organizationId, setting)
      assert.isTrue(Option.isSome(yield* codeFor(clinic)))
    }).pipe(Effect.scoped)
  )

  it.effect("no secret is stored readable, shown or logged", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const lines: Array<string> = []
      const logger = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))])
      yield* Effect.gen(function* () {
        const clinic = yield* makeClinic()
        const first = yield* signInAt(clinic)
        const code = first.url.searchParams.get("code") ?? ""
        const state = first.url.searchParams.get("state") ?? ""
        assert.strictEqual(yield* failure(first.url, first.browser, { code: `${code}x` }), "provider")
        const shown = yield* (yield* SingleSignOnSettings).get(clinic.organizationId)
        const waiting = yield* start(clinic.email)
        const stored = [
          ...(yield* sql`SELECT * FROM single_sign_ons WHERE organization_id = ${clinic.organizationId}`),
          ...(yield* sql`SELECT * FROM sign_ons_in_progress WHERE for_organization_id = ${clinic.organizationId}`)
        ]
        assert.lengthOf(stored, 2)
        assert.deepInclude(stored[1], { browserHash: keyHash(waiting.browser) })
        assert.include(lines.join("\n"), "The call of an OpenID provider failed")
        const everything = JSON.stringify([stored, shown, lines])
        for (const secret of [openIdClient.clientSecret, code, state, first.browser, waiting.browser]) {
          assert.notInclude(everything, secret)
        }
        assert.notInclude(lines.join("\n"), clinic.email)
      }).pipe(Effect.provide(logger))
    }).pipe(Effect.scoped)
  )

  it.effect("at most 10,000 sign-ins of an organization are in progress, and those of others go on", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [clinic, other] = [yield* makeClinic(), yield* makeClinic()]
      yield* start(clinic.email)
      yield* sql`
        INSERT INTO sign_ons_in_progress
        SELECT organization_id, number::text, for_organization_id, browser_hash, nonce, code_verifier, expires_at
        FROM sign_ons_in_progress CROSS JOIN generate_series(1, 9998) AS number
        WHERE for_organization_id = ${clinic.organizationId}
      `
      yield* start(clinic.email)
      assert.strictEqual(yield* tagOf(start(clinic.email)), "SignOnsFull")
      yield* start(other.email)
      yield* TestClock.adjust("10 minutes")
      yield* start(clinic.email)
    }).pipe(Effect.scoped)
  )

  it.effect("sign-ins in progress are removed an hour after they expired", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const clinic = yield* makeClinic()
      yield* start(clinic.email)
      const rows = sql`SELECT FROM sign_ons_in_progress WHERE for_organization_id = ${clinic.organizationId}`
      yield* TestClock.adjust("1 hour")
      yield* removeOldRows(oldRows)
      assert.lengthOf(yield* rows, 1)
      yield* TestClock.adjust("11 minutes")
      yield* removeOldRows(oldRows)
      assert.lengthOf(yield* rows, 0)
    }).pipe(Effect.scoped)
  )
})
