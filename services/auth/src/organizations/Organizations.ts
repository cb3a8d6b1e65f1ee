import { randomUUID } from "node:crypto"
import {
  type Organization,
  type OrganizationChange,
  OrganizationNotFound,
  type OrganizationsQuery
} from "@care/domain/auth"
import { RequestInvalid } from "@care/domain/http"
import { OrganizationId } from "@care/domain/ids"
import { currentVersion } from "@care/domain/versions"
import { inTransaction, oldest, type Page, pageFrom } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { OrganizationReplication } from "./OrganizationReplication.ts"
import { makeOrganizationsRepo } from "./OrganizationsRepo.ts"

/** The partners of the platform. */
export class Organizations extends Context.Service<
  Organizations,
  {
    readonly create: (name: string, contactEmail?: string | undefined) => Effect.Effect<Organization>
    readonly get: (id: OrganizationId) => Effect.Effect<Organization, OrganizationNotFound>
    /** Returns the id of an organization's sandbox; none if it has no sandbox. */
    readonly sandboxOf: (id: OrganizationId) => Effect.Effect<Option.Option<OrganizationId>>
    /** Adds the sandbox of a live organization. Returns its id; none if there is one. Runs in a transaction. */
    readonly addSandbox: (id: OrganizationId) => Effect.Effect<Option.Option<OrganizationId>>
    /** Returns the number of live organizations. */
    readonly count: Effect.Effect<number>
    readonly list: (query: OrganizationsQuery) => Effect.Effect<Page<Organization>>
    /**
     * Changes the given fields. `isDisabled` and `supportMayReadAnswers` reach the cases service before this returns, or soon after by a
     * job. The sandbox is renamed, disabled and enabled with its live organization; alone it is not disabled.
     */
    readonly update: (
      id: OrganizationId,
      change: OrganizationChange
    ) => Effect.Effect<Organization, OrganizationNotFound | RequestInvalid>
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
            mode: "live",
            liveOrganizationId: null,
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
        sandboxOf: Effect.fn("Organizations.sandboxOf")(function* (id) {
          return Option.map(yield* repo.findSandbox(id), ({ id }) => id)
        }),
        addSandbox: Effect.fn("Organizations.addSandbox")(function* (live) {
          const sandboxId = OrganizationId.make(randomUUID())
          const added = yield* repo.insertSandbox(sandboxId, live, yield* DateTime.nowAsDate)
          if (Option.isSome(added)) {
            yield* repo.markSandbox(sandboxId)
            yield* replication.changed(sandboxId, [sandboxId])
          }
          return Option.map(added, ({ id }) => id)
        }),
        count: repo.count,
        list: Effect.fn("Organizations.list")(function* ({ cursor = oldest, limit, mode }) {
          return pageFrom(yield* repo.page(mode, cursor, limit + 1), limit)
        }),
        update: Effect.fn("Organizations.update")(function* (id, change) {
          const now = yield* DateTime.nowAsDate
          const changed = yield* orNotFound(id, yield* repo.update(id, change, now))
          const { liveOrganizationId } = changed
          if (liveOrganizationId !== null && change.isDisabled !== undefined) {
            return yield* RequestInvalid.inPayload(
              "isDisabled",
              `is that of the live organization ${liveOrganizationId}`
            )
          }
          const isReplicated = change.isDisabled !== undefined || change.supportMayReadAnswers !== undefined
          if (isReplicated) yield* replication.changed(id, [id])
          for (const sandbox of yield* repo.updateSandbox(id, change, now)) {
            yield* replication.changed(sandbox.id, [sandbox.id])
          }
          return changed
        }, inTransaction(sql))
      })
    })
  )
}
