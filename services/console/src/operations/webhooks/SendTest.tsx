import type { WebhookEndpoint } from "@care/domain/webhooks"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { Button } from "../../ui/Button.tsx"
import { Failure } from "../../ui/Failure.tsx"
import { adminWebhooks, deliveriesKey } from "./webhookQueries.ts"

/** The button that sends a test event to an endpoint. It appears among the deliveries. */
export const SendTest = ({ endpoint }: { readonly endpoint: WebhookEndpoint }) => {
  const client = useQueryClient()
  const test = useMutation({
    mutationFn: () => send(adminWebhooks.test({ params: { endpointId: endpoint.id } })),
    onSuccess: () => {
      announce("The test event is on its way: look at the newest delivery")
      return client.invalidateQueries({ queryKey: deliveriesKey(endpoint.id) })
    }
  })
  return (
    <>
      <Button isSmall isDisabled={!endpoint.enabled} isPending={test.isPending} onPress={() => test.mutate()}>
        Send a test event
      </Button>
      {test.error === null ? null : <Failure error={test.error} />}
    </>
  )
}
