import { webhookPayloads } from "@care/domain/admin"
import { CopyButton } from "../ui/CopyButton.tsx"
import { Page } from "../ui/Page.tsx"
import { Panel } from "../ui/Panel.tsx"

/** The types of events: when each comes, and an example of its body. */
export const EventCatalogue = () => (
  <Page title="Event types">
    <p className="max-w-prose">
      Events say ids, statuses and times, and nothing about health. Read the case when an event comes. Each event
      arrives at least once; those of one case arrive in order.
    </p>
    {webhookPayloads.map(({ example, summary, type }) => {
      const text = JSON.stringify(example, null, 2)
      return (
        <Panel key={type} title={type} actions={<CopyButton text={text} thing={`the example of ${type}`} />}>
          <p>{summary}.</p>
          <pre className="rounded-md bg-raised p-3 text-sm break-words whitespace-pre-wrap">{text}</pre>
        </Panel>
      )
    })}
  </Page>
)
