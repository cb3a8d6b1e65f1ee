import type { AdminPayment } from "@care/domain/payments"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { may } from "../../client/may.ts"
import { useSession } from "../../session/useSession.ts"
import { Failure } from "../../ui/Failure.tsx"
import { linkLook } from "../../ui/linkLook.ts"
import { Page } from "../../ui/Page.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { CaseChanges } from "./CaseChanges.tsx"
import { GatewayEvents } from "./GatewayEvents.tsx"
import { PaymentActions } from "./PaymentActions.tsx"
import { PaymentFacts } from "./PaymentFacts.tsx"
import { paymentQuery } from "./paymentQueries.ts"
import { useCaseInWords } from "./useCaseInWords.ts"

const route = getRouteApi("/shell/payments/$paymentId")

const Loaded = ({ payment }: { readonly payment: AdminPayment }) => {
  const { user } = useSession()
  const { caseId, organizationId, paymentId } = payment
  const ofCase = useCaseInWords(organizationId, caseId)
  return (
    <Page title="Payment" actions={<PaymentActions payment={payment} ofCase={ofCase} />}>
      <p className="flex flex-wrap gap-x-4 gap-y-1">
        <Link to="/payments" search={{ caseId }} className={linkLook}>
          All payments of the case
        </Link>
        {may(user.role, "backOffice", "case") ? (
          <Link to="/cases/$caseId" params={{ caseId }} className={linkLook}>
            <span dir="auto">{ofCase}</span>
          </Link>
        ) : (
          <span dir="auto">{ofCase}</span>
        )}
      </p>
      <PaymentFacts payment={payment} />
      {may(user.role, "adminGatewayEvents", "list") ? <GatewayEvents paymentId={paymentId} /> : null}
      <CaseChanges organizationId={organizationId} caseId={caseId} />
    </Page>
  )
}

/** One payment: its state here and at the payment gateway, its history, and what may be done with it. */
export const PaymentPage = () => {
  const { paymentId } = route.useParams()
  const { data, error, refetch } = useQuery(paymentQuery(paymentId))
  if (data !== undefined) return <Loaded payment={data} />
  return (
    <Page title="Payment">
      {error === null ? <Skeleton lines={8} /> : <Failure error={error} onRetry={() => void refetch()} />}
    </Page>
  )
}
