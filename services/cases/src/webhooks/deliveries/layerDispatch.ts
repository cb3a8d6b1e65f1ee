import { inBackground, safeCause } from "@care/service-kit"
import { DateTime, Duration, Effect, Latch, Layer, Schedule } from "effect"
import { DeliveryLimits } from "./DeliveryLimits.ts"
import { type ClaimedQueue, makeDeliveryQueuesRepo, type Share, Standing } from "./DeliveryQueuesRepo.ts"
import { DeliveryWakeUp } from "./DeliveryWakeUp.ts"
import { makePlaces } from "./makePlaces.ts"
import { makeSendTo, type Sending } from "./makeSendTo.ts"

/**
 * Sends what is due for as long as the process lives: takes the queues of endpoints that are due, as many as there are
 * places for, when there are news, when a place is free, and every second. The one that is due for the longest comes first;
 * when there are too many of those that did well, some of which may have died meanwhile, those that are due since a
 * moment ago have places of their own.
 */
export const layerDispatch = Layer.effectDiscard(
  Effect.gen(function* () {
    const limits = yield* DeliveryLimits
    const news = yield* DeliveryWakeUp
    const queues = yield* makeDeliveryQueuesRepo
    const freed = Latch.makeUnsafe(false)
    const places = makePlaces(limits, () => freed.openUnsafe())
    const sendings = new Map<string, Sending>()
    // What the last look found: as many as there were places for, so that there may be more.
    const waitedFor = new Set<Share>()
    const sendTo = yield* makeSendTo(places, (share) => waitedFor.has(share))

    const begin = (queue: ClaimedQueue) => {
      const sending: Sending = { wasAddedTo: false, wake: Latch.makeUnsafe(false) }
      sendings.set(queue.claimId, sending)
      const sent = Effect.ensuring(
        sendTo(queue, sending),
        Effect.sync(() => sendings.delete(queue.claimId))
      )
      return Effect.forkScoped(sent)
    }

    const look = Effect.gen(function* () {
      const now = yield* DateTime.nowAsDate
      if (sendings.size > 0) {
        for (const { claimId } of yield* queues.addedTo) {
          const sending = sendings.get(claimId)
          if (sending === undefined) continue
          sending.wasAddedTo = true
          sending.wake.openUnsafe()
        }
      }
      const wanted = { most: places.free(), except: places.full() }
      const until = new Date(now.getTime() + Duration.toMillis(limits.claim))
      const note = (share: Share, claimed: ReadonlyArray<ClaimedQueue>) => {
        const isFull = claimed.filter((queue) => queue.share === share).length === wanted.most[share]
        if (isFull) waitedFor.add(share)
        else waitedFor.delete(share)
      }
      const claimed = yield* queues.claim(wanted, now, until)
      for (const standing of Standing.literals) note(standing, claimed)
      const since = new Date(now.getTime() - Duration.toMillis(limits.latest))
      const latest = waitedFor.has("PROVEN") ? yield* queues.claimLatest(wanted, since, now, until) : []
      note("LATEST", latest)
      yield* Effect.forEach([...claimed, ...latest], begin, { discard: true })
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
