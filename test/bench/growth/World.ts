import type pg from "pg"
import { contractOf, toHttpRequest } from "../../operations/contracts.ts"
import type { Fixtures, PatientCase } from "../../operations/Fixtures.ts"
import { makeFixtures } from "../../operations/makeFixtures.ts"
import { signatureHeaders } from "../../operations/signatureHeaders.ts"
import { type Query, untilNoJobIsDue } from "../../operations/untilNoJobIsDue.ts"
import { newPatient } from "../newCase.ts"
import type { Bench } from "../startBench.ts"
import { makeEndpoint } from "./makeEndpoint.ts"

/** A suite with an organization that has a number of cases. */
export interface World extends Pick<Bench, "database" | "gatewayUrl" | "phiKey"> {
  readonly fixtures: Fixtures
  readonly jobsDone: () => Promise<void>
}

interface SeededCase extends PatientCase {
  readonly status: string
}

/** The request id of the latest response. */
export const lastAnswer = { requestId: "" }

// Throws unless the response is a success.
const makeSend =
  ({ eventSecret, gatewayUrl, key, schedulingSecret, token, webhookSecret }: Bench): Fixtures["send"] =>
  async (id, request) => {
    const contract = contractOf(id)
    const { body, method, path } = toHttpRequest(contract, request)
    const raw = body === undefined ? undefined : JSON.stringify(body)
    const secrets = { pharmacy: webhookSecret, stripe: eventSecret, scheduling: schedulingSecret }
    const response = await fetch(`${gatewayUrl}${path}`, {
      method,
      redirect: "manual",
      headers: {
        ...(contract.caller === "partner" && { "cv-api-key": key }),
        ...(contract.caller === "operator" && { authorization: `Bearer ${token}` }),
        ...(raw !== undefined && {
          "content-type": "application/json",
          ...signatureHeaders(contract.caller, raw, secrets)
        }),
        ...request.headers
      },
      ...(raw !== undefined && { body: raw })
    })
    lastAnswer.requestId = response.headers.get("x-request-id") ?? ""
    const text = await response.text()
    if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return response.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : {}
  }

let numbers = 0

const next = (): number => {
  numbers += 1
  return numbers
}

const casesById = async (database: pg.ClientBase, organizationId: string, caseIds: ReadonlyArray<string>) => {
  const { rows } = await database.query<SeededCase>(
    `SELECT c.id AS "caseId", c.short_id AS "shortId", u.id AS "userId", u.email, u.phone_number AS "phoneNumber", c.status
     FROM cases.cases c JOIN auth.users u ON u.organization_id = c.organization_id AND u.id = c.user_id
     WHERE c.organization_id = $1 AND c.id = ANY($2::uuid[])`,
    [organizationId, caseIds]
  )
  return rows
}

/** The parts of a world beside those of `startBench`: the seeded cases, a bundle, and the URL of a small file. */
interface Seeds {
  readonly caseIds: ReadonlyArray<string>
  readonly bundleId: string
  readonly fileUrl: string
}

/** Makes a world of the seeded cases with the given ids. */
export const makeWorld = async (bench: Bench, { bundleId, caseIds, fileUrl }: Seeds): Promise<World> => {
  const { database, gatewayUrl, organizationId, phiKey, productId, providerIds, stripe } = bench
  const fresh = await casesById(database, organizationId, caseIds)

  // Takes an unused seeded case, with a status if one is given.
  const take = async (status?: string): Promise<SeededCase> => {
    const index = fresh.findIndex((seeded) => status === undefined || seeded.status === status)
    const [match] = index < 0 ? [] : fresh.splice(index, 1)
    if (match === undefined) throw new Error(`All seeded cases are used up, ${status ?? "of any status"}`)
    return match
  }

  const query: Query = async (_service, statement, values) =>
    (await database.query<object>(statement, [...values])).rows
  let endpoint: Promise<string> | undefined
  const send = makeSend(bench)

  const fixtures = makeFixtures({
    organizationId,
    productId,
    providerId: providerIds[0] ?? "",
    fileUrl,
    text: "A note.",
    next,
    person: async () => newPatient(),
    newEmail: async () => `moved${next()}@example.com`,
    send,
    query,
    stripe,
    seeds: {
      case: () => take(),
      assignedCase: () => take("ASSIGNED"),
      formerCase: () => take("APPROVED"),
      bundleId: async () => bundleId,
      promoCode: async () => "SPRING100",
      paidIntentId: async () => `pi_${10 * next()}`,
      endpointId: () => {
        endpoint ??= makeEndpoint(send, database, organizationId)
        return endpoint
      }
    }
  })
  return { fixtures, database, gatewayUrl, phiKey, jobsDone: () => untilNoJobIsDue(query) }
}
