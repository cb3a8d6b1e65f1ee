import { setTimeout } from "node:timers/promises"
import type pg from "pg"
import type { Bench } from "../startBench.ts"
import { untilNoJobIsDue } from "./jobRuns.ts"
import { type Caller, makeCaller } from "./makeCaller.ts"

/** A case that was seeded, with its patient. */
interface SeededCase {
  readonly caseId: string
  readonly userId: string
  readonly email: string
  readonly phoneNumber: string
  readonly status: string
}

const isText = (value: unknown): value is string => typeof value === "string"

/** The text at a path inside a JSON value. */
export const textAt = (value: unknown, ...path: ReadonlyArray<string | number>): string => {
  const found = path.reduce<unknown>((inner, step) => Object(inner)[step], value)
  if (!isText(found)) throw new Error(`There is no text at ${path.join(".")} in ${JSON.stringify(value).slice(0, 300)}`)
  return found
}

/** What operations are prepared with. */
export interface World
  extends Pick<
    Bench,
    | "organizationId"
    | "productId"
    | "database"
    | "gatewayUrl"
    | "phiKey"
    | "webhookSecret"
    | "schedulingSecret"
    | "eventSecret"
    | "stripe"
  > {
  readonly providerId: string
  readonly partner: Caller
  readonly operator: Caller
  readonly bundleId: string
  /** A URL of a small file. */
  readonly fileUrl: string
  /** A setup intent that is confirmed. */
  readonly setupIntentId: string
  /** A seeded case, of a status if one is given, that nothing was done with yet. */
  readonly take: (status?: string) => SeededCase
  /** A number that nobody had yet. */
  readonly next: () => number
  /** The code that a patient was sent. */
  readonly codeSentTo: (email: string) => Promise<string>
  /** Signs a seeded patient in: their access and refresh tokens. */
  readonly signIn: () => Promise<{ readonly access: string; readonly refresh: string }>
  readonly jobsDone: () => Promise<void>
}

const casesById = async (database: pg.ClientBase, organizationId: string, caseIds: ReadonlyArray<string>) => {
  const { rows } = await database.query<SeededCase>(
    `SELECT c.id AS "caseId", u.id AS "userId", u.email, u.phone_number AS "phoneNumber", c.status
     FROM cases.cases c JOIN auth.users u ON u.organization_id = c.organization_id AND u.id = c.user_id
     WHERE c.organization_id = $1 AND c.id = ANY($2::uuid[])`,
    [organizationId, caseIds]
  )
  return rows
}

let numbers = 0

/** A world of the seeded cases with the given ids. */
export const makeWorld = async (
  bench: Bench,
  {
    caseIds,
    ...made
  }: Pick<World, "bundleId" | "fileUrl" | "setupIntentId"> & { readonly caseIds: ReadonlyArray<string> }
): Promise<World> => {
  const {
    database,
    eventSecret,
    gatewayUrl,
    key,
    organizationId,
    phiKey,
    productId,
    providerIds,
    stripe,
    token,
    schedulingSecret,
    webhookSecret
  } = bench
  const fresh = await casesById(database, organizationId, caseIds)
  const partner = makeCaller(gatewayUrl, { "cv-api-key": key })
  const operator = makeCaller(gatewayUrl, { authorization: `Bearer ${token}` })

  const take = (status?: string): SeededCase => {
    const index = fresh.findIndex((seeded) => status === undefined || seeded.status === status)
    const [taken] = index < 0 ? [] : fresh.splice(index, 1)
    if (taken === undefined) throw new Error(`All seeded cases are used up, ${status ?? "of any status"}`)
    return taken
  }

  const codeSentTo = async (email: string): Promise<string> => {
    for (;;) {
      const { data } = await operator.get(`/admin/v1/messages?to=${encodeURIComponent(email)}`)()
      const code = /\b\d{6}\b/.exec(JSON.stringify(Array.isArray(data) ? data.map(({ text }) => text) : []))?.[0]
      if (code !== undefined) return code
      await setTimeout(2)
    }
  }

  const signIn = async () => {
    const { email } = take()
    await partner.post("/api/v1/users/auth/send-otp", { email })()
    const code = await codeSentTo(email)
    const tokens = await partner.post("/api/v1/users/auth/verify-otp", { email, code })()
    return { access: textAt(tokens, "accessToken"), refresh: textAt(tokens, "refreshToken") }
  }

  return {
    organizationId,
    productId,
    database,
    gatewayUrl,
    phiKey,
    webhookSecret,
    schedulingSecret,
    eventSecret,
    ...made,
    stripe,
    partner,
    operator,
    take,
    codeSentTo,
    signIn,
    providerId: providerIds[0] ?? "",
    next: () => {
      numbers += 1
      return numbers
    },
    jobsDone: () => untilNoJobIsDue(database)
  }
}
