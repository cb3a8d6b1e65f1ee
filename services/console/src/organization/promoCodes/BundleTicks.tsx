import type { OrganizationId } from "@care/domain/ids"
import { useQuery } from "@tanstack/react-query"
import { Ticks } from "../../ui/Ticks.tsx"
import { allBundles } from "../catalogueQueries.ts"

interface BundleTicksProps {
  readonly organizationId: OrganizationId
  readonly value: ReadonlyArray<string>
  readonly onChange: (value: ReadonlyArray<string>) => void
}

/** The bundles of an organization to which a promo code applies. */
export const BundleTicks = ({ onChange, organizationId, value }: BundleTicksProps) => {
  const { data, error } = useQuery(allBundles(organizationId))
  return (
    <>
      <Ticks
        label="Only for these bundles"
        empty="There is no bundle: the code applies to everything."
        options={data?.map(({ id, name }) => ({ value: id, text: name }))}
        error={error}
        value={value}
        onChange={onChange}
      />
      <p className="text-sm text-muted">
        Without a bundle it applies to everything. The code, the discount and the bundles cannot be changed later.
      </p>
    </>
  )
}
