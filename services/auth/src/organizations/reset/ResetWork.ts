import { OrganizationId } from "@care/domain/ids"
import { peers } from "@care/domain/peers"
import { ownResetsApi } from "@care/domain/testClocks"
import { Job } from "@care/jobs"
import { makeOwnReset } from "@care/service"
import { peer, Time, unexpected } from "@care/service-kit"
import { Effect, Record, Schema } from "effect"
import { SandboxCatalogues } from "../SandboxCatalogues.ts"
import { keptTables } from "./keptTables.ts"

// Not `organizationId`: the job is not one of the sandbox, whose jobs a reset removes.
const schema = Schema.Struct({ sandboxId: OrganizationId, resets: Schema.Int })

/**
 * Resets a sandbox in all services. First all are closed to work that began before, then their rows are removed, until none is left, then all
 * are opened, auth last, with what is new in the catalogue. Each part may be repeated, so that a reset that was broken off goes on.
 */
export class ResetWork extends Job.make<ResetWork>()("sandbox-reset", {
  version: 1,
  schema,
  retries: Job.forMessages,
  concurrency: 4
}) {
  static readonly layerWorker = ResetWork.worker(
    Effect.gen(function* () {
      const catalogues = yield* SandboxCatalogues
      const own = yield* makeOwnReset(keptTables)
      const others = yield* Effect.forEach(
        Record.keys(peers).filter((service) => service !== "auth"),
        (service) => peer(ownResetsApi(service), "ownResets")
      )

      return ({ resets, sandboxId }: typeof schema.Type) => {
        const payload = { resets }
        const closed = Effect.all(
          [
            own.close(sandboxId, resets),
            ...others.map((client) => Effect.catchTags(client.close({ payload }), unexpected))
          ],
          { concurrency: "unbounded", discard: true }
        )
        const clear = Effect.all(
          [
            own.clear(sandboxId, resets),
            ...others.map((client) =>
              client.clear({ payload }).pipe(
                Effect.map(({ changed }) => changed),
                Effect.catchTags(unexpected)
              )
            )
          ],
          { concurrency: "unbounded" }
        )
        const opened = Effect.all(
          others.map((client) => Effect.catchTags(client.open({ payload }), unexpected)),
          { concurrency: "unbounded", discard: true }
        )
        return closed.pipe(
          Effect.andThen(Effect.repeat(clear, { while: (changed) => changed.some((rows) => rows > 0) })),
          Effect.andThen(opened),
          Effect.provideService(Time.TestOrganization, { organizationId: sandboxId, aheadMillis: 0, resets }),
          Effect.andThen(catalogues.copy(sandboxId)),
          Effect.andThen(own.open(sandboxId, resets))
        )
      }
    })
  )
}
