import type { AdminPayment } from "@care/domain/payments"
import { Facts } from "../../ui/Facts.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { money } from "../../ui/money.ts"
import { Panel } from "../../ui/Panel.tsx"
import { inWords } from "../../ui/words.ts"
import { OrganizationName } from "../OrganizationName.tsx"
import { PaymentState } from "./PaymentState.tsx"

/** What is known of a payment, here and at the payment gateway. */
export const PaymentFacts = ({ payment }: { readonly payment: AdminPayment }) => {
  const { gateway, operation, providerReference } = payment
  const currency = payment.currency ?? gateway?.currency ?? "USD"
  const words = (amount: number | null) => (amount === null ? "Unknown" : money(amount, currency))
  return (
    <>
      <Panel title="Payment">
        <Facts
          facts={[
            { title: "Status", value: <PaymentState status={payment.status} /> },
            { title: "Amount", value: words(payment.amount) },
            { title: "Price before the discount", value: words(payment.grossAmount) },
            { title: "Discount", value: payment.discount === null ? "None" : words(payment.discount) },
            { title: "Description", value: <span dir="auto">{payment.description ?? "-"}</span> },
            { title: "Kind", value: payment.isInitial ? "First payment of the case" : "Later payment" },
            { title: "Organization", value: <OrganizationName id={payment.organizationId} /> },
            { title: "Made", value: <Moment at={payment.createdAt} /> },
            { title: "Changed", value: <Moment at={payment.updatedAt} /> },
            { title: "Id", value: <code>{payment.paymentId}</code> },
            ...(operation === null
              ? []
              : [
                  {
                    title: "Under way",
                    value: (
                      <>
                        {inWords(operation.name)}, begun <Moment at={operation.since} />
                      </>
                    )
                  }
                ])
          ]}
        />
      </Panel>
      <Panel title="At the payment gateway">
        {gateway === null ? (
          <p className="text-muted">
            {providerReference === null
              ? "Nothing was held or taken for this payment by the payment gateway."
              : "The partner collects this payment at a provider of their own."}
          </p>
        ) : (
          <Facts
            facts={[
              { title: "Taken", value: money(gateway.received, gateway.currency ?? currency) },
              { title: "Refunded", value: money(gateway.refunded, gateway.currency ?? currency) },
              { title: "Intent", value: <code className="break-all">{gateway.intentId}</code> },
              ...(gateway.captureBefore === null
                ? []
                : [{ title: "Capture before", value: <Moment at={gateway.captureBefore} /> }])
            ]}
          />
        )}
      </Panel>
    </>
  )
}
