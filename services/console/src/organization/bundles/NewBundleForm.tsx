import { NewBundle } from "@care/domain/admin"
import type { OrganizationId } from "@care/domain/ids"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { EntryForm } from "../../ui/EntryForm.tsx"
import { bundlesKey, catalogue } from "../catalogueQueries.ts"
import { given } from "../given.ts"
import { BundleFields } from "./BundleFields.tsx"
import { emptyDraft } from "./bundleDraft.ts"

interface NewBundleFormProps {
  readonly organizationId: OrganizationId
  readonly onClose: () => void
}

export const NewBundleForm = ({ onClose, organizationId }: NewBundleFormProps) => {
  const client = useQueryClient()
  const [draft, setDraft] = useState(emptyDraft)
  return (
    <EntryForm
      schema={NewBundle}
      entered={{ ...draft, intakeFormId: given(draft.intakeFormId), followupFormId: given(draft.followupFormId) }}
      action="Add"
      onSave={async (payload) => {
        await send(catalogue.createBundle({ params: { organizationId }, payload }))
        await client.invalidateQueries({ queryKey: bundlesKey(organizationId) })
        announce("Bundle added")
      }}
      onDone={onClose}
      onCancel={onClose}
    >
      <BundleFields organizationId={organizationId} draft={draft} onChange={setDraft} />
    </EntryForm>
  )
}
