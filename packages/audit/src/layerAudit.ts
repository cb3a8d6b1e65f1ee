import { join } from "node:path"
import type { ServiceName } from "@care/domain/peers"
import { readSettings, safeCause, setting } from "@care/service-kit"
import { Config, type Duration, Effect, Layer, Schedule } from "effect"
import { Audit } from "./Audit.ts"
import { AuditOutbox } from "./AuditOutbox.ts"
import { makeAuditChains } from "./makeAuditChains.ts"

// Told once, however often it happens again.
const tellingOnce = <E>(what: string, work: Effect.Effect<void, E>): Effect.Effect<void> => {
  let isTold = false
  return work.pipe(
    Effect.tap(() =>
      Effect.sync(() => {
        isTold = false
      })
    ),
    Effect.catchCause((cause) => {
      if (isTold) return Effect.void
      isTold = true
      return Effect.logWarning(`${what}, which is tried again`, safeCause(cause))
    })
  )
}

/** Keeps records of reads on the disk, moves them to the database and puts all records into their chains, each second; and moves at the end what is there. */
const layerMoving = Layer.effectDiscard(
  Effect.gen(function* () {
    const { move, sync, takeOver } = yield* AuditOutbox
    const link = tellingOnce("The audit's records could not be linked", yield* makeAuditChains)
    const moveOwn = tellingOnce("Records of reads wait for the database", move)
    const syncOwn = tellingOnce("Records of reads could not be written to the disk", sync)
    const takeOverOthers = tellingOnce("Records that other processes left could not be taken over", takeOver)
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(move, "5 seconds")))
    const again = (work: Effect.Effect<void>, every: Duration.Input) =>
      Effect.repeat(work, Schedule.spaced(every)).pipe(Effect.interruptible, Effect.forkScoped)
    // Each by itself: a database that takes nothing, or a million records to link, keep no read off the disk.
    yield* again(syncOwn, "1 second")
    yield* again(moveOwn, "1 second")
    yield* again(link, "1 second")
    yield* again(takeOverOthers, "1 minute")
  })
)

export const outboxFolderSetting = setting(
  (name) => Config.String(name),
  "AUDIT_OUTBOX_DIR",
  ".data/audit",
  "where a service keeps records of reads until they are in the database: a folder that outlives the process; under `start` it is in `CARE_DATA_DIR`"
)

/** The audit of a service, whose outbox is in a folder of its own in `AUDIT_OUTBOX_DIR`. */
export const layerAudit = (service: ServiceName) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const folder = yield* readSettings(outboxFolderSetting)
      return Layer.merge(Audit.layer, layerMoving).pipe(Layer.provideMerge(AuditOutbox.layer(join(folder, service))))
    })
  )
