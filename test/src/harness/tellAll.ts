import { Effect } from "effect"
import { type Contract, contracts } from "../../operations/contracts.ts"
import type { Fixtures } from "../../operations/Fixtures.ts"
import type { Recipe } from "../../operations/Operation.ts"
import type { Request } from "../../operations/Request.ts"
import type { Answer } from "./call.ts"
import { ask, changed } from "./fixturesOf.ts"
import { type Marks, plantedRequest, unplanted } from "./planted.ts"

/** A request of an operation that was answered. */
export interface Asked {
  readonly contract: Contract
  readonly request: Request
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

/**
 * Asks for every operation, each time with a mark in every text that its contract has, of which some may be left out. Fails unless all
 * are accepted, and no text of any contract was without a mark in all requests.
 */
export const tellAll = Effect.fnUntraced(function* (
  key: string,
  fixtures: Fixtures,
  marks: Marks,
  isWanted: (contract: Contract) => boolean = () => true
) {
  const { made, of } = remembered(fixtures)
  const asked: Array<Asked> = []
  const tell = Effect.fnUntraced(function* (contract: Contract, recipe: Recipe) {
    const recipeRequest = yield* Effect.promise(async () => recipe(of))
    const request = plantedRequest(contract, recipeRequest, marks, made)
    asked.push({ contract, request, answer: yield* ask(key, contract, request) })
  })
  const wanted = contracts.filter(isWanted)
  for (const contract of wanted) yield* tell(contract, contract.line.request)
  for (const contract of wanted) {
    for (const recipe of Object.values(contract.line.also ?? {})) yield* tell(contract, recipe)
  }
  const refused = asked.filter(({ answer }) => answer.status >= 300)
  const missing = wanted.flatMap((contract) => {
    const requests = asked.filter((one) => one.contract === contract).map(({ request }) => request)
    return unplanted(contract, requests, marks, made).map((path) => `${contract.id} ${path}`)
  })
  return {
    asked,
    made,
    refused: refused.map(({ answer: { json, status }, contract: { id } }) => `${id} ${status} ${JSON.stringify(json)}`),
    missing
  }
})
