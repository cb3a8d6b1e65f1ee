import type { OrganizationId, UserId } from "@care/domain"
import { finds } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** What the other services ask about a patient's cases. */
export class PatientCases extends Context.Service<
  PatientCases,
  {
    /** True when somebody has worked on a case of the patient, archived or not. */
    readonly locksProfile: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<boolean>
  }
>()("@care/cases/patients/PatientCases") {
  static readonly layer = Layer.effect(
    PatientCases,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return PatientCases.of({
        locksProfile: Effect.fn("PatientCases.locksProfile")((organizationId, userId) =>
          finds(sql`
            SELECT id FROM cases
            WHERE organization_id = ${organizationId} AND user_id = ${userId}
              AND status IN ('ASSIGNED', 'IN_PROGRESS', 'APPROVED', 'REJECTED', 'NO_DECISION')
            LIMIT 1
          `)
        )
      })
    })
  )
}
