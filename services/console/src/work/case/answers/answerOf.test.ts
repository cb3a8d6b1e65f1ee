import { assert, describe, it } from "@effect/vitest"
import { answerOf } from "./answerOf.ts"

describe("the answer to a question", () => {
  it("is shown in the words of its type", () => {
    const shown = (type: string, answer: string) => answerOf({ type, answer })
    assert.deepStrictEqual(
      [
        shown("TEXT", "185"),
        shown("BOOLEAN", "true"),
        shown("DATE", "2024-01-05"),
        shown("DATERANGE", '{"startDate":"2024-01-05","endDate":null}'),
        shown("MULTISELECT", '["Diabetes","Asthma"]'),
        shown("WIDGET_BMI", '{"height":"65","weight":185,"bmi":30.8}'),
        shown("WIDGET_VISIT_TYPE", "SYNC_VIDEO")
      ],
      [
        "185",
        "Yes",
        "January 5, 2024",
        "January 5, 2024 to now",
        "Diabetes, Asthma",
        "Height 65 in, weight 185 lb, BMI 30.8",
        "Sync video"
      ].map((text) => ({ kind: "text", text }))
    )
    assert.deepStrictEqual(shown("FILE", '[{"name":"a.png","documentId":"d"}]'), {
      kind: "files",
      files: [{ name: "a.png", documentId: "d" }]
    })
  })

  it("is nothing where it is empty, and stays as it is where it has another form", () => {
    assert.deepStrictEqual(answerOf({ type: "TEXT", answer: " " }), { kind: "none" })
    for (const type of ["MULTISELECT", "FILE", "WIDGET_BMI", "DATERANGE", "OTHER"]) {
      assert.deepStrictEqual(answerOf({ type, answer: "<b>7" }), { kind: "text", text: "<b>7" })
    }
  })
})
