import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { UserId } from "../Ids.ts"
import type { PaymentSnapshot } from "../payments/PaymentSnapshot.ts"
import { CaseStatus, providerStatuses } from "./CaseStatus.ts"
import { type CaseMove, type CaseState, changesOf, moveApplies } from "./caseTransitions.ts"
import { paymentMoveOf } from "./paymentMoveOf.ts"

type Outcome = PaymentSnapshot["outcome"]

const provider = UserId.make("00000000-0000-4000-8000-00000000000a")
const at = new Date(1)
const failureNote = "Payment intent failed"

const caseState = (status: CaseStatus, archiveNote?: string): CaseState => ({
  status,
  isSole: false,
  assignedTo: providerStatuses.includes(status) ? provider : null,
  assignedBy: null,
  assignedAt: providerStatuses.includes(status) ? at : null,
  inProgressAt: null,
  isArchived: archiveNote !== undefined,
  closedAt: archiveNote === undefined ? null : at,
  archiveReason: null,
  archiveNote: archiveNote ?? null
})

const afterPayment = (before: CaseState, known: Outcome, reported: Outcome): CaseState => {
  const name = paymentMoveOf(before, known, reported)
  if (name === undefined) return before
  const move = name === "paymentFailed" ? { name, archiveNote: failureNote } : { name }
  return { ...before, ...changesOf(move, at) }
}

const archiveReasons = {
  "not archived": undefined,
  "closed by somebody": "moved to Nevada",
  "its payment failed": failureNote
}

const outcomeChanges: Readonly<Record<string, readonly [known: Outcome, reported: Outcome]>> = {
  "it succeeded": [null, "SUCCEEDED"],
  "it succeeded after it failed": ["FAILED", "SUCCEEDED"],
  "it succeeded, again": ["SUCCEEDED", "SUCCEEDED"],
  "it failed": [null, "FAILED"],
  "it failed, again": ["FAILED", "FAILED"],
  "it failed, after it succeeded": ["SUCCEEDED", "FAILED"],
  "another change": [null, null],
  "another change after it failed": ["FAILED", null],
  "another change after it succeeded": ["SUCCEEDED", null]
}

const opened = caseState("OPEN")
const closed = caseState("ABANDONED", failureNote)

/**
 * The effects of the payment's outcomes on an ABANDONED case, in the order of `archiveReasons`. Where none is listed, the case does not
 * change.
 */
const effects: Readonly<Record<string, ReadonlyArray<CaseState | undefined>>> = {
  "it succeeded": [opened, opened, opened],
  "it succeeded after it failed": [opened, opened, opened],
  "it failed": [closed, undefined, undefined]
}

describe("the effect of a payment's outcome on the case that began with it", () => {
  for (const status of CaseStatus.literals) {
    for (const [column, [why, note]] of Object.entries(archiveReasons).entries()) {
      for (const [name, [known, reported]] of Object.entries(outcomeChanges)) {
        const before = caseState(status, note)
        const expected = (status === "ABANDONED" && effects[name]?.[column]) || before
        const effect =
          expected === before ? "nothing" : `${expected.status}, ${expected.isArchived ? "" : "not "}archived`
        it(`${status}, ${why}; ${name}: ${effect}`, () => {
          assert.deepStrictEqual(afterPayment(before, known, reported), expected)
        })
      }
    }
  }
})

const decisions = ["approve", "reject", "leaveUndecided"] as const
const actions: ReadonlyArray<CaseMove> = [
  { name: "assign", providerId: provider },
  { name: "start" },
  ...decisions.map((name) => ({ name, decisionId: "decided" })),
  { name: "open" },
  { name: "close", archiveNote: "moved to Nevada" },
  { name: "reopen" }
]

/** The outcomes of a payment, each at the index of its version less one. */
const anyIntentState = fc.constantFrom<ReadonlyArray<Outcome>>(
  [null, "FAILED", "SUCCEEDED", "SUCCEEDED"],
  [null, "SUCCEEDED", "SUCCEEDED", "SUCCEEDED"],
  [null, "FAILED", "FAILED", "FAILED"]
)

type Step = { readonly action: CaseMove } | { readonly version: number }

// A snapshot may arrive late, twice, before an older one, or never.
const anySteps = fc.array(
  fc.oneof(fc.record({ action: fc.constantFrom(...actions) }), fc.record({ version: fc.nat({ max: 3 }) })),
  { maxLength: 30 }
)

interface TrackedCase {
  readonly state: CaseState
  readonly version: number
  readonly outcome: Outcome
}

const applyStep = (
  outcomes: ReadonlyArray<Outcome>,
  { outcome, state, version }: TrackedCase,
  step: Step
): TrackedCase => {
  if ("action" in step) {
    const { action } = step
    const after = moveApplies(action.name, state) ? { ...state, ...changesOf(action, at) } : state
    return { outcome, version, state: after }
  }
  const reported = outcomes[step.version] ?? null
  return step.version + 1 <= version
    ? { outcome, version, state }
    : { outcome: reported, version: step.version + 1, state: afterPayment(state, outcome, reported) }
}

const initial = (status: CaseStatus): TrackedCase => ({ state: caseState(status), version: 0, outcome: null })

describe("late, repeated and unordered snapshots of a payment, between actions of the care team and partners", () => {
  it("change nothing of a case that was opened, whatever was done with it since", () => {
    fc.assert(
      fc.property(
        anyIntentState,
        anySteps,
        fc.constantFrom<CaseStatus>("ABANDONED", "OPEN"),
        (outcomes, steps, begin) => {
          const end = steps.reduce<{ readonly all: TrackedCase; readonly withoutUpdate: TrackedCase }>(
            ({ all, withoutUpdate }, step) => {
              const after = applyStep(outcomes, all, step)
              const isLate = "version" in step && all.state.status !== "ABANDONED"
              return { all: after, withoutUpdate: isLate ? withoutUpdate : applyStep(outcomes, withoutUpdate, step) }
            },
            { all: initial(begin), withoutUpdate: initial(begin) }
          )
          assert.deepStrictEqual(end.all.state, end.withoutUpdate.state)
        }
      )
    )
  })

  it("open a case at most once, and close it at most once before that", () => {
    fc.assert(
      fc.property(anyIntentState, anySteps, (outcomes, steps) => {
        const moved: Array<string> = []
        steps.reduce<TrackedCase>((tracked, step) => {
          const after = applyStep(outcomes, tracked, step)
          if ("version" in step && after.state !== tracked.state) moved.push(after.state.status)
          return after
        }, initial("ABANDONED"))
        assert.include(["", "OPEN", "ABANDONED", "ABANDONED OPEN"], moved.join(" "))
      })
    )
  })

  it("lead to the same end in any order, once all have come and nobody else acts", () => {
    fc.assert(
      fc.property(anyIntentState, fc.array(fc.nat({ max: 3 }), { maxLength: 10 }), (outcomes, order) => {
        const apply = (all: ReadonlyArray<number>) =>
          all.reduce((tracked, version) => applyStep(outcomes, tracked, { version }), initial("ABANDONED"))
        assert.deepStrictEqual(apply([...order, 3]).state, apply([0, 1, 2, 3]).state)
      })
    )
  })
})
