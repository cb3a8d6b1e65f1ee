import type { RateLimited } from "@care/domain/http"
import type { BundleId, CaseId, OrganizationId, PromoCodeId } from "@care/domain/ids"
import { PromoCodeNotFound, type PromoDiscount, promoTermOf } from "@care/domain/payments"
import { inTransaction, Time } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makeGuessLimit } from "./makeGuessLimit.ts"
import { makePromoRedemptionsRepo, type NamedPromoCode } from "./PromoRedemptionsRepo.ts"

/**
 * Returns whether a promo code is active, not expired, and valid for one of the bundles if it is restricted. The number
 * of uses is checked elsewhere.
 */
const isUsable = (
  {
    bundleIds,
    expiresAt,
    isActive
  }: { readonly isActive: boolean; readonly expiresAt: Date | null; readonly bundleIds: ReadonlyArray<BundleId> },
  requestedBundles: ReadonlyArray<BundleId>,
  now: Date
): boolean =>
  isActive &&
  (expiresAt === null || expiresAt > now) &&
  (bundleIds.length === 0 || requestedBundles.some((id) => bundleIds.includes(id)))

/** A promo code as a request names it (code or name), and the bundles of the request. */
interface RequestedPromoCode {
  readonly code: string
  readonly bundleIds: ReadonlyArray<BundleId>
}

/** A use of a promo code. */
export interface RedeemedPromoCode {
  readonly promoCodeId: PromoCodeId
  /** As the request named it. */
  readonly code: string
  readonly discount: PromoDiscount
}

const discountOf = ({ discount, isFlat }: NamedPromoCode): PromoDiscount =>
  isFlat ? { flatDiscount: discount } : { percentDiscount: discount }

/** The use of promo codes. An organization's own promo code is found before a global one, usable or not. */
export class PromoCodes extends Context.Service<
  PromoCodes,
  {
    /**
     * Returns the current discount of a code, for a bundle if one is named; an empty list when the code cannot be used.
     */
    readonly check: (
      organizationId: OrganizationId,
      code: string,
      bundleId: BundleId | undefined
    ) => Effect.Effect<ReadonlyArray<PromoDiscount>, PromoCodeNotFound | RateLimited>
    /**
     * Redeems codes for a case in the caller's transaction, and returns their discounts in order. Each promo code
     * counts once for each case; codes that the case has used are not checked again. If one cannot be used, none is
     * counted.
     */
    readonly redeem: (
      organizationId: OrganizationId,
      caseId: CaseId,
      requested: ReadonlyArray<RequestedPromoCode>
    ) => Effect.Effect<ReadonlyArray<RedeemedPromoCode>, PromoCodeNotFound>
    /** Releases the uses of a case, in the caller's transaction. */
    readonly release: (organizationId: OrganizationId, caseId: CaseId) => Effect.Effect<void>
  }
>()("@care/payments/promoCodes/PromoCodes") {
  static readonly layer = Layer.effect(
    PromoCodes,
    Effect.gen(function* () {
      const guesses = yield* makeGuessLimit
      const repo = yield* makePromoRedemptionsRepo
      const sql = yield* SqlClient.SqlClient

      // Returns the promo code of each request.
      const find = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        requested: ReadonlyArray<RequestedPromoCode>,
        caseId?: CaseId
      ) {
        const terms = requested.map(({ code }) => promoTermOf(code))
        const found = yield* repo.findByTerms(organizationId, terms, caseId)
        const byTerm = new Map(found.map((promo) => [promo.term, promo]))
        return yield* Effect.forEach(requested, ({ bundleIds, code }) => {
          const promo = byTerm.get(promoTermOf(code))
          return promo === undefined
            ? Effect.fail(new PromoCodeNotFound({ code, isKnown: false }))
            : Effect.succeed({ bundleIds, code, promo })
        })
      })

      return PromoCodes.of({
        check: Effect.fn("PromoCodes.check")(function* (organizationId, code, bundleId) {
          const bundleIds = bundleId === undefined ? [] : [bundleId]
          const now = yield* Time.nowAsDate
          yield* guesses.require(organizationId)
          const found = Effect.catchTag(
            find(organizationId, [{ code, bundleIds }]),
            "PromoCodeNotFound",
            guesses.refuse(organizationId)
          )
          return (yield* found)
            .filter(({ promo }) => !promo.isUsedUp && isUsable(promo, bundleIds, now))
            .map(({ promo }) => discountOf(promo))
        }),

        redeem: Effect.fn("PromoCodes.redeem")(function* (organizationId, caseId, requested) {
          if (requested.length === 0) return []
          const now = yield* Time.nowAsDate
          const found = yield* find(organizationId, requested, caseId)
          const ids = found.map(({ promo }) => promo.id)
          const newIds = yield* repo.insert(organizationId, caseId, ids, now)
          const countedIds = yield* repo.countUses(organizationId, newIds)
          const refused = found.find(
            ({ bundleIds, promo }) =>
              newIds.includes(promo.id) && !(countedIds.includes(promo.id) && isUsable(promo, bundleIds, now))
          )
          if (refused !== undefined) return yield* new PromoCodeNotFound({ code: refused.code, isKnown: true })
          return found.map(({ code, promo }) => ({ promoCodeId: promo.id, code, discount: discountOf(promo) }))
        }, inTransaction(sql)),

        release: Effect.fn("PromoCodes.release")(function* (organizationId, caseId) {
          const ids = yield* repo.remove(organizationId, caseId)
          if (ids.length > 0) yield* repo.uncountUses(organizationId, ids)
        }, inTransaction(sql))
      })
    })
  )
}
