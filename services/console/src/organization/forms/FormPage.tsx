import { useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { useMay } from "../../session/useMay.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Failure } from "../../ui/Failure.tsx"
import { Page } from "../../ui/Page.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { BackToForms } from "./BackToForms.tsx"
import { FormActions } from "./FormActions.tsx"
import { formQuery } from "./formQuery.ts"
import { FormPreview } from "./preview/FormPreview.tsx"

/** A form of an organization, as patients see it. */
export const FormPage = () => {
  const { formId, organizationId } = useParams({ from: "/shell/organizations/$organizationId/forms/$formId" })
  const may = useMay()
  const { data, error, refetch } = useQuery(formQuery(organizationId, formId))
  return (
    <Page title={data?.title ?? "Form"} actions={<BackToForms organizationId={organizationId} />}>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Skeleton lines={8} />
        ) : null
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-2">
            {data.isArchived ? <Badge look="warn" text="Archived" /> : null}
            {may("catalogue", "changeForm") ? <FormActions form={data} /> : null}
          </div>
          <div className="max-w-3xl">
            <FormPreview title={data.title} description={data.description ?? ""} questions={data.questions} />
          </div>
        </>
      )}
    </Page>
  )
}
