import { join } from "node:path"
import type { ServiceName } from "@care/domain/peers"
import { readSettings, safeCause, setting } from "@care/service-kit"
import { Config, type Duration, Effect, Layer, Schedule } from "effect"
import { Audit } from "./Audit.ts"
import { AuditOutbox } from "./AuditOutbox.ts"
import { makeAuditChains } from "./makeAuditChains.ts"
import { makeAuditMonths } from "./makeAuditMonths.ts"

// Logs only the first of consecutive failures.
const loggingOnce = <E>(what: string, work: Effect.Effect<void, E>): Effect.Effect<void> => {
  let isLogged = false
  return work.pipe(
    Effect.tap(() =>
      Effect.sync(() => {
        isLogged = false
      })
    ),
    Effect.catchCause((cause) => {
      if (isLogged) return Effect.void
      isLogged = true
      return Effect.logWarning(`${what}: this is tried again`, safeCause(cause))
    })
  )
}

/**
 * Syncs the outbox, moves it to the database and links records, each second; prepares and ends months each minute. At shutdown it moves the
 * outbox once more.
 */
const layerMoving = Layer.effectDiscard(
  Effect.gen(function* () {
    const { move, sync, takeOver } = yield* AuditOutbox
    const link = loggingOnce("The audit's records could not be linked", yield* makeAuditChains)
    const moveOwn = loggingOnce("Records of reads wait for the database", move)
    const syncOwn = loggingOnce("Records of reads could not be written to the disk", sync)
    const takeOverOthers = loggingOnce("Records that other processes left could not be taken over", takeOver)
    const months = yield* makeAuditMonths
    const prepareMonths = loggingOnce("The audit has no partition for a month yet", months.prepare)
    const endMonths = loggingOnce("Months of the audit could not be ended", months.end)
    // Before the first record, which would go to the default partition.
    yield* prepareMonths
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(move, "5 seconds")))
    const repeat = (work: Effect.Effect<void>, interval: Duration.Input) =>
      Effect.repeat(work, Schedule.spaced(interval)).pipe(Effect.interruptible, Effect.forkScoped)
    // Each by itself, so that neither a database that does not answer nor a million records to link delay the sync.
    yield* repeat(syncOwn, "1 second")
    yield* repeat(moveOwn, "1 second")
    yield* repeat(link, "1 second")
    yield* repeat(takeOverOthers, "1 minute")
    yield* repeat(prepareMonths, "1 minute")
    yield* repeat(endMonths, "1 minute")
  })
)

export const outboxFolderSetting = setting(
  (name) => Config.String(name),
  "AUDIT_OUTBOX_DIR",
  ".data/audit",
  "the folder in which a service stores audit records of reads until they are in the database. It has to outlive the process. Under `start` it is in `CARE_DATA_DIR`"
)

/** Provides the audit of a service. Its outbox is in its own folder in `AUDIT_OUTBOX_DIR`. */
export const layerAudit = (service: ServiceName) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const folder = yield* readSettings(outboxFolderSetting)
      return Layer.merge(Audit.layer, layerMoving).pipe(Layer.provideMerge(AuditOutbox.layer(join(folder, service))))
    })
  )
