import type { Care } from "@care/client"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { isInTestMode } from "../../client/mode.ts"
import { ChooseOrganization } from "../../operations/ChooseOrganization.tsx"
import { useOrganizationId } from "../../session/chosenOrganization.ts"
import { useSession } from "../../session/useSession.ts"
import { Empty } from "../../ui/Empty.tsx"
import { linkLook } from "../../ui/linkLook.ts"
import { Page } from "../../ui/Page.tsx"
import { Begin } from "./Begin.tsx"
import { CaseEvents } from "./CaseEvents.tsx"
import { CaseSteps } from "./CaseSteps.tsx"
import { RunScenario } from "./RunScenario.tsx"

/** Cases of the sandbox to live: a whole scenario, or step by step. */
export const Scenarios = () => {
  const organizationId = useOrganizationId()
  const { sandboxId } = useSession()
  const [care, setCare] = useState<Care>()
  const [caseId, setCaseId] = useState<string>()
  return (
    <Page title="Scenarios">
      <p className="max-w-prose">
        Live a case of your sandbox in a minute: run a scenario, or press single steps, and watch the events arrive.
      </p>
      {!isInTestMode() ? (
        <Empty title="Scenarios are for test mode">
          {sandboxId === null && organizationId !== undefined ? (
            <>
              <Link
                to="/organizations/$organizationId/$part"
                params={{ organizationId, part: "keys" }}
                className={linkLook}
              >
                Issue a test key
              </Link>{" "}
              first: it makes your sandbox.
            </>
          ) : (
            "Tick “Test mode” at the top of the navigation. “Scenarios” is in it then."
          )}
        </Empty>
      ) : organizationId === undefined ? (
        <ChooseOrganization>Scenarios run for one organization at a time.</ChooseOrganization>
      ) : care === undefined ? (
        <Begin organizationId={organizationId} onBegin={setCare} />
      ) : (
        <>
          <RunScenario care={care} onStep={setCaseId} />
          {caseId === undefined ? null : (
            <>
              <CaseSteps key={caseId} care={care} caseId={caseId} />
              <CaseEvents care={care} caseId={caseId} organizationId={organizationId} />
            </>
          )}
        </>
      )}
    </Page>
  )
}
