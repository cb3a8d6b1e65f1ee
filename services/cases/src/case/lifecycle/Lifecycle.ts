import type { ProviderUnknown, StaffUnknown } from "@care/domain/auth"
import type { CaseNotFound, CaseStatusConflict, UserNotInOrganization } from "@care/domain/cases"
import type { CaseId, UserId } from "@care/domain/ids"
import { Context, Effect, Layer } from "effect"
import { Directory } from "../directory/Directory.ts"
import { People } from "../people/People.ts"
import { Cases } from "./Cases.ts"

/** Assigns and starts cases, as the care team decides. */
export class Lifecycle extends Context.Service<
  Lifecycle,
  {
    /** Assigns an open case to a provider of its organization, or an assigned case to another. `assignedBy` is recorded as the actor. */
    readonly assign: (
      id: CaseId,
      providerId: UserId,
      assignedBy: UserId | undefined
    ) => Effect.Effect<void, CaseNotFound | CaseStatusConflict | ProviderUnknown | UserNotInOrganization | StaffUnknown>
    /** Begins work on an assigned case. */
    readonly start: (id: CaseId) => Effect.Effect<void, CaseNotFound | CaseStatusConflict>
  }
>()("@care/cases/lifecycle/Lifecycle") {
  static readonly layer = Layer.effect(
    Lifecycle,
    Effect.gen(function* () {
      const cases = yield* Cases
      const directory = yield* Directory
      const people = yield* People

      return Lifecycle.of({
        assign: Effect.fn("Lifecycle.assign")(function* (id, providerId, assignedBy) {
          const organizationId = yield* cases.organizationOf(id)
          yield* directory.prescriber(organizationId, providerId)
          if (assignedBy !== undefined) yield* people.staff(organizationId, assignedBy)
          yield* cases.move(organizationId, id, { name: "assign", providerId, assignedBy }, assignedBy)
        }),

        start: Effect.fn("Lifecycle.start")(function* (id) {
          yield* cases.move(yield* cases.organizationOf(id), id, { name: "start" })
        })
      })
    })
  ).pipe(Layer.provide(Cases.layer))
}
