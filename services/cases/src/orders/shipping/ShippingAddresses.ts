import type { KnownAddress } from "@care/domain/http"
import type { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { casePaymentsApi } from "@care/domain/payments"
import { sealedRowsOf } from "@care/phi"
import { peer } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { CaseAddressRow, Directory } from "../../case/index.ts"

/** Finds the shipping addresses of orders that name none. */
export class ShippingAddresses extends Context.Service<
  ShippingAddresses,
  {
    /**
     * Returns the address that was reported last: by the creation of the case, by a payment method (of any case of the patient), or by the
     * patient's profile. Null while none is known.
     */
    readonly of: (organizationId: OrganizationId, caseId: CaseId, userId: UserId) => Effect.Effect<KnownAddress | null>
  }
>()("@care/cases/shipping/ShippingAddresses") {
  static readonly layer = Layer.effect(
    ShippingAddresses,
    Effect.gen(function* () {
      const directory = yield* Directory
      const payments = yield* peer(casePaymentsApi, "casePayments")
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
          const [caseAddress, payment, profileAddress] = yield* Effect.all(
            [
              ofCase(organizationId, caseId),
              Effect.orDie(payments.shippingAddress({ params })),
              directory.patientAddress(organizationId, userId)
            ],
            { concurrency: "unbounded" }
          )
          const ofThisCase = Option.map(caseAddress, ({ shippingAddress, reportedAt }) => ({
            address: shippingAddress,
            reportedAt
          }))
          const [newest] = [Option.getOrNull(ofThisCase), payment.reported, profileAddress]
            .filter((address) => address !== null)
            .sort((a, b) => b.reportedAt.getTime() - a.reportedAt.getTime())
          return newest?.address ?? null
        })
      })
    })
  )
}
