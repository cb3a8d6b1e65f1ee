import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { OrganizationId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeSearchRepo } from "./SearchRepo.ts"
import { searchTerms } from "./searchTerms.ts"

const names = [
  ["James", "Müller"],
  ["Björn", "Rossi"],
  ["Søren", "Weiß"],
  // The same letter in two parts.
  ["Zoe\u0308", "Łuczak"],
  ["Æsa", "Đorđević"],
  ["Иван", "Йованов"]
] as const

layer(layerAuditedDatabase("cases"), { excludeTestServices: true })("finding cases by a name or a short id", (it) => {
  it.effect("a name is found with its accents and without them, and a short id with its sign", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { matching } = yield* makeSearchRepo
      const organizationId = OrganizationId.make(randomUUID())
      const namesByCase = new Map<string, string>()
      for (const [index, [firstName, lastName]] of names.entries()) {
        const [caseId, userId] = [randomUUID(), randomUUID()]
        namesByCase.set(caseId, `${firstName} ${lastName}`)
        yield* sql`
          INSERT INTO cases (
            organization_id, id, short_id, user_id, title, status, type, is_test, is_sole, created_at, updated_at
          )
          VALUES (${organizationId}, ${caseId}, ${`7ZK2M9Q${index}`}, ${userId}, '', 'OPEN', 'ASYNC_TEXT_EMAIL', false, false, now(), now())
        `
        yield* sql`
          INSERT INTO people (
            organization_id, id, version, email, first_name, last_name, role, phone_number, is_active, state, licensed_states,
            created_at, updated_at
          )
          VALUES (${organizationId}, ${userId}, 1, ${`${index}@example.com`}, ${firstName}, ${lastName}, 'USER', '', true, '', '{}', now(), now())
        `
      }
      const found = (text: string) =>
        Effect.map(matching(organizationId, searchTerms(text), 20), (rows) => [
          ...new Set(rows.map(({ caseId }) => namesByCase.get(caseId)))
        ])
      const expected: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
        ["James Müller", ["Mull", "müller", "MÜLL", "james muller"]],
        ["Björn Rossi", ["Bjorn", "björn r", "Rossi, Bjo"]],
        ["Søren Weiß", ["soren", "SØREN", "weiss", "Weiß so"]],
        ["Zoe\u0308 Łuczak", ["zoe", "Zoë", "lucz", "ŁUCZAK"]],
        ["Æsa Đorđević", ["aesa", "Æsa", "dordevic"]],
        ["Иван Йованов", ["Иван", "йова"]]
      ]
      for (const [name, texts] of expected) {
        for (const text of texts) assert.deepStrictEqual(yield* found(text), [name], text)
      }
      assert.deepStrictEqual(yield* found("Mullx"), [])
      assert.deepStrictEqual(yield* found("#7zk2m9q1"), ["Björn Rossi"])
    })
  )
})
