import { assert, describe, it } from "@effect/vitest"
import { shorten, tableOf } from "./table.ts"

const id = "3b241101-e2bb-4255-8caf-4136c566a962"
const row = { id, status: "OPEN", note: "The patient asks for another day", person: { email: "rosa@example.com" } }
const columns = "id status email=person.email note"

describe("tables", () => {
  it("have one line for each row, with the columns below each other", () => {
    assert.strictEqual(
      tableOf([row, { id, status: null }], columns),
      [
        `id                                    status  email             note`,
        `${id}  OPEN    rosa@example.com  The patient asks for another day`,
        `${id}  -       -                 -`
      ].join("\n")
    )
    assert.strictEqual(tableOf([], columns), "None.")
  })

  it("fit the width: long cells end with an ellipsis, ids are whole", () => {
    for (const width of [90, 80, 72]) {
      const lines = tableOf([row], columns, width).split("\n")
      for (const line of lines) assert.isAtMost([...line].length, width)
      assert.include(lines[1], id)
      assert.include(lines[1], "…")
      assert.include(lines[1], "OPEN")
    }
    assert.notInclude(tableOf([row], columns, 120), "…")
  })

  it("shorten ids when nothing else can be shorter, and not beyond eight characters", () => {
    const lines = tableOf([row], columns, 50).split("\n")
    for (const line of lines) assert.isAtMost([...line].length, 50)
    assert.notInclude(lines[1], id)
    assert.match(tableOf([row], columns, 5), /3b24110… {2}OPEN/)
  })

  it("show lists, several values, first lines and optional columns", () => {
    const listed = { kinds: ["CASES", "FORMS"], parts: [{ a: 1 }, { a: 2 }], none: [], text: "first\nsecond" }
    const actor = { type: "USER", id: null }
    assert.strictEqual(
      tableOf([{ ...listed, actor }], "kinds parts none text actor=actor.type+actor.id cell?").split("\n")[1],
      "CASES,FORMS  2      -     first …  USER"
    )
    assert.match(tableOf([{ cell: "c1" }, {}], "id cell?"), /^id {2}cell\n- {3}c1\n- {3}-$/)
  })

  it("act on no terminal", () => {
    assert.notInclude(tableOf([{ id: "\u001b[31mred" }], "id"), "\u001b")
  })
})

it("a text is shortened by characters, not by halves of them", () => {
  assert.strictEqual(shorten("💊💊💊", 2), "💊…")
  assert.strictEqual(shorten("abc", 3), "abc")
})
