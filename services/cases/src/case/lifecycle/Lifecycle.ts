import type { ProviderUnknown, StaffUnknown } from "@care/domain/auth"
import type { CaseNotFound, CaseStatusConflict, UserNotInOrganization } from "@care/domain/cases"
import type { RequestInvalid, StaffRefused } from "@care/domain/http"
import type { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { organizationScope } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { Directory } from "../directory/Directory.ts"
import { inOwnName } from "../people/inOwnName.ts"
import { People } from "../people/People.ts"
import { Cases } from "./Cases.ts"

/** Assigns and starts cases, as the care team decides. */
export class Lifecycle extends Context.Service<
  Lifecycle,
  {
    /**
     * Assigns an open case to a provider of its organization, or an assigned case to another, and returns its organization. `assignedBy` is
     * recorded as the actor.
     */
    readonly assign: (
      id: CaseId,
      providerId: UserId,
      assignedBy: UserId | undefined
    ) => Effect.Effect<
      OrganizationId,
      | CaseNotFound
      | CaseStatusConflict
      | ProviderUnknown
      | UserNotInOrganization
      | StaffUnknown
      | RequestInvalid
      | StaffRefused
    >
    /** Begins work on an assigned case, and returns its organization. */
    readonly start: (id: CaseId) => Effect.Effect<OrganizationId, CaseNotFound | CaseStatusConflict>
  }
>()("@care/cases/lifecycle/Lifecycle") {
  static readonly layer = Layer.effect(
    Lifecycle,
    Effect.gen(function* () {
      const cases = yield* Cases
      const directory = yield* Directory
      const people = yield* People

      return Lifecycle.of({
        assign: Effect.fn("Lifecycle.assign")(function* (id, providerId, named) {
          const organizationId = yield* cases.organizationOf(id)
          const isOfMachine = named === undefined && (yield* organizationScope) === undefined
          const assignedBy = isOfMachine ? undefined : yield* inOwnName("assignedByUserId", named)
          yield* directory.prescriber(organizationId, providerId)
          if (assignedBy !== undefined) yield* people.staff(organizationId, assignedBy)
          yield* cases.move(organizationId, id, { name: "assign", providerId, assignedBy }, assignedBy)
          return organizationId
        }),

        start: Effect.fn("Lifecycle.start")(function* (id) {
          const organizationId = yield* cases.organizationOf(id)
          yield* cases.move(organizationId, id, { name: "start" })
          return organizationId
        })
      })
    })
  ).pipe(Layer.provide(Cases.layer))
}
