import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type { AuthApi } from "./auth/AuthApi.ts"
import type { MemberRole, StaffRole } from "./auth/Role.ts"
import type { CasesApi } from "./cases/CasesApi.ts"
import type { GatewayApi } from "./gateway/GatewayApi.ts"
import type { PaymentsApi } from "./payments/PaymentsApi.ts"
import type { SchedulingApi } from "./scheduling/SchedulingApi.ts"

type GroupIn<Api> = Api extends HttpApi.HttpApi<string, infer Groups> ? Groups : never

type AdminEndpointIn<Group> =
  Group extends HttpApiGroup.HttpApiGroup<infer Name, infer Endpoints, infer _>
    ? Endpoints extends { readonly identifier: infer Id extends string; readonly path: infer Path extends string }
      ? Path extends `/admin/v1/session${string}`
        ? never
        : Path extends `/admin/v1/${string}`
          ? `${Name}.${Id}`
          : never
      : never
    : never

/** The id of an operation of the admin API, except those of signing in: `backOffice.decide`. */
export type AdminOperationId = AdminEndpointIn<
  GroupIn<typeof AuthApi | typeof CasesApi | typeof PaymentsApi | typeof SchedulingApi | typeof GatewayApi>
>

type Roles = ReadonlyArray<MemberRole>

const everyone: Roles = ["PROVIDER", "SUPPORT", "THIRD_PARTY_ADMIN", "ADMIN"]
const careTeam: Roles = ["PROVIDER", "SUPPORT"]
const administrators: Roles = ["ADMIN"]
// Developers of the organization see keys, webhooks and the catalogue, and no patient.
const integrators: Roles = [...administrators, "DEVELOPER"]
const operatorsAlone: Roles = []

/**
 * The roles of an organization's staff that may call each operation of the admin API, for things of their own organization. Operators may
 * call all of them, for every organization. The compiler requires a row for each operation.
 */
