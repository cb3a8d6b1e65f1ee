import type { BundleId } from "@care/domain/ids"

/**
 * Returns whether a promo code is active, not expired, and valid for one of the bundles if it is restricted. The number
 * of uses is checked elsewhere.
 */
export const isUsable = (
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
