import type { OrganizationId } from "@care/domain/ids"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../../client/send.ts"
import { useOrganizationId } from "../../session/chosenOrganization.ts"
import { Button } from "../../ui/Button.tsx"
import { Failure } from "../../ui/Failure.tsx"
import { Panel } from "../../ui/Panel.tsx"
import { ChooseOrganization } from "../ChooseOrganization.tsx"
import { ChainsResult } from "./ChainsResult.tsx"
import { type Progress, verifyChains } from "./verifyChains.ts"

const Verification = ({ organizationId }: { readonly organizationId: OrganizationId }) => {
  const [progress, setProgress] = useState<Progress>()
  const verification = useMutation({ mutationFn: () => send(verifyChains(organizationId, setProgress)) })
  return (
    <Panel
      title="Verify the chains"
      actions={
        <Button look="primary" isPending={verification.isPending} onPress={() => verification.mutate()}>
          Verify now
        </Button>
      }
    >
      <p className="max-w-prose">
        Each record has a hash over the one before it. This page reads all records of the organization and computes the
        hashes anew, so that a record that was changed, removed or inserted shows. Nothing is changed.
      </p>
      {verification.isPending && progress !== undefined ? (
        <div className="flex flex-col gap-1">
          <progress
            aria-label="Records checked"
            className="w-full accent-accent"
            max={Math.max(progress.total, 1)}
            value={progress.checked}
          />
          <p>
            {progress.service}: {progress.checked.toLocaleString("en")} of {progress.total.toLocaleString("en")} records
          </p>
        </div>
      ) : null}
      {verification.error === null ? null : (
        <Failure error={verification.error} onRetry={() => verification.mutate()} />
      )}
      <div role="status">{verification.data === undefined ? null : <ChainsResult verified={verification.data} />}</div>
      <p className="max-w-prose text-sm text-muted">
        Only ends that were kept elsewhere show that the newest records were removed: keep the output of{" "}
        <code className="whitespace-nowrap">care audit heads</code>, and compare with{" "}
        <code className="whitespace-nowrap">care audit verify --heads</code>.
      </p>
    </Panel>
  )
}

/** The hash chains of an organization's audit, to be verified. */
export const Chains = () => {
  const organizationId = useOrganizationId()
  return organizationId === undefined ? (
    <ChooseOrganization>
      Chains are verified for one organization at a time. The command <code>care audit verify</code> verifies all.
    </ChooseOrganization>
  ) : (
    <Verification key={organizationId} organizationId={organizationId} />
  )
}
