import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Contract, contractOf, contracts } from "../../operations/contracts.ts"
import type { Fixtures } from "../../operations/Fixtures.ts"
import type { OperationId } from "../../operations/ids.ts"
import type { Recipe } from "../../operations/Operation.ts"
import type { Request } from "../../operations/Request.ts"
import type { Answer } from "./call.ts"
import { health, names, own, person } from "./canary/markers.ts"
import { ask, changed, eachOnce, patientsWho, type Sent } from "./fixturesOf.ts"
import { type Marks, plantedRequest, unplanted } from "./planted.ts"

/** A request of an operation that was answered. */
export interface Asked {
  readonly contract: Contract
  readonly request: Request
  readonly sent: Sent
  readonly answer: Answer
}

/** Fixtures, and the ids and texts that they were asked for. */
export const remembered = (of: Fixtures) => {
  const made = new Set<string>()
  const remember = (text: string) => {
    made.add(text)
    return text
  }
  return { of: changed(of, remember), made }
}

/** How patients and an organization are marked that tell everything. */
export const marks: Marks = { ...person, text: health, own, names }

/** Patients with the marked names, of whom the first alone has the marked number. */
export const markedPatients = () =>
  patientsWho(health, (count) => ({
    firstName: person.firstName,
    lastName: person.lastName,
    street: person.street,
    email: count === 1 ? person.email : person.email.replace("@", `.${count}@`),
    ...(count === 1 && { phoneNumber: person.phoneNumber })
  }))

/**
 * Asks for operations, for all when none are named, with a mark in every text that their contracts have. Fails unless all are
 * accepted, and no text of a contract was without a mark in all requests.
 */
export const tellAll = Effect.fnUntraced(function* (
  key: string,
  fixtures: Fixtures,
  marks: Marks,
  ids: ReadonlyArray<OperationId> = contracts.map(({ id }) => id)
) {
  const { made, of } = remembered(fixtures)
  // What is only read may be the same for all.
  const same = eachOnce(of)
  const asked: Array<Asked> = []
  const tell = Effect.fnUntraced(function* (contract: Contract, recipe: Recipe) {
    const named = yield* Effect.promise(async () => recipe(contract.method === "GET" ? same : of))
    const request = plantedRequest(contract, named, marks, made)
    const { sent, ...answer } = yield* ask(key, contract, request)
    asked.push({ contract, request, sent, answer })
  })
  const wanted = ids.map(contractOf)
  for (const contract of wanted) yield* tell(contract, contract.line.request)
  for (const contract of wanted) {
    for (const recipe of Object.values(contract.line.also ?? {})) yield* tell(contract, recipe)
  }
  const refused = asked.filter(({ answer }) => answer.status >= 300)
  assert.deepStrictEqual(
    refused.map(({ answer: { json, status }, contract: { id } }) => `${id} ${status} ${JSON.stringify(json)}`),
    [],
    "a good request was refused, with marks in all of its texts: say in test/operations which field takes none"
  )
  const missing = wanted.flatMap((contract) => {
    const requests = asked.filter((one) => one.contract === contract).map(({ request }) => request)
    return unplanted(contract, requests, marks, made).map((path) => `${contract.id} ${path}`)
  })
  assert.deepStrictEqual(missing, [], "a text of a contract is in no request of test/operations")
  return asked
})
