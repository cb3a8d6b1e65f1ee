import { OrganizationNotFound, type ProviderUnknown, type StaffUnknown } from "@care/domain/auth"
import {
  type CaseAssignment,
  type CaseAssignments,
  CaseNotFound,
  type CaseStatusConflict,
  statusConflictText,
  type UserNotInOrganization
} from "@care/domain/cases"
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
    /** Assigns cases of an organization, one after the other, and returns the outcome of each. */
    readonly assignAll: (
      assignments: CaseAssignments
    ) => Effect.Effect<
      ReadonlyArray<CaseAssignment>,
      OrganizationNotFound | ProviderUnknown | UserNotInOrganization | StaffUnknown | RequestInvalid | StaffRefused
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

      // Returns who assigns cases to the provider. Operators and their machines need not name anybody.
      const assignerOf = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        providerId: UserId,
        named: UserId | undefined
      ) {
        const isOfMachine = named === undefined && (yield* organizationScope) === undefined
        const assignedBy = isOfMachine ? undefined : yield* inOwnName("assignedByUserId", named)
        yield* directory.prescriber(organizationId, providerId)
        if (assignedBy !== undefined) yield* people.staff(organizationId, assignedBy)
        return assignedBy
      })

      return Lifecycle.of({
        assign: Effect.fn("Lifecycle.assign")(function* (id, providerId, named) {
          const organizationId = yield* cases.organizationOf(id)
          const assignedBy = yield* assignerOf(organizationId, providerId, named)
          yield* cases.move(organizationId, id, { name: "assign", providerId, assignedBy }, assignedBy)
          return organizationId
        }),

        assignAll: Effect.fn("Lifecycle.assignAll")(function* ({
          assignedByUserId,
          caseIds,
          organizationId,
          providerId
        }) {
          const scope = (yield* organizationScope) ?? organizationId
          if (scope !== organizationId) return yield* new OrganizationNotFound({ organizationId })
          const assignedBy = yield* assignerOf(organizationId, providerId, assignedByUserId)
          const assign = Effect.fnUntraced(function* (caseId: CaseId) {
            // A provider assigns those that they may see.
            if ((yield* cases.organizationOf(caseId)) !== organizationId) return yield* new CaseNotFound()
            yield* cases.move(organizationId, caseId, { name: "assign", providerId, assignedBy }, assignedBy)
          })
          return yield* Effect.forEach([...new Set(caseIds)], (caseId) =>
            assign(caseId).pipe(
              Effect.as<CaseAssignment>({ caseId, outcome: "ASSIGNED", detail: null }),
              Effect.catchTags({
                CaseNotFound: () =>
                  Effect.succeed<CaseAssignment>({
                    caseId,
                    outcome: "NOT_FOUND",
                    detail: "The organization has no case with this id."
                  }),
                CaseStatusConflict: (conflict) =>
                  Effect.succeed<CaseAssignment>({
                    caseId,
                    outcome: "STATUS_CONFLICT",
                    detail: statusConflictText(conflict)
                  })
              })
            )
          )
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
