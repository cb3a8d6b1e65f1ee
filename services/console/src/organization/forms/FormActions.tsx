import type { Form } from "@care/domain/cases"
import { WindowButton } from "../../ui/WindowButton.tsx"
import { ArchiveButton } from "../ArchiveButton.tsx"
import { ChangeFormForm } from "./ChangeFormForm.tsx"
import { NewFormLink } from "./NewFormLink.tsx"
import { useFormChange } from "./useFormChange.ts"

/** What an administrator can do with a form. */
export const FormActions = ({ form }: { readonly form: Form }) => {
  const change = useFormChange(form)
  return (
    <>
      <WindowButton isSmall text="Change the title" title="Change the title and description">
        {(close) => <ChangeFormForm form={form} onClose={close} />}
      </WindowButton>
      <ArchiveButton
        kind="form"
        name={form.title}
        isArchived={form.isArchived}
        onChange={(isArchived) => change({ isArchived })}
      >
        it can be given to no bundle, and no new case names it. Bundles and cases that have it keep it.
      </ArchiveButton>
      <NewFormLink organizationId={form.organizationId} from={form.id} text="Copy into a new form" />
    </>
  )
}
