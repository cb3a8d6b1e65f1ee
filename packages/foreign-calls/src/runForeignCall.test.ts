import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as fc from "fast-check"
import { runForeignCall } from "./runForeignCall.ts"
import type { CallOutcome } from "./transitions.ts"

/** What happens to a call. With `FAILED_AFTER`, `UNKNOWN_AFTER` and `KILLED_AFTER` the provider has done it; a `LATE` call arrives later. */
type Trouble = CallOutcome | "FAILED_AFTER" | "UNKNOWN_AFTER" | "KILLED_AFTER" | "LATE"

interface ProviderKind {
  readonly troubles: ReadonlyArray<Trouble>
  /** How long the provider answers a repeated call like the first one under its key, also with a failure of its own. */
  readonly keepsKeys: "never" | "forADay" | "forEver"
  readonly canBeAsked: boolean
}

// The providers that we call are of these kinds.
const kinds: Readonly<Record<string, ProviderKind>> = {
  "keeps keys for a day, and its own failures with them": {
    troubles: ["REFUSED", "FAILED", "FAILED_AFTER", "KILLED_AFTER", "LATE"],
    keepsKeys: "forADay",
    canBeAsked: true
  },
  "keeps keys for ever, and shows nothing": {
    troubles: ["REFUSED", "UNTAKEN", "BUSY", "UNKNOWN", "UNKNOWN_AFTER", "KILLED_AFTER", "LATE"],
    keepsKeys: "forEver",
    canBeAsked: false
  },
  "knows no keys": {
    troubles: ["REFUSED", "UNTAKEN", "BUSY", "UNKNOWN", "UNKNOWN_AFTER", "KILLED_AFTER"],
    keepsKeys: "never",
    canBeAsked: true
  }
}

/** One run: what happens to its calls in turn, whether its look-ups fail, and where its process ends. */
interface Run {
  readonly calls: ReadonlyArray<Trouble>
  readonly looksFail: boolean
  readonly killed: "never" | "afterBegin" | "afterRaise" | "afterDrop"
  readonly isNextDay: boolean
  /** Whether late calls arrive before the run. All arrive within a day. */
  readonly isAfterLate: boolean
}

const healthy: Run = { calls: [], looksFail: false, killed: "never", isNextDay: false, isAfterLate: true }

const runsOf = ({ troubles }: ProviderKind) =>
  fc.array(
    fc.record({
      calls: fc.array(fc.constantFrom(...troubles), { maxLength: 4 }),
      looksFail: fc.boolean(),
      killed: fc.constantFrom<Run["killed"]>("never", "afterBegin", "afterRaise", "afterDrop"),
      isNextDay: fc.boolean(),
      isAfterLate: fc.boolean()
    }),
    { maxLength: 6 }
  )

const kill = Effect.die("killed")

/** The provider, and our stored record: the attempt under which the provider is called. */
class Simulation {
  done = 0
  attempt: number | undefined
  private highest = 0
  /** Whether the attempt is older than the provider keeps keys. */
  private isOld = false
  private readonly answers = new Map<number, "ANSWERED" | "FAILED">()
  private readonly late: Array<number> = []

  private readonly kind: ProviderKind
  constructor(kind: ProviderKind) {
    this.kind = kind
  }

  private readonly arrive = (attempt: number, answer: "ANSWERED" | "FAILED" = "ANSWERED") => {
    if (this.kind.keepsKeys !== "never" && this.answers.has(attempt)) return
    this.done += 1
    this.answers.set(attempt, answer)
  }

  private readonly call = (attempt: number, trouble: Trouble | undefined) =>
    Effect.suspend((): Effect.Effect<"done", CallOutcome> => {
      assert.strictEqual(attempt, this.attempt, "the attempt is stored before the call")
      const knownAnswer = this.kind.keepsKeys === "never" ? undefined : this.answers.get(attempt)
      if (knownAnswer === "ANSWERED") return Effect.succeed("done")
      if (knownAnswer === "FAILED") return Effect.fail("FAILED")
      switch (trouble) {
        case "FAILED":
          this.answers.set(attempt, "FAILED")
          return Effect.fail("FAILED")
        case "FAILED_AFTER":
          this.arrive(attempt, "FAILED")
          return Effect.fail("FAILED")
        case "UNKNOWN_AFTER":
          this.arrive(attempt)
          return Effect.fail("UNKNOWN")
        case "KILLED_AFTER":
          this.arrive(attempt)
          return kill
        case "LATE":
          this.late.push(attempt)
          return kill
        case "REFUSED":
          if (this.done > 0 || this.late.length > 0) break
          return Effect.fail("REFUSED")
        case undefined:
          break
        default:
          return Effect.fail(trouble)
      }
      this.arrive(attempt)
      return Effect.succeed("done")
    })

