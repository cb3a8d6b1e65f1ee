import { assert, describe, it } from "@effect/vitest"
import { UserId } from "../Ids.ts"
import { activeStatuses, CaseStatus, providerStatuses } from "./CaseStatus.ts"
import { type CaseMove, type CaseState, caseTransitions, changesOf, moveApplies } from "./caseTransitions.ts"

const provider = UserId.make("00000000-0000-4000-8000-00000000000a")
const at = new Date(1)

const moves: ReadonlyArray<CaseMove> = [
  { name: "assign", providerId: provider },
  { name: "assign", providerId: provider, assignedBy: provider },
  { name: "take", providerId: provider },
  { name: "release" },
  { name: "start" },
  { name: "approve", decisionId: "decided" },
  { name: "reject", decisionId: "decided" },
  { name: "leaveUndecided", decisionId: "decided" },
  { name: "open" },
  { name: "close", archiveNote: "note" },
  { name: "reopen" },
  { name: "paymentFailed", archiveNote: "Payment intent failed" },
  { name: "paymentSucceeded" }
]

const created = (status: CaseStatus, isSole: boolean): CaseState => ({
  status,
  isSole,
  assignedTo: null,
  assignedBy: null,
  assignedAt: null,
  inProgressAt: null,
  isArchived: false,
  closedAt: null,
  archiveReason: null,
  archiveNote: null
})

/** Every move that a case can make, with the states before and after it. */
const steps = (() => {
  const visited = new Map<string, CaseState>()
  const reached: Array<{ readonly before: CaseState; readonly move: CaseMove; readonly after: CaseState }> = []
  const visit = (state: CaseState): void => {
    const key = JSON.stringify(state)
    if (visited.has(key)) return
    visited.set(key, state)
    for (const move of moves.filter(({ name }) => moveApplies(name, state))) {
      const after = { ...state, ...changesOf(move, at) }
      reached.push({ before: state, move, after })
      visit(after)
    }
  }
  for (const state of [created("OPEN", true), created("OPEN", false), created("ABANDONED", false)]) visit(state)
  return reached
})()

describe("the transitions of cases", () => {
  it("every state and every move is visited", () => {
    assert.deepStrictEqual([...new Set(steps.map(({ move }) => move.name))].sort(), Object.keys(caseTransitions).sort())
    const reached = new Set(steps.map(({ before }) => `${before.status} ${before.isArchived}`))
    assert.strictEqual(reached.size, CaseStatus.literals.length * 2)
  })

  it("a case is consistent after every sequence of moves", () => {
    for (const { after, before, move } of steps) {
      const {
        archiveNote,
        archiveReason,
        assignedAt,
        assignedBy,
        assignedTo,
        closedAt,
        inProgressAt,
        isArchived,
        isSole,
        status
      } = after
      const description = `${JSON.stringify(before)} ${move.name} ${JSON.stringify(after)}`
      assert.strictEqual(closedAt !== null, isArchived, description)
      assert.isTrue(isArchived || (archiveNote === null && archiveReason === null), description)
      assert.strictEqual(assignedTo !== null, providerStatuses.includes(status), description)
      assert.strictEqual(assignedAt !== null, assignedTo !== null, description)
      assert.isTrue(assignedBy === null || assignedTo !== null, description)
      assert.isTrue(inProgressAt === null || (providerStatuses.includes(status) && status !== "ASSIGNED"), description)
      assert.isTrue(inProgressAt !== null || status !== "IN_PROGRESS", description)
      assert.isTrue(!isSole || (before.isSole && activeStatuses.includes(status) && !isArchived), description)
      assert.isTrue(status !== "ABANDONED" || before.status === "ABANDONED", description)
    }
  })

  it("each move leads from and to the states of the specification", () => {
    const transitionsOf = (name: CaseMove["name"]) => [
      ...new Set(
        steps
          .filter(({ move }) => move.name === name)
          .map(({ after, before }) =>
            [before, after].map((state) => `${state.status}${state.isArchived ? " archived" : ""}`).join(" -> ")
          )
      )
    ]
    const all = CaseStatus.literals
    assert.sameMembers(transitionsOf("assign"), ["OPEN -> ASSIGNED", "ASSIGNED -> ASSIGNED"])
    assert.sameMembers(transitionsOf("release"), ["ASSIGNED -> OPEN"])
    assert.sameMembers(transitionsOf("start"), ["ASSIGNED -> IN_PROGRESS"])
    for (const [name, to] of [
      ["approve", "APPROVED"],
      ["reject", "REJECTED"],
      ["leaveUndecided", "NO_DECISION"]
    ] as const) {
      const undecidable: ReadonlyArray<CaseStatus> = ["OPEN", "ABANDONED"]
      assert.sameMembers(
        transitionsOf(name),
        all.filter((status) => !undecidable.includes(status)).map((status) => `${status} -> ${to}`)
      )
    }
    assert.sameMembers(transitionsOf("open"), ["ASSIGNED -> OPEN", "ABANDONED -> OPEN", "OPEN -> OPEN"])
    assert.sameMembers(
      transitionsOf("close"),
      all.map((status) => `${status} -> ${status} archived`)
    )
    assert.sameMembers(
      transitionsOf("reopen"),
      all.map((status) => `${status} archived -> ${status}`)
    )
    assert.sameMembers(transitionsOf("paymentFailed"), ["ABANDONED -> ABANDONED archived"])
    assert.sameMembers(transitionsOf("paymentSucceeded"), ["ABANDONED -> OPEN", "ABANDONED archived -> OPEN"])
  })
})
