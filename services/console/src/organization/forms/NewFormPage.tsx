import type { NewForm } from "@care/domain/admin"
import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { Failure } from "../../ui/Failure.tsx"
import { Page } from "../../ui/Page.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { catalogue, formsKey } from "../catalogueQueries.ts"
import { BackToForms } from "./BackToForms.tsx"
import { FormEditor } from "./editor/FormEditor.tsx"
import { copyOf, emptyDraft } from "./editor/formDraft.ts"
import { formQuery } from "./formQuery.ts"

/** The editor of a new form, which may begin as a copy of another. */
export const NewFormPage = () => {
  const { organizationId } = useParams({ from: "/shell/organizations/$organizationId/forms/new" })
  const { from } = useSearch({ from: "/shell/organizations/$organizationId/forms/new" })
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(
    from === undefined ? { queryKey: ["no-form"], queryFn: skipToken } : formQuery(organizationId, from)
  )
  const save = async (payload: typeof NewForm.Type) => {
    const { id } = await send(catalogue.createForm({ params: { organizationId }, payload }))
    await client.invalidateQueries({ queryKey: formsKey(organizationId) })
    announce("Form added")
    return () =>
      void navigate({ to: "/organizations/$organizationId/forms/$formId", params: { organizationId, formId: id } })
  }
  const initial = from === undefined ? emptyDraft : data && copyOf(data)
  return (
    <Page title="New form" actions={<BackToForms organizationId={organizationId} />}>
      {error !== null ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : initial === undefined ? (
        <Skeleton lines={8} />
      ) : (
        <FormEditor initial={initial} onSave={save} />
      )}
    </Page>
  )
}
