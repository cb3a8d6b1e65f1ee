import { unassignedStatus } from "@care/domain/cases"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { Context, Effect, Layer, Option } from "effect"
import { AssignmentJobs } from "../assignment/AssignmentJobs.ts"
import { Cases } from "./Cases.ts"

/** Starts the assignment of cases that open after they were abandoned or closed. */
export class CaseOpenings extends Context.Service<
  CaseOpenings,
  {
    /**
     * Offers the assignment of a case, in the transaction of the move that opened it. Nothing is offered for a test case, nor for a
     * case that still has its provider or was decided.
     */
    readonly opened: (organizationId: OrganizationId, caseId: CaseId) => Effect.Effect<void>
  }
>()("@care/cases/lifecycle/CaseOpenings") {
  static readonly layer = Layer.effect(
    CaseOpenings,
    Effect.gen(function* () {
      const assignments = yield* AssignmentJobs
      const cases = yield* Cases

      return CaseOpenings.of({
        opened: Effect.fn("CaseOpenings.opened")(function* (organizationId, caseId) {
          // Only a case whose provider has left is released; the move refuses others.
          yield* Effect.ignore(cases.move(organizationId, caseId, { name: "release" }))
          const existing = yield* cases.find(organizationId, caseId)
          const isWaiting = Option.exists(existing, ({ isTest, status }) => !isTest && status === unassignedStatus)
          if (isWaiting) yield* assignments.offer({ organizationId, caseId })
        })
      })
    })
  ).pipe(Layer.provide([AssignmentJobs.layer, Cases.layer]))
}
