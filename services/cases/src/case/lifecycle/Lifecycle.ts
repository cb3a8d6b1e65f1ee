import { OrganizationNotFound, type ProviderUnknown, type StaffUnknown } from "@care/domain/auth"
import {
  type CaseAssignment,
  type CaseAssignments,
  CaseNotFound,
  type CaseStatusConflict,
  CaseTaken,
  type NewAssignment,
  statusConflictText,
  type UserNotInOrganization
} from "@care/domain/cases"
import type { RequestInvalid, StaffRefused } from "@care/domain/http"
import type { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { organizationScope } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { Directory } from "../directory/Directory.ts"
import { inOwnName } from "../people/inOwnName.ts"
import { People } from "../people/People.ts"
import { Cases } from "./Cases.ts"
import { makeExplained } from "./makeExplained.ts"

/** Assigns and starts cases, as the care team decides. */
export class Lifecycle extends Context.Service<
  Lifecycle,
  {
    /**
     * Assigns an open case to a provider of its organization, or an assigned case to another, and returns its organization. Who assigns it is
     * recorded as the actor. With `onlyIfUnassigned` it fails if another provider has the case, and changes nothing if the provider has it.
     */
    readonly assign: (
      id: CaseId,
      assignment: NewAssignment
    ) => Effect.Effect<
      OrganizationId,
      | CaseNotFound
      | CaseStatusConflict
      | CaseTaken
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
      const explained = yield* makeExplained
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

      const nameOf = Effect.fnUntraced(function* (organizationId: OrganizationId, userId: UserId) {
        const person = (yield* people.summaries(organizationId, [userId])).get(userId)
        return { firstName: person?.firstName ?? "Another", lastName: person?.lastName ?? "provider" }
      })

      // Returns whether the provider has the case, and fails if another one has it.
      const isHolder = Effect.fnUntraced(function* (organizationId: OrganizationId, id: CaseId, providerId: UserId) {
        const holder = yield* cases.holderOf(organizationId, id)
        if (Option.isNone(holder) || holder.value.assignedTo === providerId) return Option.isSome(holder)
        const { assignedAt, assignedTo } = holder.value
        return yield* new CaseTaken({ ...(yield* nameOf(organizationId, assignedTo)), assignedAt })
      })

      // A provider does not see a case any more that another one has taken.
      const organizationOfTaken = (id: CaseId, providerId: UserId) =>
        Effect.catchTag(cases.organizationOf(id), "CaseNotFound", (notFound) =>
          cases.findAny(id).pipe(
            Effect.flatMap(({ organizationId }) => isHolder(organizationId, id, providerId)),
            Effect.andThen(notFound)
          )
        )

      return Lifecycle.of({
        assign: Effect.fn("Lifecycle.assign")(function* (id, { assignedByUserId, onlyIfUnassigned, providerId }) {
          const isTake = onlyIfUnassigned === true
          const organizationId = yield* isTake ? organizationOfTaken(id, providerId) : cases.organizationOf(id)
          const assignedBy = yield* assignerOf(organizationId, providerId, assignedByUserId)
          const name = isTake ? "take" : "assign"
          const move = cases.move(organizationId, id, { name, providerId, assignedBy }).pipe(
            Effect.asVoid,
            Effect.catchTag("CaseStatusConflict", (conflict) =>
              Effect.flatMap(isTake ? isHolder(organizationId, id, providerId) : Effect.succeed(false), (hasIt) =>
                hasIt ? Effect.void : Effect.fail(conflict)
              )
            )
          )
          yield* explained(organizationId, id, move)
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
            yield* cases.move(organizationId, caseId, { name: "assign", providerId, assignedBy })
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
          yield* explained(organizationId, id, cases.move(organizationId, id, { name: "start" }))
          return organizationId
        })
      })
    })
  ).pipe(Layer.provide(Cases.layer))
}
