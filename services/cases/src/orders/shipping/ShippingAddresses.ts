import type { KnownAddress } from "@care/domain/http"
import type { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { PaymentsApi } from "@care/domain/payments"
import { sealedRowsOf } from "@care/phi"
import { peer } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { CaseAddressRow, Directory } from "../../case/index.ts"

/** Where things are sent to when nobody says where. */
export class ShippingAddresses extends Context.Service<
  ShippingAddresses,
  {
    /**
     * The address that was told last: when the case was created, with a method of payment, which is for all cases of the
     * patient, or as where the patient lives. Null while none is known.
     */
    readonly of: (organizationId: OrganizationId, caseId: CaseId, userId: UserId) => Effect.Effect<KnownAddress | null>
  }
>()("@care/cases/shipping/ShippingAddresses") {
  static readonly layer = Layer.effect(
    ShippingAddresses,
    Effect.gen(function* () {
      const directory = yield* Directory
      const payments = yield* peer(PaymentsApi, "casePayments")
      const sql = yield* SqlClient.SqlClient
      const addresses = yield* sealedRowsOf(CaseAddressRow)

      const ofCase = (organizationId: OrganizationId, caseId: CaseId) =>
        addresses.first(sql`
          SELECT organization_id, case_id, shipping_address, reported_at FROM case_addresses
          WHERE organization_id = ${organizationId} AND case_id = ${caseId}
        `)

      return ShippingAddresses.of({
        of: Effect.fn("ShippingAddresses.of")(function* (organizationId, caseId, userId) {
          const params = { organizationId, userId }
          const [created, paid, lives] = yield* Effect.all(
            [
              ofCase(organizationId, caseId),
              Effect.orDie(payments.shippingAddress({ params })),
              directory.patientAddress(organizationId, userId)
            ],
            { concurrency: "unbounded" }
          )
          const ofThisCase = Option.map(created, ({ shippingAddress, reportedAt }) => ({
            address: shippingAddress,
            reportedAt
          }))
          const [newest] = [Option.getOrNull(ofThisCase), paid.reported, lives]
            .filter((known) => known !== null)
            .sort((one, other) => other.reportedAt.getTime() - one.reportedAt.getTime())
          return newest?.address ?? null
        })
      })
    })
  )
}
