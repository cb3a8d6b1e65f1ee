import { FormId, OrganizationId, PaymentId, WebhookDeliveryId, WebhookEndpointId } from "@care/domain/ids"
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect
} from "@tanstack/react-router"
import { Schema } from "effect"
import { searchInMode } from "./client/mode.ts"
import { queryClient } from "./client/queryClient.ts"
import { RequestFailed } from "./client/RequestFailed.ts"
import { RequestLogSearch } from "./developer/RequestLogSearch.ts"
import { AuditSearch } from "./operations/audit/AuditSearch.ts"
import { JobsSearch } from "./operations/jobs/JobsSearch.ts"
import { PaymentsSearch } from "./operations/payments/PaymentsSearch.ts"
import { DeliveriesSearch } from "./operations/webhooks/DeliveriesSearch.ts"
import { NewFormSearch } from "./organization/forms/NewFormSearch.ts"
import { sessionQuery } from "./session/session.ts"
import { idIn } from "./shell/idIn.ts"
import { NotFound } from "./shell/NotFound.tsx"
import { RouteFailed } from "./shell/RouteFailed.tsx"
import { Shell } from "./shell/Shell.tsx"
import { searchOf } from "./shell/searchOf.ts"
import { signInSearchOf } from "./signIn/signInSearchOf.ts"
import { Skeleton } from "./ui/Skeleton.tsx"
import { EscalationsSearch } from "./work/escalations/escalationsViews.ts"
import { QueueSearch } from "./work/queue/queueViews.ts"

const root = createRootRoute({ component: Outlet, errorComponent: RouteFailed })

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: signInSearchOf,
  // Without a session the sign-in begins.
  beforeLoad: async () => {
    await queryClient.ensureQueryData(sessionQuery).catch(() => undefined)
  },
  component: lazyRouteComponent(() => import("./signIn/SignIn.tsx"), "SignIn")
})

// Everything else is for people who are signed in.
const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: Shell,
  beforeLoad: async ({ location }) => {
    const session = await queryClient
      .ensureQueryData({ ...sessionQuery, revalidateIfStale: true })
      .catch((error: unknown) => error)
    const isSignedOut = session instanceof RequestFailed && session.code === "SIGN_IN"
    const isPending =
      session !== null && typeof session === "object" && "state" in session && session.state === "PENDING"
    if (isSignedOut || isPending) throw redirect({ to: "/sign-in", search: { next: location.href } })
    if (session instanceof Error) throw session
  }
})

const home = createRoute({
  getParentRoute: () => shell,
  path: "/",
  component: lazyRouteComponent(() => import("./work/dashboard/Dashboard.tsx"), "Dashboard")
})

const queue = createRoute({
  getParentRoute: () => shell,
  path: "/queue",
  validateSearch: searchOf(QueueSearch),
  component: lazyRouteComponent(() => import("./work/queue/Queue.tsx"), "Queue")
})

const casePage = createRoute({
  getParentRoute: () => shell,
  path: "/cases/$caseId",
  // The code of the screen is loaded when a link is pointed at. The case is read when it is opened, because each read of one is recorded.
  loader: async ({ cause, params }) => {
    const { preloadCase } = await import("./work/case/data/preloadCase.ts")
    if (cause !== "preload") preloadCase(params.caseId)
  },
  preloadStaleTime: 0,
  component: lazyRouteComponent(() => import("./work/case/CasePage.tsx"), "CasePage")
})

const escalations = createRoute({
  getParentRoute: () => shell,
  path: "/escalations",
  validateSearch: searchOf(EscalationsSearch),
  component: lazyRouteComponent(() => import("./work/escalations/Escalations.tsx"), "Escalations")
})

const ordersInError = createRoute({
  getParentRoute: () => shell,
  path: "/orders",
  component: lazyRouteComponent(() => import("./work/orders/OrdersInError.tsx"), "OrdersInError")
})

const search = createRoute({
  getParentRoute: () => shell,
  path: "/search",
  component: lazyRouteComponent(() => import("./work/search/Search.tsx"), "Search")
})

const payments = createRoute({
  getParentRoute: () => shell,
  path: "/payments",
  validateSearch: searchOf(PaymentsSearch),
  component: lazyRouteComponent(() => import("./operations/payments/Payments.tsx"), "Payments")
})

const payment = createRoute({
  getParentRoute: () => shell,
  path: "/payments/$paymentId",
  params: { parse: ({ paymentId }) => ({ paymentId: idIn(PaymentId, paymentId) }) },
  component: lazyRouteComponent(() => import("./operations/payments/PaymentPage.tsx"), "PaymentPage"),
  notFoundComponent: NotFound
})

const webhooks = createRoute({
  getParentRoute: () => shell,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("./operations/webhooks/Webhooks.tsx"), "Webhooks")
})

const endpoint = createRoute({
  getParentRoute: () => shell,
  path: "/webhooks/$endpointId",
  params: { parse: ({ endpointId }) => ({ endpointId: idIn(WebhookEndpointId, endpointId) }) },
  validateSearch: searchOf(DeliveriesSearch),
  component: lazyRouteComponent(() => import("./operations/webhooks/EndpointPage.tsx"), "EndpointPage"),
  notFoundComponent: NotFound
})

