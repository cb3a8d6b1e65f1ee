import { addListsToAudit, createAudit, indexAuditByCaseAndUser } from "@care/audit"
import { addJobsFailingSince, createIndexOfCarryingJobs, createJobs } from "@care/jobs"
import { createIdempotencyKeys, createIdempotencySecrets } from "@care/once"
import { createPatientKeys } from "@care/phi"
import { createReconciliations } from "@care/service"
import { createStoredAmounts, type Migrations } from "@care/service-kit"
import createProducts from "./0001_create_products.ts"
import createForms from "./0002_create_forms.ts"
import createBundles from "./0003_create_bundles.ts"
import createCasesWithActivity from "./0004_create_cases_with_activity.ts"
import createCaseProductsThatClose from "./0005_create_case_products_that_close.ts"
import createFormResponses from "./0006_create_form_responses.ts"
import createCommentsAndNotes from "./0007_create_comments_and_notes.ts"
import createDecisions from "./0008_create_decisions.ts"
import createDocumentsOfCasesAndComments from "./0009_create_documents_of_cases_and_comments.ts"
import createOrdersWithSealedParcels from "./0010_create_orders_with_sealed_parcels.ts"
import createPeopleAndProviders from "./0013_create_people_and_providers.ts"
import createCaseActivityWithNotices from "./0014_create_case_activity_with_notices.ts"
import createEscalations from "./0016_create_escalations.ts"
import createOrderContents from "./0017_create_order_contents.ts"
import createPharmacyEvents from "./0018_create_pharmacy_events.ts"
import createIndexesOfSearch from "./0019_create_indexes_of_search.ts"
import createCasePayments from "./0020_create_case_payments.ts"
import createIndexOfBundledProducts from "./0021_create_index_of_bundled_products.ts"
import followCases from "./0022_follow_cases.ts"
import createEvents from "./0026_create_events.ts"
import createWebhookEndpoints from "./0027_create_webhook_endpoints.ts"
import createOwnEvents from "./0028_create_own_events.ts"
import createWebhookDeliveriesByEndpoint from "./0029_create_webhook_deliveries_by_endpoint.ts"
import createDeliveryQueuesAddedTo from "./0030_create_delivery_queues_added_to.ts"
import createOrganizationFacts from "./0031_create_organization_facts.ts"
import createIndexOfAllDocumentsByCase from "./0032_create_index_of_all_documents_by_case.ts"
import createIndexOfPaymentsByCase from "./0033_create_index_of_payments_by_case.ts"
import createCaseAddresses from "./0034_create_case_addresses.ts"
import addIntentsOfCases from "./0036_add_intents_of_cases.ts"
import createIndexOfCasesByIntent from "./0037_create_index_of_cases_by_intent.ts"
import createIndexOfDocumentsByTime from "./0042_create_index_of_documents_by_time.ts"
import addOrderContentsBody from "./0047_add_order_contents_body.ts"

export const migrations: Migrations = {
  "0001_create_products": createProducts,
  "0002_create_forms": createForms,
  "0003_create_bundles": createBundles,
  "0004_create_cases_with_activity": createCasesWithActivity,
  "0005_create_case_products_that_close": createCaseProductsThatClose,
  "0006_create_form_responses": createFormResponses,
  "0007_create_comments_and_notes": createCommentsAndNotes,
  "0008_create_decisions": createDecisions,
  "0009_create_documents_of_cases_and_comments": createDocumentsOfCasesAndComments,
  "0010_create_orders_with_sealed_parcels": createOrdersWithSealedParcels,
  "0011_create_idempotency_keys_with_room": createIdempotencyKeys,
  "0012_create_jobs_about_something": createJobs,
  "0013_create_people_and_providers": createPeopleAndProviders,
  "0014_create_case_activity_with_notices": createCaseActivityWithNotices,
  "0016_create_escalations": createEscalations,
  "0017_create_order_contents": createOrderContents,
  "0018_create_pharmacy_events": createPharmacyEvents,
  "0019_create_indexes_of_search": createIndexesOfSearch,
  "0020_create_case_payments": createCasePayments,
  "0021_create_index_of_bundled_products": createIndexOfBundledProducts,
  "0022_follow_cases": followCases,
  "0023_create_audit": createAudit,
  "0024_create_keys_of_patients": createPatientKeys,
  "0026_create_events": createEvents,
  "0027_create_webhook_endpoints": createWebhookEndpoints,
  "0028_create_own_events": createOwnEvents,
  "0029_create_webhook_deliveries_by_endpoint": createWebhookDeliveriesByEndpoint,
  "0030_create_delivery_queues_added_to": createDeliveryQueuesAddedTo,
  "0031_create_organization_facts": createOrganizationFacts,
  "0032_create_index_of_all_documents_by_case": createIndexOfAllDocumentsByCase,
  "0033_create_index_of_payments_by_case": createIndexOfPaymentsByCase,
  "0034_create_case_addresses": createCaseAddresses,
  "0035_create_index_of_carrying_jobs": createIndexOfCarryingJobs,
  "0036_add_intents_of_cases": addIntentsOfCases,
  "0037_create_index_of_cases_by_intent": createIndexOfCasesByIntent,
  "0038_add_jobs_failing_since": addJobsFailingSince,
  "0039_create_reconciliations": createReconciliations,
  "0041_create_stored_amounts": createStoredAmounts,
  "0042_create_index_of_documents_by_time": createIndexOfDocumentsByTime,
  "0047_add_order_contents_body": addOrderContentsBody,
  "0050_add_lists_to_audit": addListsToAudit,
  "0051_index_audit_by_case_and_user": indexAuditByCaseAndUser,
  "0052_create_idempotency_secrets": createIdempotencySecrets
}
