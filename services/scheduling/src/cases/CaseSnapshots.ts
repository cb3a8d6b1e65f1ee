import {
  type CaseForbidden,
  type CaseNotFound,
  type CaseSnapshot,
  caseLookupApi,
  caseReplica
} from "@care/domain/cases"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { makeSnapshots } from "@care/replicas"
import { execute, inTransaction, peer, unexpected } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"

/** Snapshots of the cases that have calendar events (docs/decisions/0053-calendar-events.md). */
export class CaseSnapshots extends Context.Service<
  CaseSnapshots,
  {
    /** Returns the snapshot of a case of an organization. A missing one is requested from cases once. */
    readonly find: (
      organizationId: OrganizationId,
      caseId: CaseId
    ) => Effect.Effect<CaseSnapshot, CaseNotFound | CaseForbidden>
    /** Returns the snapshots of several cases by id, without those of other organizations. */
    readonly ofCases: (
      organizationId: OrganizationId,
      caseIds: ReadonlyArray<CaseId>
    ) => Effect.Effect<ReadonlyMap<CaseId, CaseSnapshot>>
    /** Requests the newest case that is not archived of the patient with an email, and stores it. */
    readonly newestOfCustomer: (
      organizationId: OrganizationId,
      email: string
    ) => Effect.Effect<Option.Option<CaseSnapshot>>
    /** Stores a snapshot, unless one at least as new is stored. The events of an archived case are not listed. */
    readonly accept: (snapshot: CaseSnapshot) => Effect.Effect<void>
  }
>()("@care/scheduling/cases/CaseSnapshots") {
  static readonly layer = Layer.effect(
    CaseSnapshots,
    Effect.gen(function* () {
      const snapshots = yield* makeSnapshots(caseReplica, { table: "case_snapshots", id: "caseId" })
      const cases = yield* peer(caseLookupApi, "caseLookup")
      const sql = yield* SqlClient.SqlClient

      const accept = Effect.fn("CaseSnapshots.accept")(function* (snapshot: CaseSnapshot) {
        if (!(yield* snapshots.keep(snapshot))) return
        const { caseId, isArchived, organizationId } = snapshot
        yield* execute(sql`
          UPDATE calendar_events SET of_archived_case = ${isArchived}
          WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND NOT is_deleted
            AND of_archived_case <> ${isArchived}
        `)
      }, inTransaction(sql))

      const fetchSnapshot = Effect.fn("CaseSnapshots.fetch")(function* (
        organizationId: OrganizationId,
        caseId: CaseId
      ) {
        const snapshot = yield* cases.follow({ params: { organizationId, caseId } }).pipe(Effect.catchTags(unexpected))
        yield* accept(snapshot)
        return snapshot
      })

      return CaseSnapshots.of({
        find: Effect.fn("CaseSnapshots.find")(function* (organizationId, caseId) {
          const [stored] = yield* snapshots.find(organizationId, [caseId])
          return stored ?? (yield* fetchSnapshot(organizationId, caseId))
        }),

        ofCases: Effect.fn("CaseSnapshots.ofCases")(function* (organizationId, caseIds) {
          const stored = yield* snapshots.find(organizationId, caseIds)
          const byId = new Map(stored.map((snapshot) => [snapshot.caseId, snapshot]))
          const missing = caseIds.filter((id) => !byId.has(id))
          const fetched = yield* Effect.forEach(missing, (id) => Effect.option(fetchSnapshot(organizationId, id)), {
            concurrency: 8
          })
          for (const snapshot of fetched.flatMap(Option.toArray)) byId.set(snapshot.caseId, snapshot)
          return byId
        }),

        newestOfCustomer: Effect.fn("CaseSnapshots.newestOfCustomer")(function* (organizationId, email) {
          const newest = cases.followNewest({ params: { organizationId }, payload: { email } }).pipe(
            Effect.catchTags(unexpected),
            Effect.asSome,
            Effect.catchTag("CaseNotFound", () => Effect.succeedNone)
          )
          return yield* Effect.tap(newest, Option.match({ onNone: () => Effect.void, onSome: accept }))
        }),

        accept
      })
    })
  )
}
