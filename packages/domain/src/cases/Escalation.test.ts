import { assert, describe, it } from "@effect/vitest"
import { Result, Schema, SchemaParser } from "effect"
import { allMistakes } from "../http/annotations.ts"
import { requestInvalid } from "../http/mistakesIn.ts"
import { maxMistakes } from "../http/RequestErrors.ts"
import { NewEscalations } from "./Escalation.ts"
import { escalationTitles } from "./escalationTitles.ts"

const Body = Schema.toCodecJson(Schema.Struct({ escalations: NewEscalations }))
const read = (body: unknown) => SchemaParser.decodeUnknownResult(Body)(body, allMistakes)
const refusal = (escalations: unknown): string => {
  const result = read({ escalations })
  return Result.isFailure(result) ? requestInvalid("payload", new Schema.SchemaError(result.failure)).text : "taken"
}
const escalationsWith = (changes: object) => [{ type: "support", title: "Cancellation", ...changes }]

describe("NewEscalations", () => {
  it("decode to the current title, an email in lower case, and a moment", () => {
    const request = escalationsWith({
      title: "Price question",
      note: "How much?",
      followUpDueAt: "2026-08-01T12:00:00+02:00",
      assignedToEmail: " Sam@Example.com "
    })
    assert.deepStrictEqual(Result.getOrThrow(read({ escalations: request })).escalations, [
      {
        type: "support",
        title: "Billing Question",
        note: "How much?",
        followUpDueAt: new Date("2026-08-01T10:00:00.000Z"),
        assignedToEmail: "sam@example.com"
      }
    ])
    assert.strictEqual(refusal(escalationsWith({ note: null, followUpDueAt: null, assignedToEmail: null })), "taken")
    assert.strictEqual(refusal(escalationsWith({ note: "" })), "taken")
  })

  it("are refused with the path and the reason of the mistake", () => {
    const [first = ""] = escalationTitles.support.valid
    const titles = `Must be one of: ${escalationTitles.support.valid.join(", ")}`
    const type = "escalations.0.type, Invalid type. Must be one of: support, clinical, external"
    const moment =
      "escalations.0.followUpDueAt, must be a date and time in ISO 8601 with an offset, such as 2026-08-01T10:00:00Z"
    for (const [escalations, text] of [
      [[], "escalations, At least one escalation is required"],
      [undefined, "escalations, must be an array"],
      [null, "escalations, must be an array"],
      [{ 0: escalationsWith({}) }, "escalations, must be an array"],
      ["support", "escalations, must be an array"],
      [Array.from({ length: 101 }, () => escalationsWith({})[0]), "escalations, must be at most 100 escalations"],
      [[null], "escalations.0, must be an object"],
      [["Cancellation"], "escalations.0, must be an object"],
      [[[]], "escalations.0, must be an object"],
      [[{}], "escalations.0.type, Required; escalations.0.title, Required"],
      [[{ type: "support" }], "escalations.0.title, Required"],
      [[{ title: first }], "escalations.0.type, Required"],
      [escalationsWith({ type: "Support" }), type],
      [escalationsWith({ type: "constructor" }), type],
      [escalationsWith({ type: 1 }), type],
      [escalationsWith({ type: null }), type],
      [escalationsWith({ type: ["support"] }), type],
      [
        escalationsWith({ title: "Contact Patient" }),
        `escalations.0.title, Invalid title "Contact Patient" for type "support". ${titles}`
      ],
      [
        escalationsWith({ title: "constructor" }),
        `escalations.0.title, Invalid title "constructor" for type "support". ${titles}`
      ],
      [
        escalationsWith({ title: " Cancellation" }),
        `escalations.0.title, Invalid title " Cancellation" for type "support". ${titles}`
      ],
      [escalationsWith({ title: "" }), `escalations.0.title, Invalid title "" for type "support". ${titles}`],
      [escalationsWith({ title: 1 }), "escalations.0.title, must be a text"],
      [escalationsWith({ title: null }), "escalations.0.title, must be a text"],
      [escalationsWith({ title: { toString: "Cancellation" } }), "escalations.0.title, must be a text"],
      [escalationsWith({ title: "x".repeat(201) }), "escalations.0.title, must be at most 200 characters long"],
      [escalationsWith({ note: 1 }), "escalations.0.note, must be a text"],
      [escalationsWith({ note: "x".repeat(10_001) }), "escalations.0.note, must be at most 10000 characters long"],
      [escalationsWith({ followUpDueAt: "soon" }), moment],
      [escalationsWith({ followUpDueAt: "2026-02-30T10:00:00Z" }), moment],
      [escalationsWith({ followUpDueAt: "2026-08-01" }), moment],
      [escalationsWith({ followUpDueAt: 1 }), "escalations.0.followUpDueAt, must be a text"],
      [escalationsWith({ assignedToEmail: "sam" }), "escalations.0.assignedToEmail, must be a valid email"],
      [escalationsWith({ assignedToEmail: 1 }), "escalations.0.assignedToEmail, must be a text"]
    ] as const) {
      assert.strictEqual(refusal(escalations), text)
    }
  })

  it("have no other keys: the message names the beginnings of the first unknown keys of each", () => {
    const unknown = (index: number, key: string) => `escalations.${index}, Unrecognized key(s) in object: ${key}`
    assert.strictEqual(
      refusal(escalationsWith({ status: "open", isCompleted: true })),
      unknown(0, "status, isCompleted")
    )
    const six = { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 }
    assert.strictEqual(refusal(escalationsWith(six)), unknown(0, "a, b, c, d, e"))
    assert.strictEqual(
      refusal([...escalationsWith({}), ...escalationsWith({ Type: "support", title: 1 })]),
      `${unknown(1, "Type")}; escalations.1.title, must be a text`
    )
    for (const key of ["__proto__", "constructor", "toString", "", "assignedToUserId"]) {
      const body = JSON.parse(`[{ "type": "support", "title": "Cancellation", ${JSON.stringify(key)}: {} }]`)
      assert.strictEqual(refusal(body), unknown(0, key))
    }
    assert.strictEqual(refusal(escalationsWith({ ["k".repeat(1000)]: 1 })), unknown(0, "k".repeat(100)))
    const many = Array.from({ length: 100 }, () => ({ title: 1, unknown: 1 }))
    assert.strictEqual(refusal(many).split("; ").length, maxMistakes)
  })
})
