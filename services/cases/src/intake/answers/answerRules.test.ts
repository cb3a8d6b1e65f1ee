import { answerFormats, QuestionType } from "@care/domain/cases"
import { usStates } from "@care/domain/http"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type AnswerForm, answerProblem, isWeightQuestion } from "./answerRules.ts"
import { answerText } from "./answerText.ts"

const problem = (form: AnswerForm, type: QuestionType, answer: unknown, options: ReadonlyArray<string> = []) =>
  answerProblem(form, { type, required: true, options }, answer)

const forms: ReadonlyArray<AnswerForm> = ["title", "id"]

// Never blank: a blank answer is a missing one, which is another rule.
const words = fc.string({ minLength: 1 }).filter((text) => text.trim() !== "" && text.trim() !== "[]")
const days = fc
  .date({ min: new Date("1900-01-01"), max: new Date("2100-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const positive = fc.double({ min: 0.1, max: 1000, noNaN: true })
const positiveText = fc.integer({ min: 1, max: 900 }).map(String)
const stateCode = fc.constantFrom(...usStates.keys())
const stateName = fc.constantFrom(...usStates.values())
// `webUrl` of fast-check makes a table of all characters.
const url = fc
  .tuple(fc.constantFrom("http", "https"), fc.domain(), words)
  .map(([scheme, host, path]) => new URL(`${scheme}://${host}/${encodeURIComponent(path)}`).href)
const file = fc.record(
  {
    name: words,
    data: fc.oneof(
      fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes).toString("base64")),
      url
    ),
    contentType: fc.constantFrom("image/png", "application/pdf", null)
  },
  { requiredKeys: ["name", "data"] }
)
const files = fc.array(file, { minLength: 1, maxLength: 10 })
const range = fc.tuple(days, days).filter(([start, end]) => start < end)
const options = fc.uniqueArray(words, { minLength: 1, maxLength: 6 })
const bmi = fc.record({ height: positiveText, weight: positive, bmi: positive })

/** A kind of answer: right ones, and wrong ones made from right ones by a change that the rule forbids. */
interface Kind {
  readonly type: QuestionType
  readonly forms: ReadonlyArray<AnswerForm>
  readonly right: fc.Arbitrary<{ readonly answer: unknown; readonly options?: ReadonlyArray<string> }>
  readonly wrong: fc.Arbitrary<{ readonly answer: unknown; readonly options?: ReadonlyArray<string> }>
}

const answered = (answer: unknown) => ({ answer })
const noText = fc.oneof(fc.integer(), fc.boolean(), fc.dictionary(words, words), fc.array(words, { minLength: 1 }))

const kinds: ReadonlyArray<Kind> = [
  { type: "TEXT", forms, right: words.map(answered), wrong: noText.map(answered) },
  {
    type: "BOOLEAN",
    forms,
    right: fc.constantFrom("true", "false").map(answered),
    wrong: fc.constantFrom(true, false, "TRUE", "yes", "1", 1, "true ").map(answered)
  },
  {
    type: "DATE",
    forms,
    right: days.map(answered),
    wrong: fc.tuple(days, fc.constantFrom("slash", "time", "month", "day", "short", "object")).map(([day, change]) =>
      answered(
        {
          slash: day.replaceAll("-", "/"),
          time: `${day}T00:00:00Z`,
          month: `${day.slice(0, 5)}13${day.slice(7)}`,
          day: `${day.slice(0, 8)}32`,
          short: day.slice(0, 9),
          object: { date: day }
        }[change]
      )
    )
  },
  {
    type: "DATERANGE",
    forms: ["title"],
    right: fc.oneof(
      range.map(([start, end]) => answered(`${start} - ${end}`)),
      fc.tuple(days, fc.constantFrom("indefinite", "Indefinite")).map((parts) => answered(parts.join(" – "))),
      fc.constantFrom("January 5, 2024 - March 1, 2024", "Jan 5 2024 - indefinite", "1/5/2024 - 2/5/2024").map(answered)
    ),
    wrong: fc.oneof(
      range.map(([start, end]) => answered(`${end} - ${start}`)),
      days.map(answered),
      range.map(([startDate, endDate]) => answered({ startDate, endDate })),
      fc
        .constantFrom("soon - later", "February 30, 2024 - indefinite", "2024-02-30 - indefinite", "- indefinite")
        .map(answered)
    )
  },
  {
    type: "DATERANGE",
    forms: ["id"],
    right: fc.oneof(
      range.map(([startDate, endDate]) => answered({ startDate, endDate })),
      days.map((startDate) => answered({ startDate, endDate: null }))
    ),
    wrong: fc.oneof(
      range.map(([endDate, startDate]) => answered({ startDate, endDate })),
      days.map((day) => answered({ startDate: day, endDate: day })),
      days.map((endDate) => answered({ endDate })),
      days.map((startDate) => answered({ startDate, endDate: "soon" })),
      range.map(([start, end]) => answered(`${start} - ${end}`)),
      range.map((pair) => answered(pair))
    )
  },
  {
    type: "SINGLESELECT",
    forms,
    right: options.chain((all) => fc.constantFrom(...all).map((answer) => ({ answer, options: all }))),
    wrong: fc.oneof(
      fc
        .tuple(options, words)
        .filter(([all, other]) => !all.includes(other))
        .map(([all, answer]) => ({ answer, options: all })),
      options.map((all) => ({ answer: all, options: all }))
    )
  },
  {
    type: "MULTISELECT",
    forms: ["title"],
    right: options.chain((all) =>
      fc.subarray([...all], { minLength: 1 }).map((some) => ({ answer: JSON.stringify(some), options: all }))
    ),
    wrong: fc.oneof(
      options.map((all) => ({ answer: all, options: all })),
      options.map((all) => ({ answer: JSON.stringify(all).slice(0, -1), options: all })),
      options.map((all) => ({ answer: JSON.stringify([...all, 7]), options: all })),
      options.map((all) => ({ answer: JSON.stringify({ all }), options: all })),
      fc
        .tuple(options, words)
        .filter(([all, other]) => !all.includes(other))
        .map(([all, other]) => ({ answer: JSON.stringify([...all, other]), options: all }))
    )
  },
  {
    type: "MULTISELECT",
    forms: ["id"],
    right: options.chain((all) =>
      fc.subarray([...all], { minLength: 1 }).map((some) => ({ answer: some, options: all }))
    ),
    wrong: fc.oneof(
      options.map((all) => ({ answer: JSON.stringify(all), options: all })),
      options.map((all) => ({ answer: [...all, 7], options: all })),
      options.map((all) => ({ answer: [...all, all[0]], options: all })),
      fc
        .tuple(options, words)
        .filter(([all, other]) => !all.includes(other))
        .map(([all, other]) => ({ answer: [...all, other], options: all }))
    )
  },
  ...(["FILE", "WIDGET_USER_ID_DOCUMENT"] as const).map(
    (type): Kind => ({
      type,
      forms,
      right: files.map(answered),
      wrong: fc
        .tuple(file, files, fc.constantFrom("one", "noName", "blankName", "noData", "type", "many"))
        .map(([one, list, change]) =>
          answered(
            {
              one,
              noName: [...list, { data: one.data }],
              blankName: [...list, { ...one, name: " " }],
              noData: [...list, { name: one.name }],
              type: [...list, { ...one, contentType: 7 }],
              many: Array.from({ length: 11 }, () => one)
            }[change]
          )
        )
    })
  ),
  {
    type: "WIDGET_BMI",
    forms: ["title"],
    right: bmi.map((value) => answered(JSON.stringify(value))),
    wrong: fc
      .tuple(bmi, fc.constantFrom("object", "height", "weight", "bmi", "zero", "negative", "broken"))
      .map(([value, change]) =>
        answered(
          {
            object: value,
            height: JSON.stringify({ ...value, height: "tall" }),
            weight: JSON.stringify({ ...value, weight: undefined }),
            bmi: JSON.stringify({ ...value, bmi: null }),
            zero: JSON.stringify({ ...value, weight: 0 }),
            negative: JSON.stringify({ ...value, bmi: -value.bmi }),
            broken: `${JSON.stringify(value)}}`
          }[change]
        )
      )
  },
  {
    type: "WIDGET_BMI",
    forms: ["id"],
    right: bmi.map(answered),
    wrong: fc
      .tuple(bmi, fc.constantFrom("text", "height", "weight", "bmi", "zero", "negative"))
      .map(([value, change]) =>
        answered(
          {
            text: JSON.stringify(value),
            height: { ...value, height: Number(value.height) },
            weight: { ...value, weight: String(value.weight) },
            bmi: { height: value.height, weight: value.weight },
            zero: { ...value, height: "0" },
            negative: { ...value, weight: -value.weight }
          }[change]
        )
      )
  },
  {
    type: "WIDGET_STATE_PICKER",
    forms: ["title"],
    right: fc
      .oneof(
        stateCode,
        stateName,
        stateName.map((name) => name.toUpperCase())
      )
      .map(answered),
    wrong: fc.constantFrom("XX", "Ontario", "US-CA", "C", 7, ["CA"]).map(answered)
  },
  {
    type: "WIDGET_STATE_PICKER",
    forms: ["id"],
    right: stateCode.map(answered),
    wrong: fc.oneof(stateName, fc.constantFrom("XX", "US-CA", "C")).map(answered)
  },
  {
    type: "WIDGET_VISIT_TYPE",
    forms,
    right: fc.constantFrom("NO_SHOW", "ASYNC_TEXT_EMAIL", "SYNC_VIDEO", "SYNC_PHONE", "ORDER_FORM").map(answered),
    wrong: fc
      .constantFrom("SYNC_IN_PERSON", "sync_video", "", 7)
      .filter((text) => text !== "")
      .map(answered)
  },
  { type: "STATEMENT", forms, right: fc.constantFrom("", undefined, null).map(answered), wrong: words.map(answered) }
]

describe("answerProblem", () => {
  for (const { forms: formsOfKind, right, type, wrong } of kinds) {
    for (const form of formsOfKind) {
      it(`${type}, ${form}-based: right answers pass`, () => {
        fc.assert(
          fc.property(right, ({ answer, options: choices }) => {
            assert.isUndefined(problem(form, type, answer, choices))
          })
        )
      })

      it(`${type}, ${form}-based: every change that the rule forbids fails`, () => {
        fc.assert(
          fc.property(wrong, ({ answer, options: choices }) => {
            assert.isString(problem(form, type, answer, choices))
          })
        )
      })
    }
  }

  it("accepts each example of the public document in its own form", () => {
    const exampleOf = (form: AnswerForm, type: QuestionType) => answerFormats[type][form].example
    for (const type of QuestionType.literals) {
      for (const form of forms) assert.isUndefined(problem(form, type, exampleOf(form, type), ["Diabetes"]), type)
    }
    // An example of one form is not valid in the other.
    for (const type of ["DATERANGE", "MULTISELECT", "WIDGET_BMI"] as const) {
      assert.isDefined(problem("title", type, exampleOf("id", type), ["Diabetes"]), type)
      assert.isDefined(problem("id", type, exampleOf("title", type), ["Diabetes"]), type)
    }
  })

  it("an empty answer is missing when it is required, and fine when it is optional or for a statement", () => {
    for (const form of forms) {
      for (const answer of [undefined, null, "", "  ", []]) {
        for (const type of ["TEXT", "DATE", "MULTISELECT", "FILE", "WIDGET_BMI"] as const) {
          assert.strictEqual(problem(form, type, answer), "Answer is required")
          assert.isUndefined(answerProblem(form, { type, required: false, options: [] }, answer))
        }
        if (!Array.isArray(answer)) assert.isUndefined(problem(form, "STATEMENT", answer))
      }
    }
  })

  it("an empty JSON list is no answer where a list is expected, and a text elsewhere", () => {
    for (const form of forms) {
      for (const type of ["MULTISELECT", "FILE", "WIDGET_USER_ID_DOCUMENT"] as const) {
        assert.strictEqual(problem(form, type, "[]"), "Answer is required")
      }
      assert.isUndefined(problem(form, "TEXT", "[]"))
    }
    assert.strictEqual(answerText("TEXT", "[]"), "[]")
    assert.strictEqual(answerText("MULTISELECT", "[]"), "")
  })

  it("a text may have 20,000 characters, and not one more", () => {
    assert.isUndefined(problem("title", "TEXT", "a".repeat(20_000)))
    assert.strictEqual(problem("title", "TEXT", "a".repeat(20_001)), "must be at most 20000 characters long")
  })

  const assertQuick = (check: () => void, what?: string) => {
    const before = process.threadCpuUsage()
    check()
    assert.isBelow(process.threadCpuUsage(before).user / 1000, 250, what)
  }

  it("looks at each option and each choice once", () => {
    const all = Array.from({ length: 50_000 }, (_, index) => `option ${index}`)
    assertQuick(() => assert.isUndefined(problem("id", "MULTISELECT", [...all].reverse(), all)))
  })

  it("is quick on a large answer of every type", () => {
    const large = "a".repeat(5_000_000)
    for (const { type } of kinds) {
      for (const form of forms) {
        for (const answer of [large, `${large}=`, [{ name: "x", data: large }], `${" - ".repeat(1_000_000)}x`]) {
          assertQuick(() => problem(form, type, answer, ["x"]), type)
        }
      }
    }
  })
})

describe("isWeightQuestion", () => {
  it("asks about weight, and not about a goal or an initiative", () => {
    for (const text of ["How much do you weigh?", "Current WEIGHT", "weigh"])
      assert.isTrue(isWeightQuestion(text), text)
    for (const text of ["What is your goal weight?", "Weight loss initiative", "Height?", ""]) {
      assert.isFalse(isWeightQuestion(text), text)
    }
  })
})