const delivery = createRoute({
  getParentRoute: () => shell,
  path: "/webhooks/$endpointId/$deliveryId",
  params: {
    parse: ({ deliveryId, endpointId }) => ({
      endpointId: idIn(WebhookEndpointId, endpointId),
      deliveryId: idIn(WebhookDeliveryId, deliveryId)
    })
  },
  component: lazyRouteComponent(() => import("./operations/webhooks/DeliveryPage.tsx"), "DeliveryPage"),
  notFoundComponent: NotFound
})

const requestLog = createRoute({
  getParentRoute: () => shell,
  path: "/request-log",
  validateSearch: searchOf(RequestLogSearch),
  component: lazyRouteComponent(() => import("./developer/RequestLog.tsx"), "RequestLog")
})

const eventTypes = createRoute({
  getParentRoute: () => shell,
  path: "/event-types",
  component: lazyRouteComponent(() => import("./developer/EventCatalogue.tsx"), "EventCatalogue")
})

const scenarios = createRoute({
  getParentRoute: () => shell,
  path: "/scenarios",
  component: lazyRouteComponent(() => import("./developer/scenarios/Scenarios.tsx"), "Scenarios")
})

const jobs = createRoute({
  getParentRoute: () => shell,
  path: "/jobs",
  validateSearch: searchOf(JobsSearch),
  component: lazyRouteComponent(() => import("./operations/jobs/Jobs.tsx"), "Jobs")
})

const audit = createRoute({
  getParentRoute: () => shell,
  path: "/audit",
  validateSearch: searchOf(AuditSearch),
  component: lazyRouteComponent(() => import("./operations/audit/Audit.tsx"), "Audit")
})

const health = createRoute({
  getParentRoute: () => shell,
  path: "/health",
  component: lazyRouteComponent(() => import("./operations/health/Health.tsx"), "Health")
})

const operators = createRoute({
  getParentRoute: () => shell,
  path: "/operators",
  component: lazyRouteComponent(() => import("./operations/operators/Operators.tsx"), "Operators")
})

const platformPromoCodes = createRoute({
  getParentRoute: () => shell,
  path: "/promo-codes",
  component: lazyRouteComponent(() => import("./operations/promoCodes/PlatformPromoCodes.tsx"), "PlatformPromoCodes")
})

const organizations = createRoute({
  getParentRoute: () => shell,
  path: "/organizations",
  component: lazyRouteComponent(() => import("./organization/Organizations.tsx"), "Organizations")
})

const organizationPage = createRoute({
  getParentRoute: () => shell,
  path: "/organizations/$organizationId/$part",
  params: { parse: ({ organizationId, part }) => ({ organizationId: OrganizationId.make(organizationId), part }) },
  component: lazyRouteComponent(() => import("./organization/OrganizationPage.tsx"), "OrganizationPage")
})

const newFormPage = createRoute({
  getParentRoute: () => shell,
  path: "/organizations/$organizationId/forms/new",
  params: { parse: ({ organizationId }) => ({ organizationId: OrganizationId.make(organizationId) }) },
  validateSearch: searchOf(NewFormSearch),
  component: lazyRouteComponent(() => import("./organization/forms/NewFormPage.tsx"), "NewFormPage")
})

const formPage = createRoute({
  getParentRoute: () => shell,
  path: "/organizations/$organizationId/forms/$formId",
  params: {
    parse: ({ formId, organizationId }) => ({
      formId: FormId.make(formId),
      organizationId: OrganizationId.make(organizationId)
    })
  },
  component: lazyRouteComponent(() => import("./organization/forms/FormPage.tsx"), "FormPage")
})

const account = createRoute({
  getParentRoute: () => shell,
  path: "/account",
  component: lazyRouteComponent(() => import("./account/Account.tsx"), "Account")
})

const device = createRoute({
  getParentRoute: () => shell,
  path: "/device",
  validateSearch: searchOf(Schema.Struct({ code: Schema.optional(Schema.String) })),
  component: lazyRouteComponent(() => import("./account/Device.tsx"), "Device")
})

// Within the shell, so that the navigation is there.
const elsewhere = createRoute({
  getParentRoute: () => shell,
  path: "$",
  component: NotFound
})

const routeTree = root.addChildren([
  signIn,
  shell.addChildren([
    home,
    queue,
    casePage,
    escalations,
    ordersInError,
    search,
    payments,
    payment,
    webhooks,
    endpoint,
    delivery,
    requestLog,
    eventTypes,
    scenarios,
    jobs,
    audit,
    health,
    operators,
    platformPromoCodes,
    organizations,
    organizationPage,
    newFormPage,
    formPage,
    account,
    device,
    elsewhere
  ])
])

export const router = createRouter({
  routeTree,
  basepath: "/console",
  ...searchInMode,
  search: { strict: true },
  defaultPreload: "intent",
  defaultPendingMs: 100,
  defaultPendingMinMs: 0,
  defaultPendingComponent: () => <Skeleton lines={6} />,
  scrollRestoration: true
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