  private readonly store = (attempt: number | undefined, isLast: boolean) =>
    Effect.suspend(() => {
      if (attempt !== this.attempt) this.isOld = false
      this.attempt = attempt
      this.highest = Math.max(this.highest, attempt ?? 0)
      return isLast ? kill : Effect.void
    })

  readonly run = ({ calls, isAfterLate, isNextDay, killed, looksFail }: Run) => {
    if (isNextDay || isAfterLate) for (const attempt of this.late.splice(0)) this.arrive(attempt)
    if (isNextDay && this.kind.keepsKeys === "forADay") {
      this.answers.clear()
      this.isOld = true
    }
    const remainingTroubles = [...calls]
    const findResult = () => (looksFail ? kill : Effect.sync(() => (this.done > 0 ? "done" : undefined)))
    const isRepetition = this.attempt !== undefined && (this.isOld || this.kind.keepsKeys !== "forADay")
    return Effect.runSyncExit(
      runForeignCall({
        isRepetition,
        begin: Effect.suspend(() => {
          const attempt = this.attempt ?? this.highest + 1
          return Effect.as(this.store(attempt, killed === "afterBegin"), attempt)
        }),
        call: (attempt: number) => Effect.suspend(() => this.call(attempt, remainingTroubles.shift())),
        classify: (outcome) => outcome,
        discard: () => this.store(undefined, killed === "afterDrop"),
        nextAttempt: (attempt) => Effect.as(this.store(attempt + 1, killed === "afterRaise"), attempt + 1),
        ...(this.kind.canBeAsked && { findResult })
      })
    )
  }
}

describe("runForeignCall", () => {
  for (const [name, kind] of Object.entries(kinds)) {
    it(`a provider that ${name} does it once, whatever failed before and wherever processes ended`, () => {
      fc.assert(
        fc.property(runsOf(kind), (runs) => {
          const simulation = new Simulation(kind)
          for (const run of runs) {
            const exit = simulation.run(run)
            if (Exit.isSuccess(exit)) assert.strictEqual(simulation.done, 1)
            assert.isAtMost(simulation.done, 1)
            if (simulation.attempt === undefined)
              assert.strictEqual(simulation.done, 0, "the attempt stays stored once the provider has done it")
          }
          assert.isTrue(Exit.isSuccess(simulation.run(healthy)))
          assert.strictEqual(simulation.done, 1)
        }),
        { numRuns: 3000 }
      )
    })
  }

  // Returns the steps of a run in which each call has this outcome and each look-up finds nothing.
  const pathOf = (outcome: CallOutcome, isRepetition: boolean): string => {
    const steps: Array<string> = []
    const step = (name: string) => Effect.sync(() => void steps.push(name))
    const run = runForeignCall({
      isRepetition,
      begin: Effect.succeed(1),
      call: (attempt) => Effect.andThen(step(`call ${attempt}`), Effect.fail("refusal")),
      classify: () => outcome,
      findResult: () => Effect.as(step("look"), undefined),
      discard: () => step("drop"),
      nextAttempt: (attempt) => Effect.succeed(attempt + 1),
      unknown: () => Effect.fail("unknown")
    })
    Effect.runSync(Effect.ignore(Effect.tapError(run, step)))
    return steps.join(" ")
  }

  it("removes the intent only if no try changed anything, and fails with the provider's error only if the outcome is known", () => {
    const outcomes = ["REFUSED", "UNTAKEN", "BUSY", "FAILED", "UNKNOWN"] as const
    const attempts = "call 1 look call 2 look call 3 look refusal"
    assert.deepStrictEqual(
      outcomes.map((outcome) => [outcome, pathOf(outcome, false), pathOf(outcome, true)]),
      [
        ["REFUSED", "call 1 drop refusal", "look call 1 drop refusal"],
        ["UNTAKEN", "call 1 look drop refusal", "look call 1 look refusal"],
        ["BUSY", "call 1 drop refusal", "look call 1 unknown"],
        ["FAILED", attempts, `look ${attempts}`],
        ["UNKNOWN", "call 1 look unknown", "look call 1 look unknown"]
      ]
    )
  })
})
