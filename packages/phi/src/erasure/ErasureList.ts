import { existsSync } from "node:fs"
import { open, readdir } from "node:fs/promises"
import { join } from "node:path"
import { OrganizationId, UserId } from "@care/domain/ids"
import { BootError, ErasureNotListed, makeFolder, readSettings, setting, syncFolder } from "@care/service-kit"
import { Config, Context, Effect, Layer, Schema } from "effect"
import type { PatientRef } from "./PatientRecords.ts"

export const erasureListSetting = setting(
  (name) => Config.String(name),
  "ERASURE_LIST_DIR",
  ".data/erasures",
  "the folder with a file for each erased patient, by which a restored backup is erased anew. All services share it, and it is not restored. Under `start` it is in `CARE_DATA_DIR`"
)

const decodeName = Schema.decodeUnknownSync(Schema.Tuple([OrganizationId, UserId]))

const nameOf = ({ organizationId, userId }: PatientRef): string => `${organizationId}_${userId}`

// Other files, such as those of a file system or of a copy under way, are skipped.
const isName = (name: string): boolean => /^[0-9a-f-]{36}_[0-9a-f-]{36}$/.test(name)

/**
 * The erased patients, in a folder that is not restored with the database: an empty file for each, named by ids. So several processes can
 * add to it, and copies of it can be merged.
 */
export class ErasureList extends Context.Service<
  ErasureList,
  {
    /** Adds a patient so that it survives a power cut, idempotently. Dies with `ErasureNotListed` if it cannot. */
    readonly add: (patient: PatientRef) => Effect.Effect<void>
    readonly all: Effect.Effect<ReadonlyArray<PatientRef>>
  }
>()("@care/phi/erasure/ErasureList") {
  static readonly layerIn = (folder: string) =>
    Layer.effect(
      ErasureList,
      Effect.gen(function* () {
        yield* Effect.try({
          try: () => existsSync(folder) || makeFolder(folder, 0o700),
          catch: () =>
            new BootError({ message: `${folder} cannot be made: set ERASURE_LIST_DIR to a folder that can be read.` })
        })
        return ErasureList.of({
          add: (patient) =>
            Effect.tryPromise({
              try: async () => {
                const file = await open(join(folder, nameOf(patient)), "a", 0o600)
                try {
                  await file.sync()
                } finally {
                  await file.close()
                }
                await syncFolder(folder)
              },
              catch: (cause) => new ErasureNotListed({ cause })
            }).pipe(Effect.orDie),

          all: Effect.promise(() => readdir(folder)).pipe(
            Effect.map((names) =>
              names.filter(isName).map((name): PatientRef => {
                const [organizationId, userId] = decodeName(name.split("_"))
                return { organizationId, userId }
              })
            )
          )
        })
      })
    )

  static readonly layer = Layer.unwrap(Effect.map(readSettings(erasureListSetting), ErasureList.layerIn))
}
