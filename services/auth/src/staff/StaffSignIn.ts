import { MailboxAbsent, type SentCode, StaffCodeRejected } from "@care/domain/auth"
import { inTransaction } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AuthSettings } from "../AuthSettings.ts"
import { Delivery } from "../messages/index.ts"
import { CodeRequests, OneTimeCodes } from "../signIn/index.ts"
import { consoleOf } from "./consoleOf.ts"
import { type IssuedSession, StaffSessions } from "./sessions/StaffSessions.ts"

const localHosts: ReadonlyArray<string> = ["localhost", "127.0.0.1", "[::1]"]

/** How staff begin a sign-in: with a one-time code. */
export class StaffSignIn extends Context.Service<
  StaffSignIn,
  {
    /** Has a code sent to each member of staff with this email. */
    readonly sendCode: (email: string) => Effect.Effect<void>
    /**
     * Returns the newest code in the local mailbox. Who reaches the sign-in gets it without a secret, so there is none unless the public URL
     * is of this machine.
     */
    readonly newestCode: (email: string) => Effect.Effect<SentCode | null, MailboxAbsent>
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
      const { rpId } = consoleOf((yield* AuthSettings).publicUrl)
      const isLocal = (yield* Delivery).hasMailbox && localHosts.includes(rpId)

      return StaffSignIn.of({
        sendCode: requests.askForStaff,
        newestCode: Effect.fn("StaffSignIn.newestCode")(function* (email) {
          return isLocal ? yield* codes.newestOfStaff(email) : yield* new MailboxAbsent()
        }),
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
  ).pipe(Layer.provide([CodeRequests.layer, Delivery.layer, OneTimeCodes.layer]))
}
