import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { StartFailed } from "@care/stand-ins"
import { Effect, Option, Schedule, Schema } from "effect"
import { thrownMessage } from "../thrownMessage.ts"
import { addCatalogue } from "./demoCatalogue.ts"

const Demo = Schema.Struct({
  organizationId: Schema.String,
  apiKey: Schema.String,
  /** A key of the sandbox of the organization. */
  testApiKey: Schema.String,
  productIds: Schema.Array(Schema.String),
  /** The products of the sandbox. */
  testProductIds: Schema.Array(Schema.String),
  bundleId: Schema.String,
  providerId: Schema.String,
  /** The members of staff who can sign in, by their roles. */
  staffEmails: Schema.Struct({
    provider: Schema.String,
    support: Schema.String,
    admin: Schema.String,
    developer: Schema.String
  })
})

/** The demo organization, for trying the API. */
export type Demo = typeof Demo.Type

/** The file of the demo organization. */
export const demoFile = (dataDirectory: string): string => join(dataDirectory, "demo.json")

const decodeDemo = Schema.decodeUnknownOption(Schema.fromJsonString(Demo))
const Created = Schema.Struct({ id: Schema.String })
const IssuedKey = Schema.Struct({ key: Schema.String })
const Products = Schema.fromJsonString(Schema.Struct({ data: Schema.NonEmptyArray(Created) }))

const post = <A>(url: string, token: string, body: unknown, answer: Schema.Codec<A, unknown>) =>
  Effect.tryPromise({
    try: async () => {
      const response = await fetch(url, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body)
      })
      if (response.status !== 201) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
      return Schema.decodeUnknownSync(answer)(await response.json())
    },
    catch: (error) =>
      new StartFailed({ message: `The demo organization cannot be created: ${String(error)}`, isInOutput: true })
  })

const answer = (url: string, headers: Readonly<Record<string, string>>) =>
  Effect.tryPromise(async (signal) => {
    const response = await fetch(url, { headers, signal })
    return { status: response.status, text: await response.text() }
  }).pipe(
    Effect.timeout("10 seconds"),
    Effect.catchCause(() => Effect.succeed({ status: 0, text: "" }))
  )

// The sandbox has a copy of the catalogue as soon as its first key is issued, or after some seconds.
const productsOf = (gatewayUrl: string, apiKey: string) =>
  answer(`${gatewayUrl}/api/v1/products`, { "cv-api-key": apiKey }).pipe(
    Effect.flatMap(({ text }) => Schema.decodeEffect(Products)(text)),
    Effect.map(({ data }) => data.map(({ id }) => id)),
    Effect.retry({ times: 100, schedule: Schedule.spaced("200 millis") }),
    Effect.mapError(() => new StartFailed({ message: "The sandbox of the demo organization has no products." }))
  )

const seed = Effect.fnUntraced(function* (gatewayUrl: string, token: string) {
  const organizations = `${gatewayUrl}/admin/v1/organizations`
  const { id: organizationId } = yield* post(organizations, token, { name: "Demo Clinic" }, Created)
  const create = (kind: string, body: unknown) =>
    Effect.map(post(`${organizations}/${organizationId}/${kind}`, token, body, Created), ({ id }) => id)

  const { bundleId, productIds } = yield* addCatalogue(create)
  const { key } = yield* post(`${organizations}/${organizationId}/api-keys`, token, { label: "demo" }, IssuedKey)
  const test = { label: "demo", mode: "test" }
  const { key: testApiKey } = yield* post(`${organizations}/${organizationId}/api-keys`, token, test, IssuedKey)
  const testProductIds = yield* productsOf(gatewayUrl, testApiKey)
  const welcome = { code: "WELCOME10", organizationId, percentDiscount: 10 }
  yield* post(`${gatewayUrl}/admin/v1/promo-codes`, token, welcome, Created)
  const emailOf = (name: string) => `${name}.${organizationId.slice(0, 8)}@clinic.example.com`
  const staffEmails = {
    provider: emailOf("jane.rivera"),
    support: emailOf("sam.cole"),
    admin: emailOf("ada.byron"),
    developer: emailOf("max.stern")
  }
  const providerId = yield* create("members", {
    email: staffEmails.provider,
    firstName: "Jane",
    lastName: "Rivera",
    role: "PROVIDER",
    title: "Dr.",
    titleSuffix: "MD",
    npi: "1234567893",
    licensedStates: ["CA", "NY", "TX"]
  })
  yield* create("members", { email: staffEmails.support, firstName: "Sam", lastName: "Cole", role: "SUPPORT" })
  yield* create("members", { email: staffEmails.admin, firstName: "Ada", lastName: "Byron", role: "ADMIN" })
  yield* create("members", { email: staffEmails.developer, firstName: "Max", lastName: "Stern", role: "DEVELOPER" })
  return { organizationId, apiKey: key, testApiKey, productIds, testProductIds, bundleId, providerId, staffEmails }
})

// With a valid key an unknown customer is a 400 with this text; an invalid key has another one.
const works = Effect.fnUntraced(function* ({ apiKey, organizationId }: Demo, gatewayUrl: string, adminToken: string) {
  const organization = yield* answer(`${gatewayUrl}/admin/v1/organizations/${organizationId}`, {
    authorization: `Bearer ${adminToken}`
  })
  const latest = yield* answer(`${gatewayUrl}/api/v1/customer-latest-case-id?email=nobody@example.com`, {
    "cv-api-key": apiKey
  })
  return organization.status === 200 && latest.text.includes("No Case found")
})

const failed = (reason: string) => new StartFailed({ message: `The demo organization cannot be stored: ${reason}` })

const attempt = <A>(action: () => A) => Effect.try({ try: action, catch: (error) => failed(thrownMessage(error)) })

const readStored = (file: string) =>
  attempt(() => (existsSync(file) ? decodeDemo(readFileSync(file, "utf8")) : Option.none()))

const keep = (file: string, demo: Demo) =>
  attempt(() => {
    rmSync(file, { force: true })
    writeFileSync(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  })

/**
 * Returns the demo organization of this data directory: that of an earlier start if the database still has it, or a new
 * one.
 */
export const demoOrganization = Effect.fnUntraced(function* (
  dataDirectory: string,
  gatewayUrl: string,
  adminToken: string
) {
  const file = demoFile(dataDirectory)
  const stored = yield* readStored(file)
  if (Option.isSome(stored) && (yield* works(stored.value, gatewayUrl, adminToken))) return stored.value
  const demo: Demo = yield* seed(gatewayUrl, adminToken)
  yield* keep(file, demo)
  return demo
})
