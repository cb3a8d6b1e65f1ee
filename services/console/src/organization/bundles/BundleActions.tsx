import type { Bundle } from "@care/domain/cases"
import { WindowButton } from "../../ui/WindowButton.tsx"
import { ArchiveButton } from "../ArchiveButton.tsx"
import { ChangeBundleForm } from "./ChangeBundleForm.tsx"
import { useBundleChange } from "./useBundleChange.ts"

/** What an administrator can do with a bundle. */
export const BundleActions = ({ bundle }: { readonly bundle: Bundle }) => {
  const change = useBundleChange(bundle)
  return (
    <span className="flex flex-wrap gap-1.5">
      <WindowButton isSmall isWide text="Change" thing={bundle.name} title="Change the bundle">
        {(close) => <ChangeBundleForm bundle={bundle} onClose={close} />}
      </WindowButton>
      <ArchiveButton
        kind="bundle"
        name={bundle.name}
        isArchived={bundle.isArchived}
        onChange={(isArchived) => change({ isArchived })}
      >
        partners see it no more, and promo codes for it lower no price. Cases that have it keep it.
      </ArchiveButton>
    </span>
  )
}
