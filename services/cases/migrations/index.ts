import type { Migrations } from "@care/service-kit"
import createJobs from "./0001_create_jobs.ts"
import createAudit from "./0002_create_audit.ts"
import createPatientKeys from "./0003_create_patient_keys.ts"
import createIdempotencyKeys from "./0004_create_idempotency_keys.ts"
import createStoredAmounts from "./0005_create_stored_amounts.ts"
import createReconciliations from "./0006_create_reconciliations.ts"
import indexJobsWithPayload from "./0007_index_jobs_with_payload.ts"
import createProducts from "./0010_create_products.ts"
import createForms from "./0011_create_forms.ts"
import createBundles from "./0012_create_bundles.ts"
import createCases from "./0013_create_cases.ts"
import createProviderLoads from "./0014_create_provider_loads.ts"
import createCaseProducts from "./0015_create_case_products.ts"
import createCaseAddresses from "./0016_create_case_addresses.ts"
import createCaseActivity from "./0017_create_case_activity.ts"
import createFormResponses from "./0018_create_form_responses.ts"
import createComments from "./0019_create_comments.ts"
import createDecisions from "./0020_create_decisions.ts"
import createDocuments from "./0021_create_documents.ts"
import createOrders from "./0022_create_orders.ts"
import createEscalations from "./0023_create_escalations.ts"
import createCasePayments from "./0024_create_case_payments.ts"
import createPeople from "./0025_create_people.ts"
import createOrganizationSnapshots from "./0026_create_organization_snapshots.ts"
import createEvents from "./0027_create_events.ts"
import createWebhookEndpoints from "./0028_create_webhook_endpoints.ts"
import createWebhookDeliveries from "./0029_create_webhook_deliveries.ts"
import createDeliveryQueues from "./0030_create_delivery_queues.ts"
import createCalendarEventSnapshots from "./0031_create_calendar_event_snapshots.ts"
import partitionAudit from "./0032_partition_audit.ts"
import partitionEvents from "./0035_partition_events.ts"
import createOrganizationMoves from "./0036_create_organization_moves.ts"
import archiveCatalogue from "./0037_archive_catalogue.ts"
import indexCatalogue from "./0038_index_catalogue.ts"
import indexEscalations from "./0039_index_escalations.ts"
import indexWebhookEndpoints from "./0040_index_webhook_endpoints.ts"
import indexOrdersInError from "./0041_index_orders_in_error.ts"
import indexSearch from "./0042_index_search.ts"
import createBreakGlass from "./0044_create_break_glass.ts"
import addSupportToOrganizationSnapshots from "./0045_add_support_to_organization_snapshots.ts"
import createCaseViewers from "./0046_create_case_viewers.ts"
import indexUnassignedEscalations from "./0047_index_unassigned_escalations.ts"
import logCaseViewers from "./0048_log_case_viewers.ts"
import addUrgencyToCases from "./0049_add_urgency_to_cases.ts"
import fillUrgencyOfCases from "./0050_fill_urgency_of_cases.ts"
import indexUrgentCases from "./0051_index_urgent_cases.ts"
import indexAuditByActor from "./0052_index_audit_by_actor.ts"
import indexOldAuditByActor from "./0053_index_old_audit_by_actor.ts"
import indexSearchedNames from "./0054_index_searched_names.ts"
import renameTestEvents from "./0055_rename_test_events.ts"
import createTestOrganizations from "./0057_create_test_organizations.ts"
import addFailureOfWebhooks from "./0060_add_failure_of_webhooks.ts"
import addResetsOfTestOrganizations from "./0062_add_resets_of_test_organizations.ts"

export const migrations: Migrations = {
  "0001_create_jobs": createJobs,
  "0002_create_audit": createAudit,
  "0003_create_patient_keys": createPatientKeys,
  "0004_create_idempotency_keys": createIdempotencyKeys,
  "0005_create_stored_amounts": createStoredAmounts,
  "0006_create_reconciliations": createReconciliations,
  "0007_index_jobs_with_payload": indexJobsWithPayload,
  "0010_create_products": createProducts,
  "0011_create_forms": createForms,
  "0012_create_bundles": createBundles,
  "0013_create_cases": createCases,
  "0014_create_provider_loads": createProviderLoads,
  "0015_create_case_products": createCaseProducts,
  "0016_create_case_addresses": createCaseAddresses,
  "0017_create_case_activity": createCaseActivity,
  "0018_create_form_responses": createFormResponses,
  "0019_create_comments": createComments,
  "0020_create_decisions": createDecisions,
  "0021_create_documents": createDocuments,
  "0022_create_orders": createOrders,
  "0023_create_escalations": createEscalations,
  "0024_create_case_payments": createCasePayments,
  "0025_create_people": createPeople,
  "0026_create_organization_snapshots": createOrganizationSnapshots,
  "0027_create_events": createEvents,
  "0028_create_webhook_endpoints": createWebhookEndpoints,
  "0029_create_webhook_deliveries": createWebhookDeliveries,
  "0030_create_delivery_queues": createDeliveryQueues,
  "0031_create_calendar_event_snapshots": createCalendarEventSnapshots,
  "0032_partition_audit": partitionAudit,
  "0035_partition_events": partitionEvents,
  "0036_create_organization_moves": createOrganizationMoves,
  "0037_archive_catalogue": archiveCatalogue,
  "0038_index_catalogue": indexCatalogue,
  "0039_index_escalations": indexEscalations,
  "0040_index_webhook_endpoints": indexWebhookEndpoints,
  "0041_index_orders_in_error": indexOrdersInError,
  "0042_index_search": indexSearch,
  "0044_create_break_glass": createBreakGlass,
  "0045_add_support_to_organization_snapshots": addSupportToOrganizationSnapshots,
  "0046_create_case_viewers": createCaseViewers,
  "0047_index_unassigned_escalations": indexUnassignedEscalations,
  "0048_log_case_viewers": logCaseViewers,
  "0049_add_urgency_to_cases": addUrgencyToCases,
  "0050_fill_urgency_of_cases": fillUrgencyOfCases,
  "0051_index_urgent_cases": indexUrgentCases,
  "0052_index_audit_by_actor": indexAuditByActor,
  "0053_index_old_audit_by_actor": indexOldAuditByActor,
  "0054_index_searched_names": indexSearchedNames,
  "0055_rename_test_events": renameTestEvents,
  "0057_create_test_organizations": createTestOrganizations,
  "0060_add_failure_of_webhooks": addFailureOfWebhooks,
  "0062_add_resets_of_test_organizations": addResetsOfTestOrganizations
}
