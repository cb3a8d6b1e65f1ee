import { assert, describe, it } from "@effect/vitest"
import { OrderStatus } from "./Order.ts"
import { canTransition, type OrderMover } from "./orderTransitions.ts"

const movers: ReadonlyArray<OrderMover> = ["handOver", "pharmacy", "backOffice"]
const path: ReadonlyArray<OrderStatus> = ["PENDING", "SUBMITTED", "SHIPPED", "DELIVERED"]
const ends: ReadonlyArray<OrderStatus> = ["DELIVERED", "CANCELED"]

const moves = movers.flatMap((mover) =>
  OrderStatus.literals.flatMap((from) =>
    OrderStatus.literals.filter((to) => canTransition(mover, from, to)).map((to) => ({ mover, from, to }))
  )
)

describe("the moves of orders", () => {
  it("lead only forward, and never out of an end", () => {
    assert.isAbove(moves.length, 20)
    for (const { from, mover, to } of moves) {
      const text = `${mover}: ${from} -> ${to}`
      assert.notInclude(ends, from, text)
      assert.notStrictEqual(to, "PENDING", text)
      if (path.includes(from) && path.includes(to)) assert.isAbove(path.indexOf(to), path.indexOf(from), text)
      if (from === "SHIPPED") assert.notStrictEqual(to, "CANCELED", text)
    }
  })

  it("lead from the beginning to each end, by a callback of the pharmacy and by the back office", () => {
    for (const mover of ["pharmacy", "backOffice"] as const) {
      for (const to of ["SUBMITTED", "SHIPPED", "DELIVERED", "CANCELED", "ERROR"] as const) {
        assert.isTrue(canTransition(mover, "PENDING", to), `${mover}: ${to}`)
      }
    }
    const byJob = moves.filter(({ mover }) => mover === "handOver").map(({ from, to }) => `${from} ${to}`)
    assert.sameMembers(byJob, [
      "PENDING SUBMITTED",
      "ERROR SUBMITTED",
      "PENDING CANCELED",
      "ERROR CANCELED",
      "PENDING ERROR"
    ])
  })
})
