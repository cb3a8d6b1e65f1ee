import { maxAdvanceSteps } from "@care/domain/auth"
import { ClockAdvanceId, OrganizationId } from "@care/domain/ids"
import { peers } from "@care/domain/peers"
import { ownTestClocksApi } from "@care/domain/testClocks"
import { clockQueue, Job } from "@care/jobs"
import { makeOwnTestClock } from "@care/service"
import { peer, unexpected } from "@care/service-kit"
import { Clock, Effect, Option, Record, Schema } from "effect"
import { makeClockAdvancesRepo } from "./ClockAdvancesRepo.ts"
import { nextMove } from "./nextMove.ts"

// The moves of all sandboxes take turns: the next part of a move goes on. One that waits for work lets others move meanwhile.
const partMillis = 5000
const waitMillis = 1000

const schema = Schema.Struct({ organizationId: OrganizationId, advanceId: ClockAdvanceId, part: Schema.Int })

/**
 * Moves the clocks of sandbox organizations in all services, from one due work to the next. Each step finds out how far the clocks are, so
 * that a move that was broken off goes on.
 */
export class ClockMoves extends Job.make<ClockMoves>()(clockQueue, {
  version: 1,
  schema,
  // Some two minutes. Then the move is `STOPPED`, and another one or a reset may begin.
  retries: Job.upTo(8),
  concurrency: 10
}) {
  static readonly layerWorker = ClockMoves.worker(
    Effect.gen(function* () {
      const own = yield* makeOwnTestClock
      const others = yield* Effect.forEach(
        Record.keys(peers).filter((service) => service !== "auth"),
        (service) => peer(ownTestClocksApi(service), "ownTestClocks")
      )
      const parts = yield* ClockMoves
      const repo = yield* makeClockAdvancesRepo

      const look = (organizationId: OrganizationId) =>
        Effect.all(
          [
            own.look(organizationId),
            ...others.map((client) => client.look({ params: { organizationId } }).pipe(Effect.catchTags(unexpected)))
          ],
          { concurrency: "unbounded" }
        )

      const set = (organizationId: OrganizationId, aheadMillis: number) =>
        Effect.all(
          [
            own.set(organizationId, aheadMillis),
            ...others.map((client) =>
              client.set({ params: { organizationId }, payload: { aheadMillis } }).pipe(Effect.catchTags(unexpected))
            )
          ],
          { concurrency: "unbounded", discard: true }
        )

      const move = Effect.fnUntraced(function* ({ advanceId, organizationId, part }: typeof schema.Type) {
        const found = yield* repo.find(organizationId, advanceId)
        if (Option.isNone(found) || found.value.state !== "MOVING") return
        const target = found.value.target.getTime()
        const began = yield* Clock.currentTimeMillis
        let waitingSince: number | undefined
        let steps = found.value.steps
        let wasQuiet = false
        while (true) {
          const now = yield* Clock.currentTimeMillis
          const isWaiting = waitingSince !== undefined && now - waitingSince >= waitMillis
          if (isWaiting || now - began >= partMillis) {
            const delay = isWaiting ? waitMillis : 0
            return yield* parts.offer({ organizationId, advanceId, part: part + 1 }, { delay })
          }
          const clocks = yield* look(organizationId)
          const next = nextMove(clocks, target - now, wasQuiet)
          const reached = new Date(now + Math.max(...clocks.map(({ aheadMillis }) => aheadMillis)))
          wasQuiet = next._tag === "LookAgain"
          waitingSince = next._tag === "Wait" ? (waitingSince ?? now) : undefined
          switch (next._tag) {
            case "Wait":
              yield* Effect.sleep("50 millis")
              break
            case "Set":
              if (steps === maxAdvanceSteps) return yield* repo.end(organizationId, advanceId, "STOPPED", reached)
              yield* repo.step(organizationId, advanceId, reached)
              yield* set(organizationId, next.aheadMillis)
              steps += 1
              break
            case "End":
              return yield* repo.end(organizationId, advanceId, "DONE", reached)
          }
        }
      })

      return (payload: typeof schema.Type, _id: string, { isAlone, isLast }: Job.JobAttempt) => {
        // Alone, the work that it waits for would wait for it.
        if (isAlone) return parts.offer({ ...payload, part: payload.part + 1 })
        const { advanceId, organizationId } = payload
        return move(payload).pipe(
          Effect.tapCause(() => (isLast ? repo.end(organizationId, advanceId, "STOPPED", new Date(0)) : Effect.void))
        )
      }
    })
  )
}
