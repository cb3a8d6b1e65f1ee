import { quotas, type StoredKind } from "@care/domain/http"
import type { ServiceName } from "@care/domain/peers"
import { ownUsageApi } from "@care/domain/usage"
import { Effect, Layer, Schedule } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { countSetting, readSettings, type Setting, setting } from "../config/settings.ts"
import { inBackground } from "../sql/Lane.ts"
import { logUncounted, makeCountStored } from "./makeCountStored.ts"
import { makeStoredAmountsRepo } from "./makeStoredAmountsRepo.ts"
import { Quotas, type StoredRows } from "./Quotas.ts"

const every = "5 seconds"

export const quotaSetting = (kind: StoredKind): Setting<number> => {
  const { allowed, meaning, setting: name } = quotas[kind]
  return setting(
    countSetting,
    name,
    allowed,
    `the most ${meaning}; above it, requests that would add to them are refused with 429`
  )
}

const allowedOf = Effect.fnUntraced(function* (kind: StoredKind) {
  return [kind, (yield* readSettings(quotaSetting(kind))) * quotas[kind].per] as const
})

const keyOf = (organizationId: string, kind: StoredKind): string => `${organizationId} ${kind}`

/** Counts the stored rows of organizations every few seconds, and keeps in memory which quotas are reached. */
export const layerQuotas = (kinds: ReadonlyArray<StoredRows>) =>
  Layer.effect(
    Quotas,
    Effect.gen(function* () {
      const allowed = new Map(yield* Effect.forEach(kinds, ({ kind }) => allowedOf(kind)))
      const count = yield* makeCountStored(kinds, allowed)
      const repo = yield* makeStoredAmountsRepo
      let reached: Effect.Success<ReturnType<typeof repo.reached>> = []
      let reachedKeys: ReadonlySet<string> = new Set()

      const refresh = Effect.map(repo.reached(allowed), (found) => {
        reached = found
        reachedKeys = new Set(found.map(({ kind, organizationId }) => keyOf(organizationId, kind)))
      })

      yield* Effect.catchCause(count, logUncounted).pipe(
        Effect.andThen(Effect.catchCause(refresh, logUncounted)),
        inBackground,
        Effect.withTracerEnabled(false),
        Effect.repeat(Schedule.spaced(every)),
        Effect.interruptible,
        Effect.forkScoped
      )

      return {
        isReached: (organizationId, kind) => reachedKeys.size > 0 && reachedKeys.has(keyOf(organizationId, kind)),
        reached: Effect.sync(() => reached),
        of: Effect.fnUntraced(function* (organizationId) {
          const stored = new Map((yield* repo.amountsOf(organizationId)).map(({ amount, kind }) => [kind, amount]))
          return Array.from(allowed, ([kind, limit]) => ({
            kind,
            unit: quotas[kind].unit,
            used: Math.max(0, stored.get(kind) ?? 0),
            allowed: limit
          }))
        }),
        recountSoon: repo.recountSoon
      }
    })
  )

export const layerUsageApi = (service: ServiceName) => {
  const api = ownUsageApi(service)
  const handlers = HttpApiBuilder.group(
    api,
    "ownUsage",
    Effect.fnUntraced(function* (handlers) {
      const quotas = yield* Quotas
      return handlers.handleAll({
        reached: () => quotas.reached,
        find: ({ params }) => quotas.of(params.organizationId)
      })
    })
  )
  return HttpApiBuilder.layer(api).pipe(Layer.provide(handlers))
}
