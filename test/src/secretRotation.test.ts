import { peers } from "@care/domain/peers"
import { environmentOf, findFreeBase, forEveryService, offsets, type ProcessName, type Secrets } from "@care/sandbox"
import { makeTestDatabase, temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Console, Effect, Layer, Metric, Record } from "effect"
import { type SigningSecrets, signatureHeaders } from "../operations/signatureHeaders.ts"
import { admin, call } from "./harness/call.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { makeOwners } from "./harness/makeOwners.ts"
import {
  consoleInto,
  makeSecrets,
  pharmacyAt,
  processes,
  processNames,
  Suite,
  schedulingProviderAt,
  stripeAt,
  urlsFrom
} from "./harness/Suite.ts"
import { codeSentTo, refresh, sendCode, verifyCode } from "./harness/signIn.ts"

const old = makeSecrets("k1")
const next = makeSecrets("k2")

// What a third party issued has one value.
const single: ReadonlyArray<string> = ["PHARMACY_API_TOKEN", "SCHEDULING_API_TOKEN", "STRIPE_SECRET_KEY"]

const listsOf = (...versions: ReadonlyArray<Secrets>): Secrets =>
  Record.map(old, (value, name) => (single.includes(name) ? value : versions.map((version) => version[name]).join(",")))

// Before, and after each of the three steps. PHI_KEY keeps the old key until everything is sealed with the new one (phiKeys.test.ts).
const before = listsOf(old)
const added = listsOf(old, next)
const putFirst = listsOf(next, old)
const removed = { ...listsOf(next), PHI_KEY: putFirst.PHI_KEY }

type Instance = Suite["Service"]

/** Makes two instances of each process, with their own secrets, on one database. Each calls the services of the other one. */
const crossedInstances = Effect.fnUntraced(function* (secrets: readonly [Secrets, Secrets]) {
  const { url, urls } = yield* makeTestDatabase
  const dataDirectory = yield* temporaryFolder(0o755)
  const databaseUrls = forEveryService(url)
  const owners = yield* makeOwners(databaseUrls)
  const output: Array<string> = []
  const ports = [yield* findFreeBase(Object.values(offsets)), yield* findFreeBase(Object.values(offsets))] as const

  const start = (own: 0 | 1, name: ProcessName) => {
    const settings = {
      port: ports[own],
      host: "127.0.0.1",
      dataDirectory,
      databaseUrls,
      publicUrl: urlsFrom(ports[own]).gateway,
      isProduction: false,
      isTerminal: false
    }
    const others = urlsFrom(ports[own === 0 ? 1 : 0])
    const environment = {
      ...environmentOf(name, {}, settings, secrets[own], name === "gateway" ? undefined : urls[name]),
      ...Record.mapEntries(peers, ({ urlVariable }, service) => [urlVariable, others[service]])
    }
    return Layer.build(Layer.fresh(processes[name])).pipe(
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment)),
      Effect.provideService(Metric.MetricRegistry, new Map()),
      Effect.provideService(Console.Console, consoleInto(output, name))
    )
  }
  yield* Effect.forEach(processNames, (name) => Effect.all([start(0, name), start(1, name)], { concurrency: 2 }), {
    concurrency: "unbounded",
    discard: true
  })
  const instanceAt = (port: number): Instance => ({
    urls: urlsFrom(port),
    databaseUrls,
    owners,
    secrets: old,
    pharmacyUrl: pharmacyAt(port),
    stripeUrl: stripeAt(port),
    schedulingProviderUrl: schedulingProviderAt(port),
    output
  })
  return [instanceAt(ports[0]), instanceAt(ports[1])] as const
})

/** Uses everything that a secret signs or seals: it is made through the first instance, and accepted by the second. */
const useBoth = Effect.fnUntraced(function* (one: Instance, second: Instance) {
  // Both get the same operator's token.
  const other = { ...second, secrets: one.secrets }
  const through =
    (instance: Instance) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.provideService(effect, Suite, instance)
  const clinic = yield* makeClinic.pipe(through(one))
  const { key } = clinic
  const body = caseBody(clinic)
  const { email } = body.user
  const created = yield* createCase(clinic, body).pipe(through(one))
  assert.strictEqual(created.status, 200)
  const caseId: string = created.json.data.caseId

  const patient: string = (yield* admin("GET", `/cases/${caseId}`).pipe(through(other))).json.submitter.id
  const file = {
    fileName: "a.pdf",
    contentType: "application/pdf",
    content: Buffer.from("%PDF-1.7").toString("base64")
  }
  yield* admin("POST", `/cases/${caseId}/attachments`, { uploadedByUserId: patient, ...file }).pipe(through(one))
  const [{ url }] = (yield* admin("GET", `/cases/${caseId}/attachments`).pipe(through(one))).json.data
  const linked = yield* Effect.promise(() => fetch(url.replace(/^http:..[^/]+/, other.urls.gateway)))
  assert.deepStrictEqual([linked.status, yield* Effect.promise(() => linked.text())], [200, "%PDF-1.7"])

  yield* sendCode(key, { email }).pipe(through(one))
  const code = yield* codeSentTo(email).pipe(through(other))
  const signedIn = yield* verifyCode(key, { email, code }).pipe(through(other))
  assert.strictEqual(signedIn.status, 200)
  const { accessToken, refreshToken } = signedIn.json
  const headers = { authorization: `Bearer ${accessToken}` }
  assert.strictEqual((yield* call("GET", "/api/v1/users/me", { key, headers }).pipe(through(one))).status, 200)
  assert.strictEqual((yield* refresh(key, refreshToken).pipe(through(one))).status, 200)

  const signing: SigningSecrets = {
    pharmacy: one.secrets.PHARMACY_WEBHOOK_SECRET,
    scheduling: one.secrets.SCHEDULING_WEBHOOK_SECRET,
    stripe: one.secrets.STRIPE_WEBHOOK_SECRET
  }
  for (const provider of ["pharmacy", "scheduling", "stripe"] as const) {
    const send = (raw: string, signed: string) =>
      call("POST", `/webhooks/${provider}`, { raw, headers: signatureHeaders(provider, signed, signing) })
    // A signed event that says nothing is a 400.
    assert.strictEqual((yield* send("{}", "{}").pipe(through(one))).status, 400, provider)
    assert.strictEqual((yield* send("{}", "{ }").pipe(through(one))).status, 401, provider)
  }
})

const steps: ReadonlyArray<readonly [string, readonly [Secrets, Secrets], ReadonlyArray<Secrets>]> = [
  ["while a new secret is added behind", [before, added], [old]],
  ["while the new one is put first, by whoever uses either", [added, putFirst], [old, next]],
  ["while the old one is removed", [putFirst, removed], [next]]
]

for (const [when, secrets, clients] of steps) {
  it.live(`every secret is accepted by both of two instances ${when}`, () =>
    Effect.gen(function* () {
      const [one, other] = yield* crossedInstances(secrets)
      for (const client of clients) {
        yield* useBoth({ ...one, secrets: client }, other)
        yield* useBoth({ ...other, secrets: client }, one)
      }
      const entries = [old, next].flatMap((version) => Object.values(version)).filter((text) => text !== "")
      assert.isNotEmpty(one.output)
      for (const entry of entries) assert.isFalse(one.output.some((line) => line.includes(entry)))
    }).pipe(Effect.scoped)
  )
}
