import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Contract, contractOf, contracts } from "../../operations/contracts.ts"
import type { Fixtures } from "../../operations/Fixtures.ts"
import type { OperationId } from "../../operations/ids.ts"
import type { MakeRequest } from "../../operations/Operation.ts"
import type { Request } from "../../operations/Request.ts"
import type { Answer } from "./call.ts"
import { healthMarker, markedPerson, organizationMarker, personMarkers } from "./canary/markers.ts"
import {
  mapFixtures,
  memoizeFixtures,
  type Partner,
  patientsNamed,
  type SentRequest,
  sendOperation
} from "./fixturesOf.ts"
import { type Marks, markedRequest, unmarkedFieldsOf } from "./markedRequest.ts"

/** A request of an operation, with its response. */
export interface AcceptedOperation {
  readonly contract: Contract
  readonly request: Request
  readonly sentRequest: SentRequest
  readonly answer: Answer
}

/** Returns fixtures that record the ids and texts they return. */
export const recordFixtureTexts = (fixtures: Fixtures) => {
  const fixtureTexts = new Set<string>()
  const record = (text: string) => {
    fixtureTexts.add(text)
    return text
  }
  return { fixtures: mapFixtures(fixtures, record), fixtureTexts }
}

/** The marks of all texts: about health, about the organization, and of a patient's identity. */
export const marks: Marks = {
  ...markedPerson,
  text: healthMarker,
  organizationText: organizationMarker,
  names: personMarkers
}

/** Makes patients with the marked identity. Only the first one has the marked phone number. */
export const markedPatients = () =>
  patientsNamed(healthMarker, (count) => ({
    firstName: markedPerson.firstName,
    lastName: markedPerson.lastName,
    street: markedPerson.street,
    email: count === 1 ? markedPerson.email : markedPerson.email.replace("@", `.${count}@`),
    ...(count === 1 && { phoneNumber: markedPerson.phoneNumber })
  }))

/**
 * Sends requests of operations, by default of all, with a mark in every text field. Fails unless all are accepted, and each text field had a
 * mark in at least one request.
 */
export const sendMarkedRequests = Effect.fnUntraced(function* (
  partner: Partner,
  fixtures: Fixtures,
  marks: Marks,
  ids: ReadonlyArray<OperationId> = contracts.map(({ id }) => id)
) {
  const { fixtureTexts, fixtures: recorded } = recordFixtureTexts(fixtures)
  // Reads may share their fixtures.
  const shared = memoizeFixtures(recorded)
  const acceptedOperations: Array<AcceptedOperation> = []
  const send = Effect.fnUntraced(function* (contract: Contract, makeRequest: MakeRequest) {
    const plainRequest = yield* Effect.promise(async () => makeRequest(contract.method === "GET" ? shared : recorded))
    const request = markedRequest(contract, plainRequest, marks, fixtureTexts)
    const { sentRequest, ...answer } = yield* sendOperation(partner, contract, request)
    acceptedOperations.push({ contract, request, sentRequest, answer })
  })
  const selected = ids.map(contractOf)
  for (const contract of selected) yield* send(contract, contract.entry.request)
  for (const contract of selected) {
    for (const makeRequest of Object.values(contract.entry.variants ?? {})) yield* send(contract, makeRequest)
  }
  const refused = acceptedOperations.filter(({ answer }) => answer.status >= 400)
  assert.deepStrictEqual(
    refused.map(({ answer: { json, status }, contract: { id } }) => `${id} ${status} ${JSON.stringify(json)}`),
    [],
    "a request with marks in all texts was refused: name the fields that take none in test/operations"
  )
  const missing = selected.flatMap((contract) => {
    const requests = acceptedOperations
      .filter((operation) => operation.contract === contract)
      .map(({ request }) => request)
    return unmarkedFieldsOf(contract, requests, marks, fixtureTexts).map((path) => `${contract.id} ${path}`)
  })
  assert.deepStrictEqual(missing, [], "a text of a contract is in no request of test/operations")
  return acceptedOperations
})
