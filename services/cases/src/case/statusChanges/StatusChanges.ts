import {
  CaseClosed,
  type CaseForbidden,
  CaseNotClosed,
  type CaseNotFound,
  CaseNotOpenable,
  type StatusChange
} from "@care/domain/cases"
import type { IdempotencyConflict } from "@care/domain/http"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { Once, onceOperation } from "@care/once"
import { inTransaction } from "@care/service-kit"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CaseOpenings } from "../lifecycle/CaseOpenings.ts"
import { Cases } from "../lifecycle/Cases.ts"

const statusChange = onceOperation({ name: "changeCaseStatus", version: 1, ids: {}, answer: Schema.Void })

type Refusal = CaseNotFound | CaseForbidden | CaseClosed | CaseNotClosed | CaseNotOpenable

type Change = (
  organizationId: OrganizationId,
  caseId: CaseId,
  archiveNote: string | null
) => Effect.Effect<void, Refusal>

/** Changes the status of cases for partners. */
export class StatusChanges extends Context.Service<
  StatusChanges,
  {
    /** Opens, closes or reopens a case of the organization, and starts its assignment if it waits again. */
    readonly change: (
      organizationId: OrganizationId,
      caseId: CaseId,
      change: StatusChange,
      idempotencyKey: string | undefined
    ) => Effect.Effect<void, Refusal | IdempotencyConflict>
  }
>()("@care/cases/statusChanges/StatusChanges") {
  static readonly layer = Layer.effect(
    StatusChanges,
    Effect.gen(function* () {
      const cases = yield* Cases
      const once = yield* Once
      const openings = yield* CaseOpenings
      const sql = yield* SqlClient.SqlClient

      const changes: Readonly<Record<StatusChange["status"], Change>> = {
        OPEN: Effect.fnUntraced(
          function* (organizationId, caseId) {
            const before = yield* cases.move(organizationId, caseId, { name: "open" })
            if (before === "ABANDONED") yield* openings.opened(organizationId, caseId)
          },
          Effect.catchTag("CaseStatusConflict", ({ isArchived, status }) =>
            Effect.fail(isArchived ? new CaseClosed() : new CaseNotOpenable({ status }))
          )
        ),
        CLOSE: (organizationId, caseId, archiveNote) =>
          cases.move(organizationId, caseId, { name: "close", archiveNote }).pipe(
            Effect.asVoid,
            Effect.catchTag("CaseStatusConflict", () => new CaseClosed())
          ),
        REOPEN: Effect.fnUntraced(
          function* (organizationId, caseId) {
            yield* cases.move(organizationId, caseId, { name: "reopen" })
            yield* openings.opened(organizationId, caseId)
          },
          Effect.catchTag("CaseStatusConflict", () => new CaseNotClosed())
        )
      }

      return StatusChanges.of({
        change: Effect.fn("StatusChanges.change")(function* (organizationId, caseId, change, key) {
          const request = { organizationId, key, body: { caseId, ...change } }
          const applyChange = changes[change.status](organizationId, caseId, change.reason ?? null)
          return yield* once.run(statusChange, request, () =>
            Effect.as(cases.requireOwn(organizationId, caseId), inTransaction(sql)(applyChange))
          )
        })
      })
    })
  ).pipe(Layer.provide([Cases.layer, CaseOpenings.layer]))
}
