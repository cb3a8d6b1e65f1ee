import { neededScope } from "@care/domain/scopes"
import { serveListener } from "@care/service-kit/testing"
import { Effect, Predicate } from "effect"
import StripeClient from "stripe"
import { type Contract, contractOf, toHttpRequest } from "../../operations/contracts.ts"
import type { Fixtures } from "../../operations/Fixtures.ts"
import { type FixtureOptions, makeFixtures } from "../../operations/makeFixtures.ts"
import type { Request } from "../../operations/Request.ts"
import { signatureHeaders } from "../../operations/signatureHeaders.ts"
import { admin, type CallOptions, call } from "./call.ts"
import { inDatabase } from "./database.ts"
import { type Clinic, makeSandbox, newPatient } from "./fixtures.ts"
import { Suite } from "./Suite.ts"

/** A request that was sent to the gateway. */
export interface SentRequest {
  readonly method: string
  readonly path: string
  readonly options: CallOptions
}

/** An organization with its key. */
export type Partner = Pick<Clinic, "key" | "organizationId">

const testKeys = new Map<string, string>()

// The key of an operation of sandboxes: the partner's own, or that of its sandbox, the same each time.
const testKeyOf = Effect.fnUntraced(function* ({ key, organizationId }: Partner) {
  const known = key.startsWith("cv_test_") ? key : testKeys.get(organizationId)
  if (known !== undefined) return known
  const sandbox = yield* makeSandbox({ organizationId })
  testKeys.set(organizationId, sandbox.key)
  return sandbox.key
})

/** Sends a request with the credentials that its operation requires. Returns the sent request and the response. */
export const sendOperation = Effect.fnUntraced(function* (partner: Partner, contract: Contract, request: Request) {
  const { secrets } = yield* Suite
  const { body, method, path } = toHttpRequest(contract, request)
  const signature = signatureHeaders(contract.caller, JSON.stringify(body ?? {}), {
    pharmacy: secrets.PHARMACY_WEBHOOK_SECRET,
    stripe: secrets.STRIPE_WEBHOOK_SECRET,
    scheduling: secrets.SCHEDULING_WEBHOOK_SECRET
  })
  const options: CallOptions = {
    ...(contract.caller === "partner" && {
      key: neededScope(contract.group, contract.endpoint) === "test" ? yield* testKeyOf(partner) : partner.key
    }),
    isOperator: contract.caller === "operator",
    headers: { ...signature, ...request.headers },
    body
  }
  const sentRequest: SentRequest = { method, path, options }
  return { sentRequest, ...(yield* call(method, path, options)) }
})

/** How the fixtures of an organization make their patients. */
type Patients = Pick<FixtureOptions, "newEmail" | "person" | "text">

let lastNumber = 0

const next = (): number => {
  lastNumber += 1
  return lastNumber
}

type Identity = Partial<Record<"email" | "firstName" | "lastName" | "phoneNumber" | "street", string>>

/** Makes patients whose texts are `text`. `identityOf` returns the identity of the first, the second and so on; by default `text`, too. */
export const patientsNamed = (
  text: string,
  identityOf: (count: number) => Identity = () => ({ firstName: text, lastName: text })
): Patients => {
  let patientCount = 0
  return {
    text,
    newEmail: async () => identityOf(1000 + next()).email ?? `new.${next()}@example.com`,
    person: async () => {
      patientCount += 1
      const { street = text, ...name } = identityOf(patientCount)
      const address = { addressLine1: street, city: street, state: "CA", country: "US", postalCode: "94105" }
      return { ...newPatient(), ...name, shippingAddress: address }
    }
  }
}

/** Makes the fixtures of an organization, and adds a provider to it. With `isSinglePatient` all are about the same patient. */
export const fixturesOf = Effect.fnUntraced(function* (
  { key, organizationId, productId }: Pick<Clinic, "key" | "organizationId" | "productId">,
  patients: Patients,
  {
    isSinglePatient = false,
    ...seeds
  }: { readonly isSinglePatient?: boolean } & NonNullable<FixtureOptions["seeds"]> = {}
) {
  const { secrets, stripeUrl } = yield* Suite
  const run = Effect.runPromiseWith(yield* Effect.context<Suite>())
  const { url: fileUrl } = yield* serveListener((_request, response) =>
    response.writeHead(200, { "content-type": "text/plain" }).end("The results.")
  )
  const member = { firstName: "Jane", lastName: "Rivera", npi: "1234567893", role: "PROVIDER" }
  const email = `p${next()}.${organizationId}@example.com`
  const provider = yield* admin("POST", `/organizations/${organizationId}/members`, { ...member, email })
  const { hostname, port } = new URL(stripeUrl)
  return makeFixtures(
    {
      ...patients,
      organizationId,
      productId,
      providerId: provider.json.id,
      fileUrl: `${fileUrl}/results.txt`,
      next,
      send: async (id, request) => {
        const { json, status } = await run(sendOperation({ key, organizationId }, contractOf(id), request))
        if (status >= 300) throw new Error(`${id} was answered ${status} ${JSON.stringify(json)}`)
        return json
      },
      query: (service, statement, values) => run(inDatabase(service, (sql) => sql.unsafe<object>(statement, values))),
      stripe: new StripeClient(secrets.STRIPE_SECRET_KEY, { host: hostname, port, protocol: "http" }),
      seeds
    },
    { isSinglePatient }
  )
})

const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === "string") return change(value)
  return Predicate.isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, change)]))
    : value
}

/** Returns fixtures that apply a function to every id and text they return. */
export const mapFixtures = (fixtures: Fixtures, change: (text: string) => string): Fixtures =>
  new Proxy(fixtures, {
    get: (target, name) => {
      const fixture = Reflect.get(target, name)
      if (name === "send" || typeof fixture === "number") return fixture
      if (typeof fixture !== "function") return mapTexts(fixture, change)
      return (...values: ReadonlyArray<unknown>) => {
        const result: unknown = fixture(...values)
        return result instanceof Promise ? result.then((value) => mapTexts(value, change)) : result
      }
    }
  })

/** Returns fixtures that make each thing only once. */
export const memoizeFixtures = (fixtures: Fixtures): Fixtures => {
  const results = new Map<PropertyKey, unknown>()
  return new Proxy(fixtures, {
    get: (target, name) => {
      const fixture = Reflect.get(target, name)
      if (name === "next" || name === "send" || typeof fixture !== "function") return fixture
      return () => {
        if (!results.has(name)) results.set(name, fixture())
        return results.get(name)
      }
    }
  })
}
