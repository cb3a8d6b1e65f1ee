import { type ReactNode, useState } from "react"
import { Confirmation } from "../../ui/Confirmation.tsx"
import { Field } from "../../ui/Field.tsx"
import { money } from "../../ui/money.ts"
import { amountIn } from "./amountIn.ts"

interface PartOfPaymentProps {
  /** What is done with the amount: `Refund`. */
  readonly verb: string
  readonly most: number
  readonly currency: string
  /** What follows the amount in the question. */
  readonly whose: string
  readonly children?: (amount: number) => ReactNode
  readonly onClose: () => void
  readonly onConfirm: (amount: number) => Promise<unknown>
}

/** Asks for all or a part of an amount, and says in words what will be done. */
export const PartOfPayment = ({ children, currency, most, onClose, onConfirm, verb, whose }: PartOfPaymentProps) => {
  const [text, setText] = useState(String(most))
  const amount = amountIn(text, currency, most)
  const isAmount = typeof amount === "number"
  const action = isAmount ? `${verb} ${money(amount, currency)}` : verb
  return (
    <Confirmation
      title={`${verb} a payment`}
      action={action}
      isDanger
      isDisabled={!isAmount}
      isOpen
      onClose={onClose}
      onConfirm={() => (isAmount ? onConfirm(amount) : Promise.resolve())}
    >
      <Field
        label={`Amount in ${currency}`}
        inputMode="decimal"
        autoFocus
        autoComplete="off"
        value={text}
        onChange={setText}
        isInvalid={!isAmount}
        hint={isAmount ? `At most ${money(most, currency)}. Enter less for a part.` : amount}
      />
      <p role="status" className="font-medium break-words" dir="auto">
        {isAmount ? `${verb} ${money(amount, currency)} of ${money(most, currency)} ${whose}?` : ""}
      </p>
      {isAmount ? children?.(amount) : null}
    </Confirmation>
  )
}
