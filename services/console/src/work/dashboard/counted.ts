import type { CaseAge, Dashboard } from "@care/domain/cases"
import type { BadgeLook } from "../../ui/Badge.tsx"
import { ageTitles, type QueueSearch, type QueueView } from "../queue/queueViews.ts"

/** What the dashboard counts: of what, how urgent it is when there are some, and where they are. */
export interface Counted {
  readonly title: string
  readonly of: (dashboard: Dashboard) => number | null
  readonly look: BadgeLook
  readonly to: string
  readonly search?: QueueSearch
}

const looksOfAges: ReadonlyArray<readonly [CaseAge, BadgeLook]> = [
  ["underOneHour", "plain"],
  ["underFourHours", "plain"],
  ["underOneDay", "warn"],
  ["longer", "bad"]
]

const byAge = (show: QueueView, countsOf: (dashboard: Dashboard) => Dashboard["waiting"]): ReadonlyArray<Counted> =>
  looksOfAges.map(([age, look]) => ({
    title: ageTitles[age],
    of: (dashboard) => countsOf(dashboard)[age],
    look,
    to: "/queue",
    search: { show, age }
  }))

/** Cases that wait for a provider, by their age. */
export const waitingCounts = byAge("waiting", ({ waiting }) => waiting)

/** Cases that a provider has and has not begun, by their age. */
export const assignedCounts = byAge("assigned", ({ assigned }) => assigned)

/** Everything else. */
export const otherCounts: ReadonlyArray<Counted> = [
  {
    title: "Cases in progress",
    of: ({ inProgress }) => inProgress,
    look: "plain",
    to: "/queue",
    search: { show: "begun" }
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
