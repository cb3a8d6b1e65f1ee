import { may } from "../client/may.ts"
import { isInTestMode } from "../client/mode.ts"

interface Section {
  readonly title: string
  readonly to: string
  readonly isFor: (role: string) => boolean
  /** Whether it is shown in test mode alone. */
  readonly isOfTestMode?: true
}

const whoMay =
  (group: string, operation: string) =>
  (role: string): boolean =>
    may(role, group, operation)

/** The screens in the navigation, in order, each for the roles that may read what it shows. */
const sections: ReadonlyArray<Section> = [
  { title: "Start", to: "/", isFor: () => true },
  { title: "Queue", to: "/queue", isFor: whoMay("backOffice", "case") },
  { title: "Escalations", to: "/escalations", isFor: whoMay("adminEscalations", "list") },
  { title: "Orders in error", to: "/orders", isFor: whoMay("adminOrders", "inError") },
  { title: "Search", to: "/search", isFor: whoMay("caseSearch", "find") },
  { title: "Payments", to: "/payments", isFor: whoMay("adminPayments", "list") },
  { title: "Webhooks", to: "/webhooks", isFor: whoMay("adminWebhooks", "endpoints") },
  { title: "Request log", to: "/request-log", isFor: whoMay("adminRequestLogs", "list") },
  { title: "Event types", to: "/event-types", isFor: whoMay("adminWebhooks", "create") },
  { title: "Scenarios", to: "/scenarios", isFor: whoMay("apiKeys", "issue"), isOfTestMode: true },
  { title: "Jobs", to: "/jobs", isFor: whoMay("jobs", "list") },
  { title: "Organizations", to: "/organizations", isFor: whoMay("organizations", "get") },
  { title: "Audit", to: "/audit", isFor: whoMay("audit", "list") },
  { title: "Health", to: "/health", isFor: whoMay("jobs", "list") },
  { title: "Operators", to: "/operators", isFor: whoMay("staffAdmin", "operators") },
  { title: "Platform promo codes", to: "/promo-codes", isFor: (role) => role === "OPERATOR" },
  { title: "Your account", to: "/account", isFor: () => true }
]

/** Returns the screens of a role, in order. */
export const sectionsOf = (role: string): ReadonlyArray<Section> =>
  sections.filter(({ isFor, isOfTestMode = false }) => isFor(role) && (!isOfTestMode || isInTestMode()))

/** Returns the section that a screen belongs to, by the path that the router has for it. */
export const sectionOf = (path: string): Section | undefined =>
  sections.find(({ to }) => path === to || path.startsWith(`${to}/`))
