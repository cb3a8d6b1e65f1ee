import type { OrganizationId } from "@care/domain/ids"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../../client/send.ts"
import { Button } from "../../ui/Button.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { Failure } from "../../ui/Failure.tsx"
import { Field } from "../../ui/Field.tsx"
import { Panel } from "../../ui/Panel.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { FoundPatients } from "./FoundPatients.tsx"
import { caseSearch } from "./patientQueries.ts"

/** Finds a patient, to export or to erase what is stored about them. */
export const Patients = ({ organizationId }: { readonly organizationId: OrganizationId }) => {
  const [typed, setTyped] = useState("")
  const find = useMutation({
    mutationFn: (q: string) => send(caseSearch.find({ payload: { organizationId, q, limit: 50 } }))
  })
  return (
    <Panel title="Find the patient">
      <p className="max-w-prose text-muted">
        A patient may ask for all that is stored about them, or for its erasure. Find them by their email, phone number,
        name or id, or by the id of a case.
      </p>
      <search>
        <form
          className="flex max-w-lg flex-wrap items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            if (typed.trim().length >= 2) find.mutate(typed)
          }}
        >
          <div className="min-w-48 flex-1">
            <Field label="Patient" type="search" autoComplete="off" value={typed} onChange={setTyped} />
          </div>
          <Button type="submit" look="primary" isDisabled={typed.trim().length < 2} isPending={find.isPending}>
            Find
          </Button>
        </form>
      </search>
      {find.isPending ? <Skeleton lines={3} /> : null}
      {find.data?.data.length === 0 ? (
        <div role="status">
          <Empty title="Nobody was found">Check how it is written. Names are found by their beginning.</Empty>
        </div>
      ) : null}
      {find.data === undefined || find.data.data.length === 0 ? null : (
        <FoundPatients
          patients={[...new Map(find.data.data.map(({ submitter }) => [submitter.id, submitter])).values()]}
          onErased={find.reset}
        />
      )}
      {find.error === null ? null : <Failure error={find.error} />}
    </Panel>
  )
}
