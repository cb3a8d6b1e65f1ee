import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { contracts } from "../../operations/contracts.ts"
import type { Fixtures } from "../../operations/Fixtures.ts"
import type { OperationId } from "../../operations/ids.ts"
import { admin } from "./call.ts"
import { makeClinic } from "./fixtures.ts"
import { changed, fixturesOf, patientsWho } from "./fixturesOf.ts"
import { tellAll } from "./tellAll.ts"

/** It is in every text that the organization and its patient have told. */
export const canary = "kanarienvogel"

const marks = {
  text: canary,
  own: canary,
  firstName: canary,
  lastName: canary,
  street: canary,
  names: [canary],
  phoneNumber: "+13102679431"
}

// What is told of the patient, beside what the fixtures tell.
const told: ReadonlyArray<OperationId> = [
  "backOffice.comment",
  "escalations.add",
  "calendarActions.create",
  "users.updateProfile"
]

/** An organization of which there is something of everything, all of one patient. */
export const makeTarget = Effect.gen(function* () {
  const clinic = yield* makeClinic
  const { organizationId, productId } = clinic
  const { id: bundleId } = (yield* admin("POST", `/organizations/${organizationId}/bundles`, {
    name: canary,
    description: canary,
    imageUrl: `https://example.com/${canary}.png`,
    price: "10.00",
    priceUnit: "USD",
    initialDiscount: "0.00",
    isSoldOut: false,
    isVisible: true,
    productIds: [productId]
  })).json
  const of = yield* fixturesOf(clinic, patientsWho(canary), { isOne: true, bundleId: async () => bundleId })
  yield* tellAll(clinic.key, of, marks, told)
  const patient = yield* Effect.promise(() => of.case())
  return { ...patient, clinic, of, bundleId }
})

export type Target = Effect.Success<typeof makeTarget>

/** What a partner would ask for with the ids and texts of another organization: each operation of the contracts. */
export const attemptsWith = (of: Fixtures, attackerId: string) =>
  Effect.forEach(
    contracts.filter(({ caller }) => caller === "partner" || caller === "link"),
    (contract) =>
      Effect.promise(async () => {
        const { foreign, request } = contract.line
        const made = await (foreign?.request ?? request)(of)
        const isSaid = made.query?.["organizationId"] !== undefined
        return { contract, request: isSaid ? { ...made, query: { ...made.query, organizationId: attackerId } } : made }
      })
  )

/** The same fixtures of nobody: ids, addresses and tokens that were never given out. */
export const ofNobody = (of: Fixtures): Fixtures =>
  changed(of, (text) => {
    if (text.includes("@")) return `nobody.${randomUUID()}@example.com`
    if (/^(seti|pi)_/.test(text)) return `${text.split("_", 1).join("")}_unknown`
    // Words, times, phone numbers and postal codes are nobody's already.
    if (!/\d/.test(text) || (/^(\+|\d)/.test(text) && text.length < 30)) return text
    return /^http|[0-9a-f]{8}-[0-9a-f-]{27}/.test(text)
      ? text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, () => randomUUID())
      : `unknown-${randomUUID()}`
  })
