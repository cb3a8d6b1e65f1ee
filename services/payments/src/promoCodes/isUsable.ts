import type { BundleId } from "@care/domain/ids"

/**
 * Whether a promo code is on, not expired, and for what it is asked for: one that is restricted to bundles needs one of
 * those. How often it may be used is another question.
 */
export const isUsable = (
  {
    bundleIds,
    expiresAt,
    isActive
  }: { readonly isActive: boolean; readonly expiresAt: Date | null; readonly bundleIds: ReadonlyArray<BundleId> },
  askedFor: ReadonlyArray<BundleId>,
  now: Date
): boolean =>
  isActive &&
  (expiresAt === null || expiresAt > now) &&
  (bundleIds.length === 0 || askedFor.some((id) => bundleIds.includes(id)))
