import { randomUUID } from "node:crypto"
import { Audit } from "@care/audit"
import {
  type AdvanceClock,
  type ClockAdvance,
  ClockAdvanceNotFound,
  ClockMoving,
  maxYearsAhead,
  timeAfter
} from "@care/domain/auth"
import { RequestInvalid } from "@care/domain/http"
import { ClockAdvanceId, type OrganizationId } from "@care/domain/ids"
import { inTransaction, TestClocks } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Option, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { makeClockAdvancesRepo } from "./ClockAdvancesRepo.ts"
import { ClockMoves } from "./ClockMoves.ts"

// How long a request waits for the clock. The gateway waits for 20 seconds.
const waiting = "10 seconds"

/** The clocks of sandbox organizations. */
export class SandboxClocks extends Context.Service<
  SandboxClocks,
  {
    readonly get: (
      organizationId: OrganizationId
    ) => Effect.Effect<{ readonly now: Date; readonly advance: ClockAdvance | null }>
    /** Begins to move the clock, and waits for it, for 10 seconds at most. */
    readonly advance: (
      organizationId: OrganizationId,
      by: AdvanceClock
    ) => Effect.Effect<ClockAdvance, RequestInvalid | ClockMoving>
    readonly find: (
      organizationId: OrganizationId,
      id: ClockAdvanceId
    ) => Effect.Effect<ClockAdvance, ClockAdvanceNotFound>
  }
>()("@care/auth/organizations/SandboxClocks") {
  static readonly layer = Layer.effect(
    SandboxClocks,
    Effect.gen(function* () {
      const audit = yield* Audit
      const clocks = yield* TestClocks
      const moves = yield* ClockMoves
      const repo = yield* makeClockAdvancesRepo
      const sql = yield* SqlClient.SqlClient

      const nowOf = Effect.fnUntraced(function* (organizationId: OrganizationId) {
        return DateTime.add(yield* DateTime.now, { milliseconds: (yield* clocks.of(organizationId)).aheadMillis })
      })

      const targetOf = Effect.fnUntraced(function* (now: DateTime.Utc, { by, to }: AdvanceClock) {
        if ((by === undefined) === (to === undefined)) {
          return yield* RequestInvalid.inPayload("by", "must be given unless to is, and not with it")
        }
        const name = by === undefined ? "to" : "by"
        const target = by === undefined ? DateTime.makeUnsafe(to ?? 0) : timeAfter(now, by)
        if (!DateTime.isGreaterThan(target, now)) {
          return yield* RequestInvalid.inPayload(
            name,
            `must move the clock forward: it is at ${DateTime.formatIso(now)}`
          )
        }
        const latest = DateTime.add(yield* DateTime.now, { years: maxYearsAhead })
        if (DateTime.isGreaterThan(target, latest)) {
          return yield* RequestInvalid.inPayload(
            name,
            `must not move the clock further than ${maxYearsAhead} years ahead of the real time: to ${DateTime.formatIso(latest)}`
          )
        }
        return DateTime.toDateUtc(target)
      })

      const refuseWhileMoving = Effect.fnUntraced(function* (organizationId: OrganizationId) {
        const moving = yield* repo.moving(organizationId)
        if (Option.isSome(moving)) return yield* new ClockMoving({ target: moving.value.target })
      })

      // The clock is locked, so that it is not moved between the look at it and the begin of the next move.
      const begin = Effect.fnUntraced(function* (organizationId: OrganizationId, by: AdvanceClock) {
        yield* repo.lockClock(organizationId)
        yield* refuseWhileMoving(organizationId)
        yield* repo.stopAbandoned(organizationId)
        const now = yield* nowOf(organizationId)
        const target = yield* targetOf(now, by)
        const from = DateTime.toDateUtc(now)
        const id = ClockAdvanceId.make(randomUUID())
        yield* repo.insert(
          organizationId,
          { id, state: "MOVING", from, target, reached: from, steps: 0 },
          yield* DateTime.nowAsDate
        )
        yield* audit.changed({ organizationId, action: "CLOCK_ADVANCED" })
        yield* moves.offer({ organizationId, advanceId: id, part: 1 })
        return id
      }, inTransaction(sql))

      const find = Effect.fnUntraced(function* (organizationId: OrganizationId, id: ClockAdvanceId) {
        return yield* Effect.fromOption(yield* repo.find(organizationId, id), () => new ClockAdvanceNotFound())
      })

      return SandboxClocks.of({
        get: Effect.fn("SandboxClocks.get")(function* (organizationId) {
          const advance = Option.getOrNull(yield* repo.moving(organizationId))
          return { now: DateTime.toDateUtc(yield* nowOf(organizationId)), advance }
        }),

        advance: Effect.fn("SandboxClocks.advance")(function* (organizationId, by) {
          // Of many requests at once few wait for the lock.
          yield* refuseWhileMoving(organizationId)
          const found = Effect.orDie(find(organizationId, yield* begin(organizationId, by)))
          const ended = yield* found.pipe(
            Effect.repeat({ while: ({ state }) => state === "MOVING", schedule: Schedule.spaced("20 millis") }),
            Effect.timeoutOption(waiting)
          )
          return Option.isSome(ended) ? ended.value : yield* found
        }),

        find: Effect.fn("SandboxClocks.find")(find)
      })
    })
  )
}
