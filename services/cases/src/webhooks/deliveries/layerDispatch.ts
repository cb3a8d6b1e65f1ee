import type { OrganizationId } from "@care/domain/ids"
import { inBackground, safeCause } from "@care/service-kit"
import { DispatchLimits, Health, makeSlots } from "@care/webhooks"
import { DateTime, Duration, Effect, Latch, Layer, Schedule } from "effect"
import { type ClaimedQueue, makeDeliveryQueuesRepo } from "./DeliveryQueuesRepo.ts"
import { DeliveryWakeUp } from "./DeliveryWakeUp.ts"
import { makeSendTo, type Sending } from "./makeSendTo.ts"

/**
 * Sends what is due for as long as the process lives. It claims as many queues of endpoints as there are slots for, when it is
 * woken, when a slot is free, and every second. The one that is due for the longest comes first; when there are too many
 * proven endpoints, some of which may have died meanwhile, those that became due just now have slots of their own.
 */
export const layerDispatch = Layer.effectDiscard(
  Effect.gen(function* () {
    const limits = yield* DispatchLimits
    const news = yield* DeliveryWakeUp
    const queues = yield* makeDeliveryQueuesRepo
    const freed = Latch.makeUnsafe(false)
    const slots = makeSlots<OrganizationId>(limits, () => freed.openUnsafe())
    const sendings = new Map<string, Sending>()
    const sendTo = yield* makeSendTo(slots)

    const begin = (now: Date) => (queue: ClaimedQueue) => {
      const sending = sendTo(queue, now)
      sendings.set(queue.claimId, sending)
      return Effect.forkScoped(
        Effect.ensuring(
          sending.run,
          Effect.sync(() => sendings.delete(queue.claimId))
        )
      )
    }

    const look = Effect.gen(function* () {
      const now = yield* DateTime.nowAsDate
      if (sendings.size > 0) {
        for (const { claimId } of yield* queues.addedTo) yield* sendings.get(claimId)?.addedTo ?? Effect.void
      }
      const wanted = { most: slots.free(), except: slots.full() }
      const until = new Date(now.getTime() + Duration.toMillis(limits.claim))
      const claimed = yield* queues.claim(wanted, now, until)
      for (const health of Health.literals) {
        slots.noteFound(health, wanted.most[health], claimed.filter(({ share }) => share === health).length)
      }
      const since = new Date(now.getTime() - Duration.toMillis(limits.latest))
      const latest = slots.isAwaited("PROVEN") ? yield* queues.claimLatest(wanted, since, now, until) : []
      slots.noteFound("LATEST", wanted.most.LATEST, latest.length)
      yield* Effect.forEach([...claimed, ...latest], begin(now), { discard: true })
    })

    const next = Effect.raceAllFirst([news.next, freed.await, Effect.sleep(limits.poll)])
    const looks = Effect.andThen(
      next,
      Effect.suspend(() => {
        freed.closeUnsafe()
        return look
      })
    ).pipe(
      Effect.catchCause((cause) =>
        Effect.andThen(Effect.logWarning("Webhooks are sent later", safeCause(cause)), Effect.sleep(limits.poll))
      ),
      inBackground,
      Effect.withTracerEnabled(false)
    )
    yield* Effect.repeat(looks, Schedule.forever).pipe(Effect.interruptible, Effect.forkScoped)
  })
).pipe(Layer.provide(DeliveryWakeUp.layer))
