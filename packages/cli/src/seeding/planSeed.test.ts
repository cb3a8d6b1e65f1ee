import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { planSeed } from "./planSeed.ts"
import { stories } from "./stories.ts"

const options = { cases: 300, weeks: 4, seed: 7, products: 2 }

it("the percentages of all stories are a hundred", () => {
  assert.strictEqual(
    stories.reduce((sum, { percent }) => sum + percent, 0),
    100
  )
})

it.effect("the same numbers make the same plan, and another seed makes other patients", () =>
  Effect.gen(function* () {
    const plan = yield* planSeed(options)
    assert.deepStrictEqual(yield* planSeed(options), plan)
    const phones = new Set(plan.cases.map(({ patient }) => patient.phoneNumber.slice(-7)))
    assert.strictEqual(phones.size, 300)
    const other = yield* planSeed({ ...options, seed: 8 })
    assert.isFalse(other.cases.some(({ patient }) => phones.has(patient.phoneNumber.slice(-7))))
  })
)

it.effect("actions of a case follow each other, a round each, within the weeks", () =>
  Effect.gen(function* () {
    const { cases, rounds } = yield* planSeed(options)
    for (const { createdIn, moments } of cases) {
      const times = [createdIn, ...moments.map(({ round }) => round)]
      assert.deepStrictEqual(
        times,
        [...new Set(times)].sort((a, b) => a - b)
      )
      assert.isBelow(Math.max(...times), rounds)
    }
    const actions = new Set(cases.flatMap(({ moments }) => moments.map(({ action }) => action)))
    assert.strictEqual(actions.size, new Set(stories.flatMap(({ moments }) => moments.map(([action]) => action))).size)
    assert.isTrue(cases.some(({ products }) => products.length === 2))
  })
)

it.effect("patients are adults with valid data, and their answers fit each other", () =>
  Effect.gen(function* () {
    const { cases } = yield* planSeed(options)
    for (const { form, patient } of cases) {
      assert.match(patient.email, /^[a-z]+\.[a-z]+\.7\.\d+@example\.com$/)
      assert.match(patient.phoneNumber, /^\+1[2-9]\d{2}[2-9]\d{6}$/)
      assert.match(patient.dob, /^(19[5-9]\d|200[0-3])-(0[1-9]|1[0-2])-([01]\d|2[0-8])$/)
      const answers = new Map<string, string>(form.questions.map(({ answer, question }) => [question, answer]))
      assert.strictEqual(answers.has("Which allergies?"), answers.get("Do you have allergies to medication?") === "Yes")
    }
  })
)
