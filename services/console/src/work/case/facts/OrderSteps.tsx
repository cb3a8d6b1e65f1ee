import type { Order } from "@care/domain/cases"
import { classes } from "../../../ui/classes.ts"

const steps = [
  ["PENDING", "Placed"],
  ["SUBMITTED", "Accepted"],
  ["SHIPPED", "Shipped"],
  ["DELIVERED", "Delivered"]
] as const

/** The way of an order on a line, or that it ended early. */
export const OrderSteps = ({ status }: Pick<Order, "status">) => {
  if (status === "ERROR") return <p className="font-medium text-bad">Refused, or failed</p>
  if (status === "CANCELED") return <p className="font-medium text-muted">Canceled</p>
  const reached = steps.findIndex(([step]) => step === status)
  return (
    <ol className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      {steps.map(([step, title], index) => (
        <li
          key={step}
          aria-current={index === reached ? "step" : undefined}
          className={classes("flex items-center gap-2", index > reached && "text-muted")}
        >
          {index === 0 ? null : <span aria-hidden="true" className="h-px w-6 bg-field" />}
          <span
            aria-hidden="true"
            className={classes(
              "size-2.5 rounded-full border border-field",
              index <= reached && "border-accent bg-accent"
            )}
          />
          <span className={index === reached ? "font-semibold" : ""}>{title}</span>
          <span className="sr-only">{index <= reached ? "done" : "not yet"}</span>
        </li>
      ))}
    </ol>
  )
}
