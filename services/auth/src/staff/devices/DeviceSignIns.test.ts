import { assert, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { addMember, layerStaff, makeSignedIn, signInByCode } from "../../../test/layerStaff.ts"
import { StaffSessions } from "../sessions/StaffSessions.ts"
import { DeviceSignIns } from "./DeviceSignIns.ts"

const refusal = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

layer(layerStaff())("sign-ins of devices", (it) => {
  it.effect("an approved device gets a session of the person, once", () =>
    Effect.gen(function* () {
      const devices = yield* DeviceSignIns
      const sessions = yield* StaffSessions
      const { session, userId } = yield* makeSignedIn()
      const { deviceCode, interval, userCode } = yield* devices.start
      assert.match(userCode, /^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/)
      assert.strictEqual(yield* refusal(devices.token(deviceCode)), "DevicePending")
      assert.strictEqual(yield* refusal(devices.token(deviceCode)), "DeviceTooFast")
      yield* devices.decide(session, userCode.toLowerCase().replace("-", ""), true)
      yield* TestClock.adjust(interval * 1000)
      const results = yield* Effect.all(
        Array.from({ length: 20 }, () => Effect.result(devices.token(deviceCode))),
        { concurrency: "unbounded" }
      )
      const [issued, ...others] = results.filter(Result.isSuccess)
      assert.lengthOf(others, 0)
      const resolved = yield* sessions.resolve(issued?.success.token ?? "")
      assert.deepInclude(resolved, { userId, state: "ACTIVE", steppedUpAt: session.steppedUpAt })
      assert.notStrictEqual(resolved.sessionId, session.sessionId)
      yield* TestClock.adjust(interval * 1000)
      assert.strictEqual(yield* refusal(devices.token(deviceCode)), "DeviceCodeUnknown")
      assert.strictEqual(yield* refusal(devices.decide(session, userCode, false)), "DeviceCodeUnknown")
    })
  )

  it.effect("a denied, an expired and an unknown code give none, and a pending session approves none", () =>
    Effect.gen(function* () {
      const devices = yield* DeviceSignIns
      const { session } = yield* makeSignedIn()
      const denied = yield* devices.start
      yield* devices.decide(session, denied.userCode, false)
      assert.strictEqual(yield* refusal(devices.token(denied.deviceCode)), "DeviceDenied")
      assert.strictEqual(yield* refusal(devices.token("unknown")), "DeviceCodeUnknown")
      const late = yield* devices.start
      const { session: pending } = yield* signInByCode(yield* addMember())
      assert.strictEqual(yield* refusal(devices.decide(pending, late.userCode, true)), "SecondFactorNeeded")
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(yield* refusal(devices.decide(session, late.userCode, false)), "DeviceCodeUnknown")
      assert.strictEqual(yield* refusal(devices.token(late.deviceCode)), "DeviceCodeUnknown")
    })
  )

  it.effect("a session that is not stepped up approves none, so that none makes itself longer, but may deny one", () =>
    Effect.gen(function* () {
      const devices = yield* DeviceSignIns
      const { session } = yield* makeSignedIn()
      const { deviceCode, interval, userCode } = yield* devices.start
      yield* devices.decide(session, userCode, true)
      yield* TestClock.adjust(interval * 1000)
      // The device has the rights of the person, and so it may approve another one, but for as long as the person may.
      const ofDevice = yield* devices.token(deviceCode)
      yield* TestClock.adjust("5 minutes")
      const next = yield* devices.start
      for (const late of [session, ofDevice.session]) {
        assert.strictEqual(yield* refusal(devices.decide(late, next.userCode, true)), "StepUpNeeded")
      }
      yield* devices.decide(session, next.userCode, false)
      assert.strictEqual(yield* refusal(devices.token(next.deviceCode)), "DeviceDenied")
    })
  )

  it.effect("neither code is stored as it is", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { deviceCode, userCode } = yield* (yield* DeviceSignIns).start
      const stored = JSON.stringify(yield* sql`SELECT * FROM device_sign_ins`)
      for (const code of [deviceCode, userCode, userCode.replace("-", "")]) assert.notInclude(stored, code)
    })
  )
})
