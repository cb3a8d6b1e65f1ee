import { Cause, Effect } from "effect"
import type { Contract } from "../../../operations/contracts.ts"
import type { MakeRequest } from "../../../operations/Operation.ts"
import { addEndpoint } from "../endpoints.ts"
import { makeClinic } from "../fixtures.ts"
import { fixturesOf, patientsNamed, sendOperation } from "../fixturesOf.ts"

/** Returns the requests of operations: one of each, and one of each of its variants. */
export const requestsOf = (
  contracts: ReadonlyArray<Contract>
): ReadonlyArray<{ readonly contract: Contract; readonly makeRequest: MakeRequest }> =>
  contracts.flatMap((contract) =>
    [contract.entry.request, ...Object.values(contract.entry.variants ?? {})].map((makeRequest) => ({
      contract,
      makeRequest
    }))
  )

/**
 * Sends requests, one after the other and again and again until it is told to end, for an organization of its own whose
 * events go to a receiver. Begins at a `share` of the list, and calls `sent` after each. Adds a line to `failures` for each that was not
 * accepted.
 */
export const sendAllOperations = Effect.fnUntraced(function* (
  requests: ReturnType<typeof requestsOf>,
  receiverUrl: string,
  failures: Array<string>,
  { isOver, sent, share }: { readonly isOver: () => boolean; readonly sent: () => void; readonly share: number }
) {
  const clinic = yield* makeClinic
  yield* addEndpoint(clinic, { url: `${receiverUrl}/${clinic.organizationId}` })
  const fixtures = yield* fixturesOf(clinic, patientsNamed("Rosa"))
  const first = Math.floor(share * requests.length)
  const ordered = [...requests.slice(first), ...requests.slice(0, first)]
  while (!isOver()) {
    for (const { contract, makeRequest } of ordered) {
      if (isOver()) return
      yield* Effect.gen(function* () {
        const request = yield* Effect.promise(async () => makeRequest(fixtures))
        const { json, status } = yield* sendOperation(clinic, contract, request)
        if (status >= 400) failures.push(`${contract.id} ${status} ${JSON.stringify(json)}`)
      }).pipe(Effect.catchCause((cause) => Effect.sync(() => failures.push(`${contract.id} ${Cause.squash(cause)}`))))
      sent()
    }
  }
})
