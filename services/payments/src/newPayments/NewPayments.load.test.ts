import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  create,
  failing,
  heldOnes,
  isUnknown,
  layerNewPayments,
  rows,
  settleAll,
  someone,
  steps,
  troubles
} from "../../test/newPayments.ts"

// Of each kind of trouble at each step; an answer that does not come is waited for half a second.
layer(layerNewPayments, { excludeTestServices: true, timeout: "60 seconds" })("NewPayments in trouble", (it) => {
  for (const [step, path] of Object.entries(steps)) {
    for (const does of troubles) {
      it.effect(`${does} while ${step}: the same key goes on, and nothing is held twice`, () =>
        Effect.gen(function* () {
          const patient = yield* someone("pm_card_visa")
          const key = randomUUID()
          yield* failing(patient, path, does, key)
          // Under one key the gateway keeps to a failure of its own: the operation has to be another one.
          const isRepeated = does === "failBefore" || (does === "failAfter" && !path.endsWith("confirm"))
          if (isRepeated) {
            assert.isTrue(isUnknown(yield* Effect.exit(create(patient, {}, key))))
            yield* settleAll(patient)
            yield* settleAll(patient)
          }
          const answer = yield* create(patient, {}, key)
          assert.strictEqual(answer.status, "AUTHORIZED")
          assert.deepStrictEqual(
            (yield* rows(patient)).map(({ id, operationId, status }) => ({ id, operationId, status })),
            [{ id: answer.paymentId, operationId: null, status: "AUTHORIZED" }]
          )
          assert.lengthOf(yield* heldOnes(patient), 1)
          if (!isRepeated) assert.lengthOf(yield* patient.intents, 1)
        })
      )

      it.effect(`${does} while ${step}: the job finds out, and the same key gets what is true`, () =>
        Effect.gen(function* () {
          const patient = yield* someone("pm_card_visa")
          const key = randomUUID()
          yield* failing(patient, path, does, key)
          yield* settleAll(patient)
          // What was called off is canceled at the gateway by the job after that one.
          yield* settleAll(patient)
          const [settled] = yield* rows(patient)
          const isHeld = (yield* heldOnes(patient)).length === 1
          assert.strictEqual(isHeld, path.endsWith("confirm") && does.endsWith("After"))
          assert.deepInclude(settled, { status: isHeld ? "AUTHORIZED" : "ERROR", operationId: null })

          const answer = yield* create(patient, {}, key)
          assert.deepStrictEqual([answer.paymentId, answer.status], [settled?.id, "AUTHORIZED"])
          assert.lengthOf(yield* rows(patient), 1)
          assert.lengthOf(yield* heldOnes(patient), 1)
        })
      )
    }
  }
})
