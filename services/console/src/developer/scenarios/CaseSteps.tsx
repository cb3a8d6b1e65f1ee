import type { Care } from "@care/client"
import type { StepName } from "@care/domain/cases"
import { performStep, type ScenarioStep, simulatedInWords, simulateStep, stepInWords } from "@care/scenarios"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useRef } from "react"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { Failure } from "../../ui/Failure.tsx"
import { Panel } from "../../ui/Panel.tsx"
import { inWords } from "../../ui/words.ts"
import { possibleQuery, stepDone } from "./caseQueries.ts"
import { inPage } from "./inPage.ts"

interface CaseStepsProps {
  readonly care: Care
  readonly caseId: string
}

interface Press {
  readonly text: string
  readonly does: StepName | ScenarioStep
}

const simulated = (...names: ReadonlyArray<StepName>): ReadonlyArray<Press> =>
  names.map((name) => ({ text: simulatedInWords[name], does: name }))

const partner: ReadonlyArray<ScenarioStep> = [
  { placeOrder: {} },
  { escalate: {} },
  { answer: {} },
  { close: {} },
  { reopen: {} }
]

const groups: ReadonlyArray<readonly [title: string, presses: ReadonlyArray<Press>]> = [
  ["Care team", simulated("ASSIGN", "START", "COMMENT", "APPROVE", "REJECT", "NO_DECISION", "ESCALATION_COMPLETED")],
  ["Pharmacy", simulated("ORDER_ACCEPTED", "ORDER_SHIPPED", "ORDER_DELIVERED", "ORDER_REFUSED", "ORDER_REPLACED")],
  [
    "Payment",
    simulated(
      "PAYMENT_SUCCEEDED",
      "PAYMENT_FAILED",
      "PAYMENT_AUTHORIZED",
      "PAYMENT_CANCELED",
      "PAYMENT_REFUNDED",
      "DISPUTE_OPENED",
      "DISPUTE_WON",
      "DISPUTE_LOST"
    )
  ],
  ["Appointment", simulated("APPOINTMENT_BOOKED", "APPOINTMENT_MOVED", "APPOINTMENT_MISSED")],
  ["Webhooks", simulated("WEBHOOKS_FAIL")],
  ["Partner and patient", partner.map((does) => ({ text: stepInWords(does), does }))],
  [
    "Time",
    [
      { text: "An hour passes", does: { advance: "PT1H" } },
      { text: "A day passes", does: { advance: "P1D" } },
      { text: "A month passes", does: { advance: "P30D" } }
    ]
  ]
]

/** A case, and single steps to press. Of what others do, only what is possible now can be pressed. */
export const CaseSteps = ({ care, caseId }: CaseStepsProps) => {
  const client = useQueryClient()
  const status = useRef<HTMLParagraphElement>(null)
  const { data, error, refetch } = useQuery(possibleQuery(care, caseId))
  const press = useMutation({
    mutationFn: ({ does }: Press) =>
      inPage<unknown>(typeof does === "string" ? simulateStep(care, caseId, does) : performStep(care, does, caseId)),
    onSettled: async () => {
      await stepDone(client, caseId)
      // The button may not be there to be pressed again.
      status.current?.focus({ preventScroll: true })
    }
  })
  return (
    <Panel title="Case" actions={<CopyButton text={caseId} thing="the id of the case" />}>
      <p ref={status} tabIndex={-1} className="flex flex-wrap items-center gap-2 outline-none">
        <code className="text-sm break-all">{caseId}</code>
        {data === undefined ? null : <Badge look="accent" text={inWords(data.case.status)} />}
        {data?.case.isArchived === true ? <Badge text="Closed" /> : null}
        {press.isPending ? <span className="text-sm text-muted">{press.variables.text} …</span> : null}
      </p>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {press.error === null ? null : <Failure error={press.error} />}
      <div className="grid gap-4 sm:grid-cols-2">
        {groups.map(([title, presses]) => (
          <section key={title} aria-label={title} className="flex flex-col gap-2">
            <h3 className="text-sm font-medium text-muted">{title}</h3>
            <div className="flex flex-wrap gap-2">
              {presses.map((each) => (
                <Button
                  key={each.text}
                  isSmall
                  isDisabled={typeof each.does === "string" && data?.possible.includes(each.does) !== true}
                  isPending={press.isPending}
                  onPress={() => press.mutate(each)}
                >
                  {each.text}
                </Button>
              ))}
            </div>
          </section>
        ))}
      </div>
    </Panel>
  )
}
