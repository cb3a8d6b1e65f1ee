import type { Dashboard } from "@care/domain/cases"
import type { BadgeLook } from "../../ui/Badge.tsx"
import type { QueueSearch } from "../queue/queueViews.ts"

/** What the dashboard counts: of what, how urgent it is when there are some, and where they are. */
export interface Counted {
  readonly title: string
  readonly of: (dashboard: Dashboard) => number | null
  readonly look: BadgeLook
  readonly to: string
  readonly search?: QueueSearch
}

/** Cases that wait for a provider, by their age. */
export const waitingCounts: ReadonlyArray<Counted> = [
  { title: "Under an hour", of: ({ waiting }) => waiting.underOneHour, look: "plain", to: "/queue" },
  { title: "One to four hours", of: ({ waiting }) => waiting.underFourHours, look: "plain", to: "/queue" },
  { title: "Four hours to a day", of: ({ waiting }) => waiting.underOneDay, look: "warn", to: "/queue" },
  { title: "Over a day", of: ({ waiting }) => waiting.longer, look: "bad", to: "/queue" }
]

/** Everything else. */
export const otherCounts: ReadonlyArray<Counted> = [
  {
    title: "Cases in progress",
    of: ({ inProgress }) => inProgress,
    look: "plain",
    to: "/queue",
    search: { show: "open" }
  },
  {
    title: "Open escalations",
    of: ({ escalationsOpen }) => escalationsOpen,
    look: "warn",
    to: "/escalations"
  },
  { title: "Orders in error", of: ({ ordersInError }) => ordersInError, look: "bad", to: "/orders" },
  { title: "Payments to capture or release", of: ({ paymentsHeld }) => paymentsHeld, look: "plain", to: "/payments" },
  {
    title: "Webhook deliveries given up",
    of: ({ deliveriesFailed }) => deliveriesFailed,
    look: "bad",
    to: "/webhooks"
  },
  { title: "Webhook endpoints failing", of: ({ endpointsFailing }) => endpointsFailing, look: "bad", to: "/webhooks" },
  {
    title: "Webhook endpoints switched off",
    of: ({ endpointsDisabled }) => endpointsDisabled,
    look: "bad",
    to: "/webhooks"
  }
]
