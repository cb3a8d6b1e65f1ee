import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { contracts } from "../../operations/contracts.ts"
import type { Fixtures } from "../../operations/Fixtures.ts"
import type { OperationId } from "../../operations/ids.ts"
import { admin } from "./call.ts"
import { type Clinic, makeClinic } from "./fixtures.ts"
import { fixturesOf, mapFixtures, patientsNamed } from "./fixturesOf.ts"
import { sendMarkedRequests } from "./sendMarkedRequests.ts"

/** The marker in every text of the target organization and its patient. */
export const targetMarker = "kanarienvogel"

const marks = {
  text: targetMarker,
  organizationText: targetMarker,
  firstName: targetMarker,
  lastName: targetMarker,
  street: targetMarker,
  names: [targetMarker],
  phoneNumber: "+13102679431"
}

// The operations that write about the patient, beside those of the fixtures.
const writes: ReadonlyArray<OperationId> = [
  "backOffice.comment",
  "escalations.add",
  "calendarActions.create",
  "users.updateProfile"
]

/** Fills an organization with data of every kind, all about one patient. */
export const makeTargetOf = Effect.fnUntraced(function* (clinic: Clinic) {
  const { organizationId, productId } = clinic
  const { id: bundleId } = (yield* admin("POST", `/organizations/${organizationId}/bundles`, {
    name: targetMarker,
    description: targetMarker,
    imageUrl: `https://example.com/${targetMarker}.png`,
    price: "10.00",
    priceUnit: "USD",
    initialDiscount: "0.00",
    isSoldOut: false,
    isVisible: true,
    productIds: [productId]
  })).json
  const fixtures = yield* fixturesOf(clinic, patientsNamed(targetMarker), {
    isSinglePatient: true,
    bundleId: async () => bundleId
  })
  yield* sendMarkedRequests(clinic, fixtures, marks, writes)
  const patient = yield* Effect.promise(() => fixtures.case())
  return { ...patient, clinic, fixtures, bundleId }
})

/** Makes an organization with data of every kind. */
export const makeTarget = Effect.flatMap(makeClinic, makeTargetOf)

export type Target = Effect.Success<typeof makeTarget>

/** Makes a request of each partner operation with the ids and texts of another organization. */
export const foreignRequests = (fixtures: Fixtures, attackerId: string) =>
  Effect.forEach(
    contracts.filter(({ caller }) => caller === "partner" || caller === "link"),
    (contract) =>
      Effect.promise(async () => {
        const { foreign, request } = contract.entry
        const foreignRequest = await (foreign?.request ?? request)(fixtures)
        const namesOrganization = foreignRequest.query?.["organizationId"] !== undefined
        return {
          contract,
          request: namesOrganization
            ? { ...foreignRequest, query: { ...foreignRequest.query, organizationId: attackerId } }
            : foreignRequest
        }
      })
  )

/** Returns the same fixtures with ids, addresses and tokens that do not exist. */
export const unknownFixtures = (fixtures: Fixtures): Fixtures =>
  mapFixtures(fixtures, (text) => {
    if (text.includes("@")) return `nobody.${randomUUID()}@example.com`
    if (/^(seti|pi)_/.test(text)) return `${text.split("_", 1).join("")}_unknown`
    // Words, times, phone numbers and postal codes name no one, and stay. A random token may happen to have no digit.
    const isWords = !/\d/.test(text) && !/^[\w-]{40,}$/.test(text)
    if (isWords || (/^(\+|\d)/.test(text) && text.length < 30)) return text
    return /^http|[0-9a-f]{8}-[0-9a-f-]{27}/.test(text)
      ? text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, () => randomUUID())
      : `unknown-${randomUUID()}`
  })
