import { assert, describe, it } from "@effect/vitest"
import { Result, Schema, SchemaParser } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { CreateCase } from "../cases/CreateCase.ts"
import { createCaseExample } from "../cases/createCaseExample.ts"
import { CreateDynamicCase, dynamicCaseExample } from "../cases/DynamicCase.ts"
import { endpoints } from "../endpoints.ts"
import { allMistakes } from "./annotations.ts"
import { counts } from "./bounds.ts"
import { requestInvalid } from "./mistakesIn.ts"
import { maxMistakes } from "./RequestErrors.ts"

const textOf = <A>(schema: Schema.Codec<A, unknown>, body: unknown): string => {
  const read = SchemaParser.decodeUnknownResult(Schema.toCodecJson(schema))(body, allMistakes)
  return Result.isFailure(read) ? requestInvalid("payload", new Schema.SchemaError(read.failure)).text : ""
}

describe("requestInvalid", () => {
  it("names all mistakes of a body, in its schema's order", () => {
    const body = {
      ...createCaseExample,
      isTest: "yes",
      user: { ...createCaseExample.user, firstName: "", email: "nobody" },
      products: [
        { id: "x" },
        { ...createCaseExample.products[0], form: { questions: [{ answer: "185", type: "TEXT" }] } }
      ]
    }
    assert.strictEqual(
      textOf(CreateCase, body),
      [
        "isTest, must be true or false",
        "user.firstName, must not be empty",
        "user.email, must be a valid email",
        "products.0.id, must be a valid UUID",
        "products.1.form.questions.0.question, Required"
      ].join("; ")
    )
  })

  it("names only the first mistake of each field", () => {
    const [question] = dynamicCaseExample.questions
    assert.strictEqual(
      textOf(CreateDynamicCase, { ...dynamicCaseExample, dob: "" }),
      "dob, must be a date in the form YYYY-MM-DD"
    )
    assert.strictEqual(
      textOf(CreateDynamicCase, { ...dynamicCaseExample, formTitle: "\u0000".repeat(300) }),
      "formTitle, must not contain NUL or unpaired surrogate characters"
    )
    assert.strictEqual(
      textOf(CreateDynamicCase, { ...dynamicCaseExample, questions: [question, { answer: "1" }] }),
      "questions.1.question, Required; questions.1.type, Required; questions.1.required, Required"
    )
  })

  it("names no more mistakes than an answer can show", () => {
    const questions = Array.from({ length: counts.questions }, () => ({ question: 1, type: 2 }))
    const text = textOf(CreateDynamicCase, { ...dynamicCaseExample, questions })
    assert.strictEqual(text.split("; ").length, maxMistakes)
    assert.isTrue(text.startsWith("questions.0.question, must be a text; questions.0.type, "))
  })

  it("names the required type for a body that is no object", () => {
    assert.strictEqual(textOf(CreateCase, []), "body, must be a JSON object")
  })
})

describe("contracts", () => {
  it("decode all of a request, so that all its mistakes are found", () => {
    for (const { annotations } of endpoints) {
      assert.strictEqual(annotations.mapUnsafe.get(HttpApi.ParseOptions.key), allMistakes)
    }
  })
})
