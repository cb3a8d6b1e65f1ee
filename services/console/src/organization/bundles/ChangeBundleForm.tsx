import { BundleChange } from "@care/domain/admin"
import type { Bundle } from "@care/domain/cases"
import { useState } from "react"
import { announce } from "../../ui/announce.ts"
import { EntryForm } from "../../ui/EntryForm.tsx"
import { BundleFields } from "./BundleFields.tsx"
import { changesIn, draftOf } from "./bundleDraft.ts"
import { useBundleChange } from "./useBundleChange.ts"

interface ChangeBundleFormProps {
  readonly bundle: Bundle
  readonly onClose: () => void
}

export const ChangeBundleForm = ({ bundle, onClose }: ChangeBundleFormProps) => {
  const change = useBundleChange(bundle)
  const [draft, setDraft] = useState(() => draftOf(bundle))
  return (
    <EntryForm
      schema={BundleChange}
      entered={changesIn(draft, bundle)}
      action="Save"
      onSave={async (payload) => {
        await change(payload)
        announce("Bundle saved")
      }}
      onDone={onClose}
      onCancel={onClose}
    >
      <BundleFields organizationId={bundle.organizationId} draft={draft} onChange={setDraft} />
    </EntryForm>
  )
}
