import { type CaseForbidden, type CaseNotFound, type CaseSnapshot, CasesApi, caseReplica } from "@care/domain/cases"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { makeSnapshots } from "@care/replicas"
import { execute, inTransaction, peer, unexpected } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"

/** Snapshots of the cases that have calendar events (docs/decisions/0053-calendar-events.md). */
export class CaseSnapshots extends Context.Service<
  CaseSnapshots,
  {
    /** Returns the snapshot of a case of an organization. A missing one is asked for once. */
    readonly find: (
      organizationId: OrganizationId,
      caseId: CaseId
    ) => Effect.Effect<CaseSnapshot, CaseNotFound | CaseForbidden>
    /** The same of several cases, by id. Cases of other organizations are left out. */
    readonly ofCases: (
      organizationId: OrganizationId,
      caseIds: ReadonlyArray<CaseId>
    ) => Effect.Effect<ReadonlyMap<CaseId, CaseSnapshot>>
    /** Asks for the newest case, which is not archived, of the patient with an email, and keeps it. */
    readonly newestOfCustomer: (
      organizationId: OrganizationId,
      email: string
    ) => Effect.Effect<Option.Option<CaseSnapshot>>
    /** Keeps a snapshot, unless one as new is kept. The events of a case are listed while it is not archived. */
    readonly accept: (snapshot: CaseSnapshot) => Effect.Effect<void>
  }
>()("@care/scheduling/cases/CaseSnapshots") {
  static readonly layer = Layer.effect(
    CaseSnapshots,
    Effect.gen(function* () {
      const snapshots = yield* makeSnapshots(caseReplica, { table: "case_snapshots", id: "caseId" })
      const cases = yield* peer(CasesApi, "caseLookup")
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

      const ask = Effect.fn("CaseSnapshots.ask")(function* (organizationId: OrganizationId, caseId: CaseId) {
        const snapshot = yield* cases.follow({ params: { organizationId, caseId } }).pipe(Effect.catchTags(unexpected))
        yield* accept(snapshot)
        return snapshot
      })

      return CaseSnapshots.of({
        find: Effect.fn("CaseSnapshots.find")(function* (organizationId, caseId) {
          const [kept] = yield* snapshots.find(organizationId, [caseId])
          return kept ?? (yield* ask(organizationId, caseId))
        }),

        ofCases: Effect.fn("CaseSnapshots.ofCases")(function* (organizationId, caseIds) {
          const kept = yield* snapshots.find(organizationId, caseIds)
          const known = new Map(kept.map((snapshot) => [snapshot.caseId, snapshot]))
          const missing = caseIds.filter((id) => !known.has(id))
          const asked = yield* Effect.forEach(missing, (id) => Effect.option(ask(organizationId, id)), {
            concurrency: 8
          })
          for (const snapshot of asked.flatMap(Option.toArray)) known.set(snapshot.caseId, snapshot)
          return known
        }),

        newestOfCustomer: Effect.fn("CaseSnapshots.newestOfCustomer")(function* (organizationId, email) {
          const asked = cases.followNewest({ params: { organizationId }, payload: { email } }).pipe(
            Effect.catchTags(unexpected),
            Effect.asSome,
            Effect.catchTag("CaseNotFound", () => Effect.succeedNone)
          )
          return yield* Effect.tap(asked, Option.match({ onNone: () => Effect.void, onSome: accept }))
        }),

        accept
      })
    })
  )
}
