import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  authorizedIntents,
  create,
  failed,
  layerNewPayments,
  rows,
  settleAll,
  someone,
  steps,
  troubles
} from "../../../test/newPayments.ts"
import { hasUnknownOutcome, TestStripe } from "../../../test/testStripe.ts"

// Every kind of trouble at every step. The client's timeout is half a second.
layer(layerNewPayments, { excludeTestServices: true, timeout: "60 seconds" })("NewPayments in trouble", (it) => {
  for (const [step, path] of Object.entries(steps)) {
    for (const does of troubles) {
      it.effect(`${does} while ${step}: the same key continues, and nothing is authorized twice`, () =>
        Effect.gen(function* () {
          const { key, patient } = yield* failed(path, does)
          const answer = yield* create(patient, {}, key)
          assert.strictEqual(answer.status, "AUTHORIZED")
          assert.deepStrictEqual(
            (yield* rows(patient)).map(({ id, operationId, status }) => ({ id, operationId, status })),
            [{ id: answer.paymentId, operationId: null, status: "AUTHORIZED" }]
          )
          assert.lengthOf(yield* authorizedIntents(patient), 1)
          assert.lengthOf(yield* patient.intents, 1)
        })
      )

      it.effect(`${does} while ${step}: the job settles it, and the same key returns the payment`, () =>
        Effect.gen(function* () {
          const { key, patient } = yield* failed(path, does)
          yield* settleAll(patient)
          // The job after the one that abandons the authorization cancels it at the gateway.
          yield* settleAll(patient)
          const [settled] = yield* rows(patient)
          const isHeld = (yield* authorizedIntents(patient)).length === 1
          assert.strictEqual(isHeld, path.endsWith("confirm") && does.endsWith("After"))
          assert.deepInclude(settled, { status: isHeld ? "AUTHORIZED" : "ERROR", operationId: null })

          const answer = yield* create(patient, {}, key)
          assert.deepStrictEqual([answer.paymentId, answer.status], [settled?.id, "AUTHORIZED"])
          assert.lengthOf(yield* rows(patient), 1)
          assert.lengthOf(yield* authorizedIntents(patient), 1)
        })
      )
    }

    for (const does of ["failBefore", "failAfter"] as const) {
      it.effect(
        `${does} while ${step}: the gateway replays failures, so the result is searched and the call made anew, once`,
        () =>
          Effect.gen(function* () {
            const patient = yield* someone("pm_card_visa")
            const { control } = yield* TestStripe
            yield* control.addTrouble({ method: "POST", path, does, times: 2 })
            assert.strictEqual((yield* create(patient)).status, "AUTHORIZED")
            yield* control.clearTroubles
            assert.lengthOf(yield* authorizedIntents(patient), 1)
            assert.lengthOf(yield* patient.intents, 1)
          })
      )
    }

    it.effect(`failing again and again while ${step}: the same key continues as soon as the gateway works`, () =>
      Effect.gen(function* () {
        const patient = yield* someone("pm_card_visa")
        const { control } = yield* TestStripe
        const key = randomUUID()
        yield* control.addTrouble({ method: "POST", path, does: "failBefore", times: 100 })
        for (let request = 0; request < 3; request += 1) {
          assert.isTrue(hasUnknownOutcome(yield* Effect.exit(create(patient, {}, key))))
        }
        yield* control.clearTroubles
        assert.strictEqual((yield* create(patient, {}, key)).status, "AUTHORIZED")
        assert.lengthOf(yield* rows(patient), 1)
        assert.lengthOf(yield* authorizedIntents(patient), 1)
        assert.lengthOf(yield* patient.intents, 1)
      })
    )
  }
})
