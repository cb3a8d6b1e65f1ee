import { Moment } from "../../ui/Moment.tsx"

/** When a delivery is tried again. What is due waits for the other deliveries to the endpoint. */
export const NextAttempt = ({ at }: { readonly at: Date | null }) => {
  if (at === null) return <span className="text-muted">None</span>
  return at.getTime() <= Date.now() ? <>Next in line</> : <Moment at={at} />
}
