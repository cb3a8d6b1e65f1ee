import type { Replica, Snapshot } from "@care/domain/http"
import { OrganizationId } from "@care/domain/ids"
import { Job, makeOfferAtOnce } from "@care/jobs"
import { peer } from "@care/service-kit"
import { Context, Effect, Layer, Schema } from "effect"

type OfRows<Id, A> = (organizationId: OrganizationId, ids: ReadonlyArray<Id>) => Effect.Effect<A>

interface Owner<Id> {
  /** Notifies the reader of the rows that a transaction changes. The owner calls it in the transaction. */
  readonly changed: OfRows<Id, void>
}

/**
 * Defines how the owner of a replica sends changes to the reader: by a job that is committed with the change. The job sends the rows as
 * they are when it runs, so the last job of several changes sends them all. `read` makes the function that returns the current snapshots.
 *
 * ```ts
 * class PersonReplication extends Replication.make<PersonReplication>()(
 *   "person-replication",
 *   personReplica,
 *   Effect.map(makeUserSnapshotsRepo, ({ find }) => find)
 * ) {}
 *
 * yield* inTransaction(sql)(Effect.andThen(repo.update(userId, name), replication.changed(organizationId, [userId])))
 * ```
 */
export const make =
  <Self>() =>
  <Id, S extends Snapshot, E, R>(
    name: string,
    { api, id }: Replica<Id, S>,
    read: Effect.Effect<OfRows<Id, ReadonlyArray<S>>, E, R>
  ) => {
    const schema = Schema.Struct({ organizationId: OrganizationId, ids: Schema.Array(id) })
    class Jobs extends Job.make<Jobs>()(name, { version: 1, schema, retries: Job.forThreeDays, concurrency: 4 }) {}

    const makeSend = Effect.gen(function* () {
      const reader = yield* peer(api, "snapshots")
      const current = yield* read
      return Effect.fnUntraced(function* ({ ids, organizationId }: typeof schema.Type) {
        const snapshots = yield* current(organizationId, ids)
        if (snapshots.length > 0) yield* reader.accept({ payload: { snapshots } })
      })
    })

    return class extends Context.Service<Self, Owner<Id>>()(`@care/replicas/${name}`) {
      /** Notifies the reader only by the job. */
      static readonly layer = Layer.effect(
        this,
        Effect.map(
          Jobs,
          ({ offer }): Owner<Id> => ({ changed: (organizationId, ids) => offer({ organizationId, ids }) })
        )
      ).pipe(Layer.provide(Jobs.layer))

      /** Notifies the reader after the commit, before the change is answered, within 500 ms; if that fails, the job does it. */
      static readonly layerNotifying = Layer.effect(
        this,
        Effect.gen(function* () {
          const offer = makeOfferAtOnce(name, yield* Jobs, yield* makeSend)
          const owner: Owner<Id> = { changed: (organizationId, ids) => offer({ organizationId, ids }) }
          return owner
        })
      ).pipe(Layer.provide(Jobs.layer))

      static readonly layerWorker = Jobs.worker(makeSend)
    }
  }
