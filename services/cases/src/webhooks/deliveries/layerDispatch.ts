import type { OrganizationId } from "@care/domain/ids"
import { inBackground, safeCause } from "@care/service-kit"
import { DispatchLimits, Health, makeSlots, type Share } from "@care/webhooks"
import { Array as Arr, DateTime, Duration, Effect, Latch, Layer, Schedule } from "effect"
import { type ClaimedQueue, makeDeliveryQueuesRepo } from "./DeliveryQueuesRepo.ts"
import { DeliveryWakeUp } from "./DeliveryWakeUp.ts"
import { makeSendTo, type Sending } from "./makeSendTo.ts"

/**
 * Sends due deliveries for as long as the process lives. It claims as many queues of endpoints as there are slots for, when it is
 * woken, when a slot is free, and every second. The longest due queue comes first. When there are too many proven endpoints, some of
 * which may be dead by now, queues that have just become due have slots of their own.
 */
export const layerDispatch = Layer.effectDiscard(
  Effect.gen(function* () {
    const limits = yield* DispatchLimits
    const wakeUp = yield* DeliveryWakeUp
    const queues = yield* makeDeliveryQueuesRepo
    const slotFreed = Latch.makeUnsafe(false)
    const slots = makeSlots<OrganizationId>(limits, () => slotFreed.openUnsafe())
    const sendings = new Map<string, Sending>()
    const sendTo = yield* makeSendTo(slots)

    const begin = (share: Share, now: Date) => (queue: ClaimedQueue) => {
      const sending = sendTo(queue, share, now)
      sendings.set(queue.claimId, sending)
      return Effect.forkScoped(
        Effect.ensuring(
          sending.run,
          Effect.sync(() => sendings.delete(queue.claimId))
        )
      )
    }

    const claimDue = Effect.gen(function* () {
      const now = yield* DateTime.nowAsDate
      if (sendings.size > 0) {
        for (const { claimId } of yield* queues.addedTo) yield* sendings.get(claimId)?.addedTo ?? Effect.void
      }
      const { LATEST, ...counts } = slots.free()
      const except = slots.full()
      const until = new Date(now.getTime() + Duration.toMillis(limits.claim))
      const since = new Date(now.getTime() - Duration.toMillis(limits.latest))
      const claimed = Arr.groupBy(yield* queues.claim({ counts, except }, now, until), ({ health }) => health)
      for (const share of Health.literals) {
        const queuesOfShare = claimed[share] ?? []
        slots.noteFound(share, counts[share], queuesOfShare.length)
        yield* Effect.forEach(queuesOfShare, begin(share, now), { discard: true })
      }
      const isFull = slots.isAwaited("PROVEN")
      const latest = isFull ? yield* queues.claim({ counts: { PROVEN: LATEST }, except }, now, until, since) : []
      slots.noteFound("LATEST", LATEST, latest.length)
      yield* Effect.forEach(latest, begin("LATEST", now), { discard: true })
    })

    const wakeUpOrPoll = Effect.raceAllFirst([wakeUp.next, slotFreed.await, Effect.sleep(limits.poll)])
    const waitAndClaim = Effect.andThen(
      wakeUpOrPoll,
      Effect.suspend(() => {
        slotFreed.closeUnsafe()
        return claimDue
      })
    ).pipe(
      Effect.catchCause((cause) =>
        Effect.andThen(Effect.logWarning("Webhooks are sent later", safeCause(cause)), Effect.sleep(limits.poll))
      ),
      inBackground,
      Effect.withTracerEnabled(false)
    )
    yield* Effect.repeat(waitAndClaim, Schedule.forever).pipe(Effect.interruptible, Effect.forkScoped)
  })
).pipe(Layer.provide(DeliveryWakeUp.layer))
