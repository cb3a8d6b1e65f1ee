import type { AdminPayment } from "@care/domain/payments"
import { useState } from "react"
import { may } from "../../client/may.ts"
import { send } from "../../client/send.ts"
import { useSession } from "../../session/useSession.ts"
import { announce } from "../../ui/announce.ts"
import { Button } from "../../ui/Button.tsx"
import { Confirmation } from "../../ui/Confirmation.tsx"
import { money } from "../../ui/money.ts"
import { leftOf } from "./amountIn.ts"
import { PartOfPayment } from "./PartOfPayment.tsx"
import { adminPayments, usePaymentChanged } from "./paymentQueries.ts"

interface PaymentActionsProps {
  readonly payment: AdminPayment
  /** The case of the payment in words. */
  readonly ofCase: string
}

/** What may be done with a payment now: capture, release, refund. */
export const PaymentActions = ({ ofCase, payment }: PaymentActionsProps) => {
  const { user } = useSession()
  const [open, setOpen] = useState<"capture" | "release" | "refund">()
  const show = usePaymentChanged()
  const { gateway, operation, paymentId, status } = payment
  if (gateway === null) return null
  const params = { paymentId }
  const currency = (gateway.currency ?? payment.currency ?? "USD").toUpperCase()
  const held = gateway.amount ?? payment.amount ?? 0
  const left = leftOf(gateway.received, gateway.refunded, currency)
  const close = () => setOpen(undefined)
  const done = (text: string) => (changed: AdminPayment) => {
    show(changed)
    announce(text)
  }
  const mayBe = (action: string) => may(user.role, "adminPayments", action)
  const isHeld = status === "AUTHORIZED" && operation === null
  const isTaken = (status === "PAID" || status === "REFUND") && operation === null && left > 0
  return (
    <>
      {isHeld && mayBe("capture") ? <Button onPress={() => setOpen("capture")}>Capture</Button> : null}
      {isHeld && mayBe("release") ? <Button onPress={() => setOpen("release")}>Release</Button> : null}
      {isTaken && mayBe("refund") ? <Button onPress={() => setOpen("refund")}>Refund</Button> : null}
      {open === "capture" ? (
        <PartOfPayment
          verb="Capture"
          most={held}
          currency={currency}
          whose={`from the card of ${ofCase}`}
          onClose={close}
          onConfirm={(amount) =>
            send(adminPayments.capture({ params, payload: { amount } })).then(
              done(`Captured ${money(amount, currency)}`)
            )
          }
        >
          {(amount) =>
            amount < held ? <p>The rest, {money(leftOf(held, amount, currency), currency)}, is released.</p> : null
          }
        </PartOfPayment>
      ) : null}
      {open === "refund" ? (
        <PartOfPayment
          verb="Refund"
          most={left}
          currency={currency}
          whose={`to the card of ${ofCase}`}
          onClose={close}
          onConfirm={(amount) =>
            // The total so far is sent as well, so that a request that is repeated refunds nothing twice.
            send(adminPayments.refund({ params, payload: { amount, refunded: gateway.refunded } })).then(
              done(`Refunded ${money(amount, currency)}`)
            )
          }
        />
      ) : null}
      <Confirmation
        title="Release a payment"
        action={`Release ${money(held, currency)}`}
        isDanger
        isOpen={open === "release"}
        onClose={close}
        onConfirm={() => send(adminPayments.release({ params })).then(done(`Released ${money(held, currency)}`))}
      >
        <p dir="auto">
          Release {money(held, currency)} that is held on the card of {ofCase}? Nothing is taken, and it cannot be
          captured afterwards.
        </p>
      </Confirmation>
    </>
  )
}
