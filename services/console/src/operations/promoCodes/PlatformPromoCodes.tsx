import { PromoCodes } from "../../organization/promoCodes/PromoCodes.tsx"
import { Page } from "../../ui/Page.tsx"

/** The promo codes of the platform, for operators. */
export const PlatformPromoCodes = () => (
  <Page title="Platform promo codes">
    <p className="max-w-prose text-sm text-muted">
      They lower prices in all organizations. Where an organization has a promo code of its own with the same code or
      name, that one counts.
    </p>
    <PromoCodes organizationId={undefined} />
  </Page>
)
