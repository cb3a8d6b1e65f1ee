import type { CreateCase } from "@care/domain/cases"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { intakeProblems } from "./intakeRules.ts"
import { makeShortId } from "./makeShortId.ts"

describe("intakeProblems", () => {
  const question = (changes: Partial<CreateCase["products"][number]["form"] & object>["questions"]): CreateCase => ({
    user: { firstName: "A", lastName: "B", email: "a@b.co" },
    products: [
      {
        id: "3b241101-e2bb-4255-8caf-4136c566a962" as CreateCase["products"][number]["id"],
        form: { questions: changes }
      }
    ]
  })
  const options = fc.uniqueArray(
    fc.string({ minLength: 1 }).filter((text) => text.trim() !== ""),
    { minLength: 1, maxLength: 5 }
  )

  it("a select answer passes exactly when it is one of the options", () => {
    fc.assert(
      fc.property(options, fc.string({ minLength: 1 }), (all, other) => {
        const problems = (answer: string) =>
          intakeProblems(question([{ question: "Q", answer, type: "SINGLESELECT", options: all }]), "2026-01-01")
        for (const option of all) assert.deepStrictEqual(problems(option), [])
        fc.pre(!all.includes(other) && other.trim() !== "")
        assert.strictEqual(problems(other)[0]?.reason, "must be one of the options")
      })
    )
  })

  it("a multiple choice passes exactly when all its choices are options", () => {
    fc.assert(
      fc.property(options, fc.string({ minLength: 1 }), (all, other) => {
        const problems = (choices: ReadonlyArray<string>) =>
          intakeProblems(
            question([{ question: "Q", answer: JSON.stringify(choices), type: "MULTISELECT", options: all }]),
            "2026-01-01"
          )
        assert.deepStrictEqual(problems(all), [])
        fc.pre(!all.includes(other))
        assert.strictEqual(problems([...all, other])[0]?.reason, "must be one of the options")
      })
    )
  })

  it("an empty multiple choice is no answer", () => {
    const multipleChoice = { question: "Q", answer: "[]", type: "MULTISELECT", options: ["a"] } as const
    const reasons = (required: boolean) =>
      intakeProblems(question([{ ...multipleChoice, required }]), "2026-01-01").map(({ reason }) => reason)
    assert.deepStrictEqual([reasons(true), reasons(false)], [["Answer is required"], []])
  })

  it("a client secret is refused as a reference, whatever the status", () => {
    for (const status of ["OPEN", "ABANDONED"] as const) {
      const paths = (id: string) => {
        const payment = { amount: 1, currency: "USD", providerReference: { type: "PAYMENT_INTENT", id } } as const
        return intakeProblems({ ...question([]), status, payment }, "2026-01-01").map(({ path }) => path)
      }
      assert.deepStrictEqual(paths("pi_1"), [])
      assert.deepStrictEqual(paths("pi_1_secret_2"), ["payment.providerReference.id"])
    }
  })

  it("a date of birth may be today and not tomorrow", () => {
    const born = (dob: string) => intakeProblems({ ...question([]), user: { ...question([]).user, dob } }, "2026-01-01")
    assert.deepStrictEqual(born("2026-01-01"), [])
    assert.strictEqual(born("2026-01-02")[0]?.reason, "must not be in the future")
  })
})

describe("makeShortId", () => {
  it("makes 8 characters of Crockford base 32, all of which occur", () => {
    const ids = Array.from({ length: 2000 }, makeShortId)
    for (const id of ids) assert.match(id, /^[0-9A-HJKMNP-TV-Z]{8}$/)
    assert.strictEqual(new Set(ids.join("")).size, 32)
    assert.strictEqual(new Set(ids).size, 2000)
  })
})
