import { Audit } from "@care/audit"
import { ClockMoving } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { inTransaction, Time } from "@care/service-kit"
import { Clock, Context, Effect, Layer, Option, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { makeClockAdvancesRepo } from "../testClock/ClockAdvancesRepo.ts"
import { ResetWork } from "./ResetWork.ts"
import { makeSandboxResetsRepo } from "./SandboxResetsRepo.ts"

// How long a request waits for the reset. The gateway waits for 20 seconds.
const waiting = "10 seconds"

// Many requests may wait for one reset.
const workMillis = 60_000
const patience = Schedule.min([Schedule.exponential("20 millis", 1.5), Schedule.spaced("500 millis")])

/** The resets of sandbox organizations. */
export class SandboxResets extends Context.Service<
  SandboxResets,
  {
    /** Resets a sandbox, or waits for its reset under way, for 10 seconds at most. Returns whether it is done. */
    readonly reset: (organizationId: OrganizationId) => Effect.Effect<boolean, ClockMoving>
  }
>()("@care/auth/organizations/SandboxResets") {
  static readonly layer = Layer.effect(
    SandboxResets,
    Effect.gen(function* () {
      const advances = yield* makeClockAdvancesRepo
      const audit = yield* Audit
      const repo = yield* makeSandboxResetsRepo
      const sql = yield* SqlClient.SqlClient
      const work = yield* ResetWork

      const begin = Effect.fnUntraced(function* (organizationId: OrganizationId) {
        const found = yield* repo.lock(organizationId)
        const moving = yield* advances.moving(organizationId)
        if (Option.isSome(moving)) return yield* new ClockMoving({ target: moving.value.target })
        // A reset that an operator has to repeat, or that was given up, is taken up again by a later request.
        const slot = Math.floor((yield* Clock.currentTimeMillis) / workMillis)
        const { resets } = found.isResetting ? found : yield* repo.begin(organizationId)
        yield* audit.changed({ organizationId, action: "SANDBOX_RESET" })
        yield* work.offer({ sandboxId: organizationId, resets }, { key: `${organizationId} ${resets} ${slot}` })
        return resets
      }, inTransaction(sql))

      return SandboxResets.of({
        reset: Effect.fn("SandboxResets.reset")(
          function* (organizationId) {
            const own = yield* begin(organizationId)
            const isDone = Effect.map(
              repo.find(organizationId),
              ({ isResetting, resets }) => resets > own || !isResetting
            )
            return yield* Effect.repeat(isDone, { until: (done) => done, schedule: patience }).pipe(
              Effect.timeoutOrElse({ duration: waiting, orElse: () => Effect.succeed(false) })
            )
            // A reset ends work for the sandbox, and is none itself.
          },
          Effect.provideService(Time.TestOrganization, undefined)
        )
      })
    })
  )
}
