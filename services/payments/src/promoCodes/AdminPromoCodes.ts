import { randomUUID } from "node:crypto"
import { OrganizationNotFound } from "@care/domain/auth"
import { PromoCodeId } from "@care/domain/ids"
import {
  type NewPromoCode,
  type PromoCode,
  type PromoCodeChange,
  type PromoCodeQuery,
  type PromoCodeTaken,
  PromoCodeUnknown,
  promoTermOf
} from "@care/domain/payments"
import { inTransaction, newest, organizationScope, type Page, pageFrom, Time } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Directory } from "../Directory.ts"
import { makePromoCodesRepo } from "./PromoCodesRepo.ts"

/** The administration of promo codes, by operators and by administrators of organizations. */
export class AdminPromoCodes extends Context.Service<
  AdminPromoCodes,
  {
    /** Stores a promo code. Without an organization it is a global one, or that of the person who adds it. */
    readonly create: (promo: NewPromoCode) => Effect.Effect<PromoCode, OrganizationNotFound | PromoCodeTaken>
    readonly list: (query: PromoCodeQuery) => Effect.Effect<Page<PromoCode>>
    readonly change: (id: PromoCodeId, change: PromoCodeChange) => Effect.Effect<PromoCode, PromoCodeUnknown>
  }
>()("@care/payments/promoCodes/AdminPromoCodes") {
  static readonly layer = Layer.effect(
    AdminPromoCodes,
    Effect.gen(function* () {
      const directory = yield* Directory
      const repo = yield* makePromoCodesRepo
      const sql = yield* SqlClient.SqlClient

      return AdminPromoCodes.of({
        create: Effect.fn("AdminPromoCodes.create")(function* ({ organizationId: named, ...newPromo }) {
          const scope = yield* organizationScope
          const organizationId = named ?? scope
          if (organizationId !== undefined && organizationId !== (scope ?? organizationId)) {
            return yield* new OrganizationNotFound({ organizationId })
          }
          if (organizationId !== undefined) yield* directory.requireOrganization(organizationId)
          const { code, name = null } = newPromo
          const promo: PromoCode = {
            id: PromoCodeId.make(randomUUID()),
            organizationId: organizationId ?? null,
            code,
            name,
            flatDiscount: newPromo.flatDiscount ?? null,
            percentDiscount: newPromo.percentDiscount ?? null,
            isActive: newPromo.isActive ?? true,
            expiresAt: newPromo.expiresAt ?? null,
            bundleIds: [...new Set(newPromo.bundleIds)],
            maxRedemptions: newPromo.maxRedemptions ?? null,
            redemptions: 0,
            createdAt: yield* Time.nowAsDate
          }
          yield* inTransaction(sql)(repo.insert(promo, (name === null ? [code] : [code, name]).map(promoTermOf)))
          return promo
        }),
        list: Effect.fn("AdminPromoCodes.list")(function* (query) {
          const { code: term, cursor = newest, isGlobal, limit } = query
          const organizationId = (yield* organizationScope) ?? query.organizationId
          if (isGlobal !== undefined && organizationId !== undefined) return pageFrom([], limit)
          const owner = isGlobal === undefined ? organizationId : "GLOBAL"
          const rows =
            term === undefined ? repo.page(owner, cursor, limit + 1) : repo.pageOfTerm(term, owner, cursor, limit + 1)
          return pageFrom(yield* rows, limit)
        }),
        change: Effect.fn("AdminPromoCodes.change")(function* (promoCodeId, change) {
          const changed = yield* repo.update(promoCodeId, yield* organizationScope, change, yield* Time.nowAsDate)
          return yield* Effect.fromOption(changed, () => new PromoCodeUnknown({ promoCodeId }))
        })
      })
    })
  )
}
