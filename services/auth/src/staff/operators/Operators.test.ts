import { randomUUID } from "node:crypto"
import { platformId, UserId } from "@care/domain/ids"
import { whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { addMember, enrol, layerStaff, signInByCode } from "../../../test/layerStaff.ts"
import { StaffSessions } from "../sessions/StaffSessions.ts"
import { Operators } from "./Operators.ts"

const outcome = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, { onFailure: ({ _tag }) => _tag, onSuccess: () => "DONE" })

let people = 0

const invite = Effect.gen(function* () {
  people += 1
  const operator = { email: `operator.${people}@example.com`, firstName: "Ada", lastName: "Byron" }
  return yield* (yield* Operators).invite(operator)
})

const activeIds = Effect.gen(function* () {
  const { data } = yield* (yield* Operators).list({ limit: 100 })
  return data.map(({ id }) => id)
})

// Leaves one operator, who is new.
const onlyOne = Effect.gen(function* () {
  const operators = yield* Operators
  const former = yield* activeIds
  const { id } = yield* invite
  for (const other of former) yield* operators.remove(other)
  assert.deepStrictEqual(yield* activeIds, [id])
  return id
})

layer(layerStaff())("the operators of the platform", (it) => {
  it.effect("one who is deactivated is in no list, and their sessions end", () =>
    Effect.gen(function* () {
      const operators = yield* Operators
      const first = yield* onlyOne
      const { email, id: userId } = yield* invite
      const member = { email, organizationId: platformId, userId }
      const { issued } = yield* enrol((yield* signInByCode(member)).session)
      assert.sameMembers([...(yield* activeIds)], [first, userId])
      yield* operators.remove(userId)
      assert.deepStrictEqual(yield* activeIds, [first])
      assert.isDefined(issued)
      const resolved = (yield* StaffSessions).resolve(issued?.token ?? "")
      assert.strictEqual(yield* outcome(resolved), "SessionUnknown")
      const sql = yield* SqlClient.SqlClient
      const ended = yield* sql`
        SELECT ended_at FROM staff_sessions
        WHERE organization_id = ${platformId} AND user_id = ${userId} AND ended_at IS NULL
      `
      assert.lengthOf(ended, 0)
      assert.strictEqual(yield* outcome(operators.remove(userId)), "UserNotFound")
    })
  )

  it.effect("a deactivated operator may be added again", () =>
    Effect.gen(function* () {
      const operators = yield* Operators
      yield* onlyOne
      const { email, firstName, id, lastName } = yield* invite
      yield* operators.remove(id)
      const again = yield* operators.invite({ email, firstName, lastName })
      assert.notStrictEqual(again.id, id)
      assert.strictEqual(yield* outcome(operators.invite({ email, firstName, lastName })), "EmailTaken")
    })
  )

  it.effect("the last one stays, and so do members of organizations and unknown ids", () =>
    Effect.gen(function* () {
      const operators = yield* Operators
      const last = yield* onlyOne
      assert.strictEqual(yield* outcome(operators.remove(last)), "LastOperator")
      const member = yield* addMember()
      for (const id of [member.userId, UserId.make(randomUUID())]) {
        assert.strictEqual(yield* outcome(operators.remove(id)), "UserNotFound")
      }
      assert.deepStrictEqual(yield* activeIds, [last])
    })
  )

  it.effect("of the last two, who are deactivated at once, one stays", () =>
    Effect.gen(function* () {
      const operators = yield* Operators
      const first = yield* onlyOne
      const { id: second } = yield* invite
      const [, refused] = yield* whileHeld(operators.remove(first), [outcome(operators.remove(second))])
      assert.deepStrictEqual(refused, ["LastOperator"])
      assert.deepStrictEqual(yield* activeIds, [second])
    })
  )
})
