import { StaffCodeRejected } from "@care/domain/auth"
import { inTransaction } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { CodeRequests, OneTimeCodes } from "../signIn/index.ts"
import { type IssuedSession, StaffSessions } from "./sessions/StaffSessions.ts"

/** How staff begin a sign-in: with a one-time code. */
export class StaffSignIn extends Context.Service<
  StaffSignIn,
  {
    /** Has a code sent to each member of staff with this email. */
    readonly sendCode: (email: string) => Effect.Effect<void>
    /** Starts a `PENDING` session of the member whose code it is. */
    readonly verifyCode: (email: string, code: string) => Effect.Effect<IssuedSession, StaffCodeRejected>
  }
>()("@care/auth/staff/StaffSignIn") {
  static readonly layer = Layer.effect(
    StaffSignIn,
    Effect.gen(function* () {
      const codes = yield* OneTimeCodes
      const requests = yield* CodeRequests
      const sessions = yield* StaffSessions
      const sql = yield* SqlClient.SqlClient

      return StaffSignIn.of({
        sendCode: requests.askForStaff,
        verifyCode: Effect.fn("StaffSignIn.verifyCode")(function* (email, digits) {
          const code = yield* codes.checkStaff(email, digits)
          const { organizationId, userId } = code.receiver
          return yield* Effect.gen(function* () {
            yield* codes.use(organizationId, code)
            yield* requests.forgetStaff(email)
            return yield* sessions.start({
              organizationId,
              userId,
              kind: "BROWSER",
              state: "PENDING",
              steppedUpAt: null
            })
          }).pipe(
            inTransaction(sql),
            Effect.catchTags({
              CodeUsed: () => new StaffCodeRejected(),
              SessionUnknown: () => new StaffCodeRejected()
            })
          )
        })
      })
    })
  ).pipe(Layer.provide([CodeRequests.layer, OneTimeCodes.layer]))
}
