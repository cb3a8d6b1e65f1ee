import { unassignedStatus } from "@care/domain/cases"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { Context, Effect, Layer, Option } from "effect"
import { AssignmentJobs } from "../assignment/AssignmentJobs.ts"
import { Cases } from "./Cases.ts"

/** What follows when a case that nobody worked on is open: one that was abandoned, or one that was closed. */
export class CaseOpenings extends Context.Service<
  CaseOpenings,
  {
    /**
     * Offers what follows, in the transaction of the move that opened the case. Nothing follows of a test case, nor of one
     * that does not wait: it has its provider still, or was decided.
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
          // Its provider may have left meanwhile; another case does not move.
          yield* Effect.ignore(cases.move(organizationId, caseId, { name: "release" }))
          const found = yield* cases.find(organizationId, caseId)
          const waits = Option.exists(found, ({ isTest, status }) => !isTest && status === unassignedStatus)
          if (waits) yield* assignments.offer({ organizationId, caseId })
        })
      })
    })
  ).pipe(Layer.provide([AssignmentJobs.layer, Cases.layer]))
}
