import { assert, it } from "@effect/vitest"
import { contracts, internalContracts } from "../operations/contracts.ts"
import { internalOperations, operations } from "../operations.ts"
import { staleExceptions } from "./harness/planted.ts"
import { marks } from "./harness/tellAll.ts"

// That no other line is there, and none is missing, the compiler has seen to by the paths.
it("the table has every operation of the contracts", () => {
  assert.sameMembers(
    contracts.map(({ id }) => id),
    Object.keys(operations)
  )
  assert.sameMembers(
    internalContracts.map(({ id }) => id),
    Object.keys(internalOperations)
  )
  for (const { caller } of contracts) assert.notStrictEqual(caller, "service")
  for (const { caller } of internalContracts) assert.strictEqual(caller, "service")
})

it("every write of partners adds to what has a quota, or says why it does not", () => {
  for (const { adds, caller, id, line, method } of contracts) {
    const isWrite = caller === "partner" && method !== "GET"
    assert.strictEqual(isWrite, adds || line.addsNothing !== undefined, id)
    assert.isFalse(adds && line.addsNothing !== undefined, id)
  }
})

it("no line makes an exception of a field that its contract does not have", () => {
  assert.deepStrictEqual(
    contracts.flatMap((contract) => staleExceptions(contract, marks).map((path) => `${contract.id} ${path}`)),
    []
  )
})
