import { serveListener } from "@care/service-kit/testing"
import { Effect, Predicate } from "effect"
import StripeClient from "stripe"
import { type Contract, contractOf, writtenAs } from "../../operations/contracts.ts"
import type { Fixtures } from "../../operations/Fixtures.ts"
import { type Means, makeFixtures } from "../../operations/makeFixtures.ts"
import type { Request } from "../../operations/Request.ts"
import { signatureOf } from "../../operations/sign.ts"
import { admin, type CallOptions, call } from "./call.ts"
import { inDatabase } from "./database.ts"
import { type Clinic, newPatient } from "./fixtures.ts"
import { Suite } from "./Suite.ts"

/** A request as it is sent to the gateway. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly options: CallOptions
}

/** Asks for an operation as the one whom it is for, a partner with this key: what was sent, and the answer. */
export const ask = Effect.fnUntraced(function* (key: string, contract: Contract, request: Request) {
  const { secrets } = yield* Suite
  const { body, method, path } = writtenAs(contract, request)
  const signature = signatureOf(contract.caller, JSON.stringify(body ?? {}), {
    pharmacy: secrets.PHARMACY_WEBHOOK_SECRET,
    stripe: secrets.STRIPE_WEBHOOK_SECRET,
    scheduling: secrets.SCHEDULING_WEBHOOK_SECRET
  })
  const options: CallOptions = {
    ...(contract.caller === "partner" && { key }),
    isOperator: contract.caller === "operator",
    headers: { ...signature, ...request.headers },
    body
  }
  const sent: Sent = { method, path, options }
  return { sent, ...(yield* call(method, path, options)) }
})

/** The patients of an organization: what a text says of them, and who they are. */
type Patients = Pick<Means, "newEmail" | "person" | "text">

let numbers = 0

const next = (): number => {
  numbers += 1
  return numbers
}

type Named = Partial<Record<"email" | "firstName" | "lastName" | "phoneNumber" | "street", string>>

/** Patients who are named by a text and say it. `named` says what the first is called, and those after it. */
export const patientsWho = (
  text: string,
  named: (count: number) => Named = () => ({ firstName: text, lastName: text })
): Patients => {
  let persons = 0
  return {
    text,
    newEmail: async () => named(1000 + next()).email ?? `new.${next()}@example.com`,
    person: async () => {
      persons += 1
      const { street = text, ...name } = named(persons)
      const address = { addressLine1: street, city: street, state: "CA", country: "US", postalCode: "94105" }
      return { ...newPatient(), ...name, shippingAddress: address }
    }
  }
}

/** The fixtures of an organization, to which a provider is added; with `isOne`, all are about one patient. */
export const fixturesOf = Effect.fnUntraced(function* (
  { key, organizationId, productId }: Pick<Clinic, "key" | "organizationId" | "productId">,
  patients: Patients,
  { isOne = false, ...seeds }: { readonly isOne?: boolean } & NonNullable<Means["seeds"]> = {}
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
        const { json, status } = await run(ask(key, contractOf(id), request))
        if (status >= 300) throw new Error(`${id} was answered ${status} ${JSON.stringify(json)}`)
        return json
      },
      query: (statement, values) => run(inDatabase((sql) => sql.unsafe<object>(statement, values))),
      stripe: new StripeClient(secrets.STRIPE_SECRET_KEY, { host: hostname, port, protocol: "http" }),
      seeds
    },
    { isOne }
  )
})

const inEach = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === "string") return change(value)
  return Predicate.isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inEach(each, change)]))
    : value
}

/** The same fixtures, with a change of every id and text that they are asked for. */
export const changed = (of: Fixtures, change: (text: string) => string): Fixtures =>
  new Proxy(of, {
    get: (target, name) => {
      const fixture = Reflect.get(target, name)
      if (name === "send" || typeof fixture === "number") return fixture
      if (typeof fixture !== "function") return inEach(fixture, change)
      return (...values: ReadonlyArray<unknown>) => {
        const made: unknown = fixture(...values)
        return made instanceof Promise ? made.then((value) => inEach(value, change)) : made
      }
    }
  })

/** The same fixtures, each of which is made once. */
export const eachOnce = (of: Fixtures): Fixtures => {
  const made = new Map<PropertyKey, unknown>()
  return new Proxy(of, {
    get: (target, name) => {
      const fixture = Reflect.get(target, name)
      if (name === "next" || name === "send" || typeof fixture !== "function") return fixture
      return () => {
        if (!made.has(name)) made.set(name, fixture())
        return made.get(name)
      }
    }
  })
}
