import { randomUUID } from "node:crypto"
import { type Organization, type OrganizationChange, OrganizationNotFound } from "@care/domain/auth"
import type { PageQuery } from "@care/domain/http"
import { OrganizationId } from "@care/domain/ids"
import { currentVersion } from "@care/domain/versions"
import { inTransaction, oldest, type Page, pageFrom } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, type Option } from "effect"
import { SqlClient } from "effect/sql"
import { OrganizationReplication } from "./OrganizationReplication.ts"
import { makeOrganizationsRepo } from "./OrganizationsRepo.ts"

/** The partners of the platform. */
export class Organizations extends Context.Service<
  Organizations,
  {
    readonly create: (name: string, contactEmail?: string | undefined) => Effect.Effect<Organization>
    readonly get: (id: OrganizationId) => Effect.Effect<Organization, OrganizationNotFound>
    readonly count: Effect.Effect<number>
    readonly list: (query: PageQuery) => Effect.Effect<Page<Organization>>
    /**
     * Changes the given fields. `isDisabled` and `supportMayReadAnswers` reach the cases service before this returns, or soon after by a
     * job.
     */
    readonly update: (
      id: OrganizationId,
      change: OrganizationChange
    ) => Effect.Effect<Organization, OrganizationNotFound>
  }
>()("@care/auth/organizations/Organizations") {
  static readonly layer = Layer.effect(
    Organizations,
    Effect.gen(function* () {
      const replication = yield* OrganizationReplication
      const repo = yield* makeOrganizationsRepo
      const sql = yield* SqlClient.SqlClient

      const orNotFound = (organizationId: OrganizationId, found: Option.Option<Organization>) =>
        Effect.fromOption(found, () => new OrganizationNotFound({ organizationId }))

      return Organizations.of({
        create: Effect.fn("Organizations.create")(function* (name, contactEmail) {
          const organization: Organization = {
            id: OrganizationId.make(randomUUID()),
            name,
            contactEmail: contactEmail ?? null,
            isDisabled: false,
            supportMayReadAnswers: false,
            apiVersion: currentVersion,
            createdAt: yield* DateTime.nowAsDate
          }
          yield* repo.insert(organization)
          return organization
        }),
        get: Effect.fn("Organizations.get")(function* (id) {
          return yield* orNotFound(id, yield* repo.find(id))
        }),
        count: repo.count,
        list: Effect.fn("Organizations.list")(function* ({ cursor = oldest, limit }) {
          return pageFrom(yield* repo.page(cursor, limit + 1), limit)
        }),
        update: Effect.fn("Organizations.update")(function* (id, change) {
          const changed = yield* orNotFound(id, yield* repo.update(id, change, yield* DateTime.nowAsDate))
          const isReplicated = change.isDisabled !== undefined || change.supportMayReadAnswers !== undefined
          if (isReplicated) yield* replication.changed(id, [id])
          return changed
        }, inTransaction(sql))
      })
    })
  )
}
