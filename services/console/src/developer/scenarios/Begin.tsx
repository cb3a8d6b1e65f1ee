import { Care } from "@care/client"
import type { OrganizationId } from "@care/domain/ids"
import { useMutation } from "@tanstack/react-query"
import { noteClock } from "../../client/clock.ts"
import { send } from "../../client/send.ts"
import { apiKeys } from "../../organization/keys/keyQueries.ts"
import { Button } from "../../ui/Button.tsx"
import { Failure } from "../../ui/Failure.tsx"
import { Panel } from "../../ui/Panel.tsx"

interface BeginProps {
  readonly organizationId: OrganizationId
  readonly onBegin: (care: Care) => void
}

const keyMillis = 3_600_000

// The page is a partner then, like the programs of one: the cookie of the person's session is not sent.
const fetchAsPartner: typeof fetch = async (input, options) => {
  const response = await fetch(input, { ...options, credentials: "omit" })
  noteClock(response)
  return response
}

/** The button that makes the test key with which the page speaks to the partner API. */
export const Begin = ({ onBegin, organizationId }: BeginProps) => {
  const begin = useMutation({
    mutationFn: async () => {
      const payload = { label: "Scenarios in the console", expiresAt: new Date(Date.now() + keyMillis) }
      const { key } = await send(apiKeys.issue({ params: { organizationId }, payload }))
      return new Care({ apiKey: key, baseUrl: location.origin, fetch: fetchAsPartner })
    },
    onSuccess: onBegin
  })
  return (
    <Panel title="Begin">
      <p className="max-w-prose">
        The page plays a partner with a test key of its own. The key works for an hour, and is forgotten when you leave
        the page.
      </p>
      <div>
        <Button look="primary" isPending={begin.isPending} onPress={() => begin.mutate()}>
          Make a test key
        </Button>
      </div>
      {begin.error === null ? null : <Failure error={begin.error} />}
    </Panel>
  )
}
