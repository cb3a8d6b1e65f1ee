import { CaseId, UserId } from "@care/domain/ids"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { assignmentsOf } from "./assignmentsOf.ts"

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`
const states = ["CA", "TX", "anywhere"] as const

/** The case counts of providers, who waits longest first, and the states of the patients whose cases wait, oldest first. */
const Batch = {
  counts: Schema.Array(Schema.Literals([0, 1, 2, 5])).check(Schema.isMaxLength(8)),
  patients: Schema.Array(Schema.Literals(states)).check(Schema.isMaxLength(8))
}

/** Every second provider is licensed in California alone, the others in Texas. */
const providersOf = (counts: ReadonlyArray<number>) =>
  counts.map((caseCount, index) => ({
    providerId: UserId.make(idOf(index)),
    caseCount,
    state: index % 2 ? "TX" : "CA"
  }))
type Provider = ReturnType<typeof providersOf>[number]

const waitingOf = (patients: ReadonlyArray<string>) =>
  patients.map((state, index) => ({
    id: CaseId.make(idOf(100 + index)),
    userId: UserId.make(idOf(200 + index)),
    state
  }))
type Waiting = ReturnType<typeof waitingOf>[number]

// Sorting is stable, so that among equal counts the one who waits longest stays first.
const groupsOf = (providers: ReadonlyArray<Provider>, waiting: ReadonlyArray<Waiting>, limit: number) =>
  states.map((state) => ({
    patientIds: waiting.filter((item) => item.state === state).map(({ userId }) => userId),
    candidates: providers
      .filter((provider) => state === "anywhere" || provider.state === state)
      .toSorted((a, b) => a.caseCount - b.caseCount)
      .slice(0, limit)
      .map(({ caseCount, providerId }) => ({ providerId, caseCount }))
  }))

const pairsOf = (assigned: ReturnType<typeof assignmentsOf>) =>
  assigned.map(({ caseId, providerId }) => [caseId, providerId])

describe("the assignment of cases that wait", () => {
  it.prop("assigns a batch like its cases one after the other", Batch, ({ counts, patients }) => {
    const waiting = waitingOf(patients)
    let providers = providersOf(counts)
    const oneByOne = waiting.flatMap((item) => {
      const assigned = assignmentsOf([item], groupsOf(providers, waiting, counts.length))
      // A provider who was assigned a case is behind all others now.
      const busier = providers.filter(({ providerId }) => assigned.some((to) => to.providerId === providerId))
      providers = [
        ...providers.filter((provider) => !busier.includes(provider)),
        ...busier.map((provider) => ({ ...provider, caseCount: provider.caseCount + 1 }))
      ]
      return assigned
    })
    const together = assignmentsOf(waiting, groupsOf(providersOf(counts), waiting, counts.length))
    assert.deepStrictEqual(pairsOf(together), pairsOf(oneByOne))
  })

  it.prop("needs no more candidates than cases", Batch, ({ counts, patients }) => {
    const [providers, waiting] = [providersOf(counts), waitingOf(patients)]
    assert.deepStrictEqual(
      assignmentsOf(waiting, groupsOf(providers, waiting, waiting.length)),
      assignmentsOf(waiting, groupsOf(providers, waiting, counts.length))
    )
  })

  it("leaves a case without candidates out, and says how many cases each provider had before", () => {
    const waiting = waitingOf(["CA", "TX", "CA"])
    const assigned = assignmentsOf(waiting, groupsOf(providersOf([2]), waiting, 3))
    assert.deepStrictEqual(
      assigned.map(({ caseCount, caseId }) => [caseId, caseCount]),
      [0, 2].map((index) => [waiting[index]?.id, 2])
    )
  })
})
