import { endpoints } from "@care/domain/endpoints"
import { eventTypeOf } from "@care/domain/webhooks"
import { assert, it } from "@effect/vitest"
import { contracts, internalContracts } from "../operations/contracts.ts"
import { staleExceptions } from "./harness/markedRequest.ts"
import { marks } from "./harness/sendMarkedRequests.ts"

// The compiler has checked by the paths that no entry is missing or superfluous.
it("the table has every operation of the contracts, by caller", () => {
  assert.strictEqual(contracts.length + internalContracts.length, endpoints.length)
  assert.isTrue(contracts.every(({ caller }) => caller !== undefined && caller !== "service"))
  assert.isTrue(internalContracts.every(({ caller }) => caller === "service"))
})

it("every write of partners counts for a quota, or records no activity with an event, or has a reason why it is not counted", () => {
  for (const { addsToQuota, caller, id, entry, method } of contracts) {
    const isWrite = caller === "partner" && method !== "GET"
    const declared = [addsToQuota, entry.addsNothing !== undefined, entry.uncounted !== undefined].filter((is) => is)
    assert.lengthOf(declared, isWrite || addsToQuota ? 1 : 0, id)
    const events = (entry.addsNothing ?? []).filter((activity) => eventTypeOf(activity) !== undefined)
    assert.deepStrictEqual(events, [], `${id} adds events: annotate it with AddsTo`)
  }
})

it("no entry names an exception for a field that its contract does not have", () => {
  assert.deepStrictEqual(
    contracts.flatMap((contract) => staleExceptions(contract, marks).map((path) => `${contract.id} ${path}`)),
    []
  )
})
