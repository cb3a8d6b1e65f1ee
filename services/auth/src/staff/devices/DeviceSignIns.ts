import { randomBytes, randomInt, randomUUID } from "node:crypto"
import {
  DeviceCodeUnknown,
  DeviceDenied,
  DevicePending,
  type DeviceSignIn,
  DeviceTooFast,
  type ResolvedStaffSession
} from "@care/domain/auth"
import type { SecondFactorNeeded, StepUpNeeded } from "@care/domain/http"
import { inTransaction, keyHash } from "@care/service-kit"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AuthSettings } from "../../AuthSettings.ts"
import { consoleOf } from "../consoleOf.ts"
import { type IssuedSession, StaffSessions } from "../sessions/StaffSessions.ts"
import { makeDeviceSignInsRepo } from "./DeviceSignInsRepo.ts"

const lifetimeSeconds = 600
const intervalSeconds = 5

// No vowels, so that a code is no word, and no Y.
const letters = "BCDFGHJKLMNPQRSTVWXZ"

const makeUserCode = () => Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join("")

const userCodeHash = (userCode: string) => keyHash(userCode.toUpperCase().replaceAll(/[\s-]/g, ""))

/** Sign-ins of devices without a browser, such as the command line (RFC 8628). Both codes are stored as hashes. */
export class DeviceSignIns extends Context.Service<
  DeviceSignIns,
  {
    readonly start: Effect.Effect<DeviceSignIn>
    /**
     * Approves or denies the sign-in that shows the code. Its session is stepped up as long as the approver's. Approving needs a step-up, so
     * that no session makes itself longer by devices.
     */
    readonly decide: (
      session: ResolvedStaffSession,
      userCode: string,
      isApproved: boolean
    ) => Effect.Effect<void, SecondFactorNeeded | StepUpNeeded | DeviceCodeUnknown>
    /** Starts the session of an approved device, once. */
    readonly token: (
      deviceCode: string
    ) => Effect.Effect<IssuedSession, DevicePending | DeviceTooFast | DeviceDenied | DeviceCodeUnknown>
  }
>()("@care/auth/staff/DeviceSignIns") {
  static readonly layer = Layer.effect(
    DeviceSignIns,
    Effect.gen(function* () {
      const repo = yield* makeDeviceSignInsRepo
      const sessions = yield* StaffSessions
      const sql = yield* SqlClient.SqlClient
      const { origin } = consoleOf((yield* AuthSettings).publicUrl)

      return DeviceSignIns.of({
        start: Effect.gen(function* () {
          const now = yield* DateTime.nowAsDate
          const deviceCode = randomBytes(32).toString("base64url")
          const userCode = makeUserCode()
          yield* repo.insert({
            id: randomUUID(),
            deviceCodeHash: keyHash(deviceCode),
            userCodeHash: userCodeHash(userCode),
            // The first question may come at once.
            askedAt: new Date(now.getTime() - intervalSeconds * 1000),
            expiresAt: new Date(now.getTime() + lifetimeSeconds * 1000)
          })
          return {
            deviceCode,
            userCode: `${userCode.slice(0, 4)}-${userCode.slice(4)}`,
            verificationUri: `${origin}/console/device`,
            expiresIn: lifetimeSeconds,
            interval: intervalSeconds
          }
        }),
        decide: Effect.fn("DeviceSignIns.decide")(function* (session, userCode, isApproved) {
          yield* isApproved ? sessions.requireStepUp(session) : sessions.requireActive(session)
          const approver = {
            approverOrganizationId: session.organizationId,
            approverId: session.userId,
            steppedUpAt: session.steppedUpAt
          }
          const state = isApproved ? "APPROVED" : "DENIED"
          const isDecided = yield* repo.decide(userCodeHash(userCode), state, approver, yield* DateTime.nowAsDate)
          if (!isDecided) return yield* new DeviceCodeUnknown()
        }),
        token: Effect.fn("DeviceSignIns.token")(function* (deviceCode) {
          const now = yield* DateTime.nowAsDate
          const found = yield* repo.find(keyHash(deviceCode), now)
          const signIn = yield* Effect.fromOption(found, () => new DeviceCodeUnknown())
          const { approverId: userId, approverOrganizationId: organizationId, id, state, steppedUpAt } = signIn
          const notSince = new Date(now.getTime() - intervalSeconds * 1000)
          if (!(yield* repo.recordAsking(id, now, notSince))) {
            return yield* new DeviceTooFast({ retryAfter: intervalSeconds })
          }
          if (state === "PENDING") return yield* new DevicePending()
          if (state === "DENIED") return yield* new DeviceDenied()
          if (organizationId === null || userId === null) return yield* new DeviceCodeUnknown()
          return yield* Effect.gen(function* () {
            if (!(yield* repo.markUsed(id))) return yield* new DeviceCodeUnknown()
            return yield* sessions.start({ organizationId, userId, kind: "CLI", state: "ACTIVE", steppedUpAt })
          }).pipe(
            inTransaction(sql),
            Effect.catchTag("SessionUnknown", () => new DeviceCodeUnknown())
          )
        })
      })
    })
  )
}
