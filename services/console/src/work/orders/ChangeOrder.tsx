import type { OrderChange, OrderInError } from "@care/domain/cases"
import { OrderId } from "@care/domain/ids"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { Form } from "react-aria-components"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { Button } from "../../ui/Button.tsx"
import { Failure } from "../../ui/Failure.tsx"
import { Window } from "../../ui/Window.tsx"
import { ChangedFields } from "./ChangedFields.tsx"
import { OrderFields } from "./OrderFields.tsx"
import { hasLink, orderChangeOf, unchanged } from "./orderChange.ts"
import { adminOrders, ordersInErrorKey } from "./ordersInError.ts"

interface ChangeOrderProps {
  readonly order: OrderInError
  readonly onClose: () => void
}

/** Changes an order in error: first what is to change, then whether it really shall. */
export const ChangeOrder = ({ onClose, order }: ChangeOrderProps) => {
  const client = useQueryClient()
  const [draft, setDraft] = useState(unchanged)
  const [isAsking, setAsking] = useState(false)
  const [isTried, setTried] = useState(false)
  const patient = `${order.submitter.firstName} ${order.submitter.lastName}, case ${order.shortId}`
  const change = useMutation({
    mutationFn: (payload: OrderChange) =>
      send(adminOrders.change({ params: { orderId: OrderId.make(order.id) }, payload })),
    onSuccess: () => {
      announce(`The order of ${patient} is changed.`)
      onClose()
    },
    onSettled: () => void client.invalidateQueries({ queryKey: [ordersInErrorKey] })
  })
  const payload = orderChangeOf(draft)
  return (
    <Window title={`Order of ${patient}`} isOpen onClose={onClose}>
      <Form
        validationBehavior="aria"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (payload === undefined || !hasLink(draft)) return
          if (isAsking) change.mutate(payload)
          else setAsking(true)
        }}
      >
        {isAsking ? (
          <ChangedFields draft={draft} of={patient} />
        ) : (
          <OrderFields draft={draft} isTried={isTried} onChange={setDraft} />
        )}
        {change.error === null ? null : <Failure error={change.error} />}
        <div className="flex justify-end gap-2">
          <Button
            key={isAsking ? "back" : "cancel"}
            autoFocus={isAsking}
            onPress={() => {
              change.reset()
              if (isAsking) setAsking(false)
              else onClose()
            }}
          >
            {isAsking ? "Back" : "Cancel"}
          </Button>
          <Button
            key={isAsking ? "change" : "next"}
            look="primary"
            type="submit"
            isDisabled={payload === undefined}
            isPending={change.isPending}
          >
            {isAsking ? "Change the order" : "Next"}
          </Button>
        </div>
      </Form>
    </Window>
  )
}