const rolesOfMembers: Readonly<Record<AdminOperationId, Roles>> = {
  "organizations.create": operatorsAlone,
  "organizations.list": operatorsAlone,
  "organizations.get": [...everyone, "DEVELOPER"],
  "organizations.update": administrators,
  "apiKeys.issue": integrators,
  "apiKeys.list": integrators,
  "apiKeys.change": integrators,
  "apiKeys.rotate": integrators,
  "apiKeys.revoke": integrators,
  "adminRequestLogs.list": integrators,
  "adminRequestLogs.days": integrators,
  "members.add": administrators,
  "members.list": [...careTeam, ...administrators],
  "members.change": administrators,
  "members.removeUser": administrators,
  "messages.list": operatorsAlone,
  "staffAdmin.invite": operatorsAlone,
  "staffAdmin.operators": operatorsAlone,
  "staffAdmin.removeOperator": operatorsAlone,
  "staffAdmin.resetSignIn": administrators,
  "singleSignOn.get": administrators,
  "singleSignOn.set": administrators,
  "singleSignOn.remove": administrators,
  "patientErasure.erase": administrators,
  "patientExport.export": administrators,

  "caseSearch.list": everyone,
  "caseSearch.find": everyone,
  "dashboard.read": [...careTeam, ...administrators],
  "backOffice.case": careTeam,
  "backOffice.assign": careTeam,
  "backOffice.assignAll": careTeam,
  "backOffice.start": ["PROVIDER"],
  "backOffice.decide": ["PROVIDER"],
  "backOffice.comment": careTeam,
  "backOffice.attach": ["PROVIDER"],
  "caseViewers.look": careTeam,
  "caseViewers.leave": careTeam,
  "backOffice.completeEscalation": ["PROVIDER", "SUPPORT", "THIRD_PARTY_ADMIN"],
  "caseChart.patient": careTeam,
  "caseChart.file": careTeam,
  "caseLists.comments": ["PROVIDER", "SUPPORT", "THIRD_PARTY_ADMIN"],
  "caseLists.decisions": careTeam,
  "caseLists.attachments": careTeam,
  "caseLists.orders": careTeam,
  "caseLists.escalations": ["PROVIDER", "SUPPORT", "THIRD_PARTY_ADMIN"],
  "caseLists.formResponses": careTeam,
  "caseLists.calendarEvents": careTeam,
  "caseLists.activity": ["PROVIDER", "SUPPORT", "THIRD_PARTY_ADMIN"],
  "caseLists.timeline": careTeam,
  "adminEscalations.add": ["PROVIDER", "SUPPORT", "THIRD_PARTY_ADMIN"],
  "adminEscalations.list": ["PROVIDER", "SUPPORT", "THIRD_PARTY_ADMIN"],
  "adminOrders.change": ["SUPPORT"],
  "adminOrders.inError": ["SUPPORT", ...administrators],
  "breakGlass.open": ["PROVIDER"],
  "breakGlass.list": administrators,
  "catalogue.createProduct": administrators,
  "catalogue.listProducts": [...everyone, "DEVELOPER"],
  "catalogue.changeProduct": administrators,
  "catalogue.createForm": administrators,
  "catalogue.listForms": [...everyone, "DEVELOPER"],
  "catalogue.getForm": [...everyone, "DEVELOPER"],
  "catalogue.changeForm": administrators,
  "catalogue.createBundle": administrators,
  "catalogue.listBundles": [...everyone, "DEVELOPER"],
  "catalogue.getBundle": [...everyone, "DEVELOPER"],
  "catalogue.changeBundle": administrators,
  "adminWebhooks.endpoints": integrators,
  "adminWebhooks.create": integrators,
  "adminWebhooks.change": integrators,
  "adminWebhooks.remove": integrators,
  "adminWebhooks.rotateSecret": integrators,
  "adminWebhooks.test": integrators,
  "adminWebhooks.replayMissing": integrators,
  "adminWebhooks.deliveries": integrators,
  "adminWebhooks.delivery": integrators,
  "adminWebhooks.replay": integrators,

  "adminPayments.list": administrators,
  "adminPayments.get": administrators,
  "adminPayments.capture": administrators,
  "adminPayments.release": administrators,
  "adminPayments.refund": administrators,
  "adminPromoCodes.create": administrators,
  "adminPromoCodes.list": administrators,
  "adminPromoCodes.change": administrators,
  "adminGatewayEvents.list": operatorsAlone,

  "audit.list": administrators,
  "audit.heads": administrators,
  "audit.links": administrators,
  "audit.checkpoints": administrators,
  "audit.strays": administrators,
  "auditArchives.chains": operatorsAlone,
  "auditArchives.piece": operatorsAlone,
  "auditArchives.check": operatorsAlone,
  "auditArchives.remove": operatorsAlone,
  "jobs.list": operatorsAlone,
  "jobs.retry": operatorsAlone,
  "phiKeys.list": operatorsAlone,
  "phiKeys.rotate": operatorsAlone,
  "reconciliations.sweep": operatorsAlone,
  "serviceHealth.list": operatorsAlone,
  "incidents.open": operatorsAlone,
  "incidents.list": operatorsAlone,
  "incidents.update": operatorsAlone,
  "troubles.list": operatorsAlone,
  "usage.list": integrators,
  "usage.rateLimits": integrators
}

/** The operations before which staff prove their presence with a passkey again. */
const steppedUp: ReadonlyArray<AdminOperationId> = [
  "apiKeys.issue",
  "apiKeys.change",
  "apiKeys.rotate",
  "staffAdmin.invite",
  "staffAdmin.removeOperator",
  "singleSignOn.set",
  "singleSignOn.remove",
  "patientErasure.erase",
  "patientExport.export",
  "adminPayments.refund"
]

/** Who of the staff may call an operation, and whether a passkey is needed shortly before. */
export interface Permission {
  readonly roles: ReadonlyArray<StaffRole>
  readonly needsStepUp: boolean
}

const permissions = new Map<string, Permission>(
  Object.entries(rolesOfMembers).map(([id, roles]) => [
    id,
    { roles: [...roles, "OPERATOR"], needsStepUp: steppedUp.some((operation) => operation === id) }
  ])
)

/** Returns the permission of an endpoint of the admin API; undefined for all other endpoints. */
export const permissionOf = (
  group: { readonly identifier: string },
  endpoint: { readonly identifier: string }
): Permission | undefined => permissions.get(`${group.identifier}.${endpoint.identifier}`)
