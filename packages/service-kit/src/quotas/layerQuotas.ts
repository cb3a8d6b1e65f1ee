import { quotas, type StoredKind } from "@care/domain/http"
import { Effect, Layer, Schedule } from "effect"
import { countSetting, readSettings, type Setting, setting } from "../config/settings.ts"
import { inBackground } from "../sql/Lane.ts"
import { countedLater } from "./countedLater.ts"
import { makeCountStored } from "./makeCountStored.ts"
import { makeStoredAmountsRepo } from "./makeStoredAmountsRepo.ts"
import { Quotas } from "./Quotas.ts"
import type { StoredRows } from "./StoredRows.ts"

const every = "5 seconds"

/** The setting of a quota. */
export const quotaSetting = (kind: StoredKind): Setting<number> => {
  const { allowed, meaning, setting: name } = quotas[kind]
  return setting(countSetting, name, allowed, `${meaning} (429 beyond, for what adds to them)`)
}

const allowedOf = Effect.fnUntraced(function* (kind: StoredKind) {
  return [kind, (yield* readSettings(quotaSetting(kind))) * quotas[kind].per] as const
})

const placeOf = (organizationId: string, kind: StoredKind): string => `${organizationId} ${kind}`

/** Counts the stored rows of organizations every few seconds, and keeps in memory which quotas are reached. */
export const layerQuotas = (kinds: ReadonlyArray<StoredRows>) =>
  Layer.effect(
    Quotas,
    Effect.gen(function* () {
      const allowed = new Map(yield* Effect.forEach(kinds, ({ kind }) => allowedOf(kind)))
      const count = yield* makeCountStored(kinds, allowed)
      const repo = yield* makeStoredAmountsRepo
      let reached: Effect.Success<ReturnType<typeof repo.reached>> = []
      let places: ReadonlySet<string> = new Set()

      const refresh = Effect.map(repo.reached(allowed), (found) => {
        reached = found
        places = new Set(found.map(({ kind, organizationId }) => placeOf(organizationId, kind)))
      })

      yield* Effect.catchCause(count, countedLater).pipe(
        Effect.andThen(Effect.catchCause(refresh, countedLater)),
        inBackground,
        Effect.withTracerEnabled(false),
        Effect.repeat(Schedule.spaced(every)),
        Effect.interruptible,
        Effect.forkScoped
      )

      return {
        isReached: (organizationId, kind) => places.size > 0 && places.has(placeOf(organizationId, kind)),
        reached: Effect.sync(() => reached),
        of: Effect.fnUntraced(function* (organizationId) {
          const stored = new Map((yield* repo.of(organizationId)).map(({ amount, kind }) => [kind, amount]))
          return Array.from(allowed, ([kind, most]) => ({
            kind,
            unit: quotas[kind].unit,
            used: Math.max(0, stored.get(kind) ?? 0),
            allowed: most
          }))
        }),
        recountSoon: repo.recountSoon
      }
    })
  )
